"""`ingest`: one bad file never discards the others, and nothing is green by accident."""
import json

from _scenario import FAIL, Scenario, case, main, suite


class Ingest(Scenario):
    def test_good_file_is_stored_and_bad_one_named(self):  # A05
        self.write("good.xml", suite(case()))
        self.write("bad.xml", "<html><body>404</body></html>")
        done = self.ingest("good.xml", "bad.xml", code=65)
        self.assertEqual(done["stored"], 1)
        self.assertEqual(done["rejected"][0]["file"], "bad.xml")
        self.assertIn("html", json.dumps(done["rejected"][0]))
        self.assertEqual(len(self.log()), 1)

    def test_truncated_report_keeps_its_complete_cases(self):
        self.write("cut.xml", suite(case("one"), case("two"))[:-40])
        done = self.ingest("cut.xml", code=65)
        self.assertEqual((done["stored"], done["damaged"][0]["file"]), (1, "cut.xml"))
        self.assertTrue(self.log()[0]["partial"])
        self.flakestat("ingest", "cut.xml", "--allow-damaged")

    def test_whole_report_supersedes_its_truncated_form(self):
        text = suite(case("one"), case("two"), extra=' timestamp="2026-08-17T10:00:00Z"')
        self.write("r.xml", text[:-40])
        self.ingest("r.xml", "--commit", "c", code=65)
        self.write("r.xml", text)
        self.ingest("r.xml", "--commit", "c")
        self.assertEqual({r["name"]: r["runs"] for r in self.report()["results"]}, {"one": 1, "two": 1})

    def test_companion_matched_by_a_glob_is_skipped_with_a_note(self):  # A23
        self.write("target/x-reports/TEST-a.xml", suite(case()))
        self.write("target/x-reports/failsafe-summary.xml", "<failsafe-summary><completed>1</completed></failsafe-summary>")
        done = self.ingest("target/*-reports/*.xml")
        self.assertEqual(done["stored"], 1)
        self.assertIn("failsafe-summary", json.dumps(done["ignored"]))

    def test_companion_named_on_the_command_line_is_an_error(self):
        self.write("failsafe-summary.xml", "<failsafe-summary/>")
        self.ingest("failsafe-summary.xml", code=65)
        self.assertIn("failsafe-summary", self.talk)

    def test_missing_file_is_an_error(self):
        self.write("a.xml", suite(case()))
        self.assertEqual(self.ingest("a.xml", "nowhere.xml", code=66)["stored"], 1)
        self.assertIn("nowhere.xml", self.talk)

    def test_pattern_that_matches_nothing_is_an_error(self):
        self.flakestat("ingest", "reports/**/*.xml", code=66)
        self.assertIn("reports/**/*.xml", self.talk)

    def test_standard_input(self):
        self.assertEqual(self.ingest("-", stdin=suite(case()).encode())["stored"], 1)

    def test_raw_escape_byte_keeps_all_results(self):  # A01, D12
        self.write("a.xml", suite(case("one", b"<failure>\x1b[31mred\x1b[0m</failure>".decode()), case("two")))
        self.assertEqual(self.ingest("a.xml")["stored"], 2)
        self.assertEqual(self.log()[0]["message"], "red")

    def test_nul_in_a_message_does_not_cut_it(self):  # A03
        self.write("a.xml", suite(case("one", '<failure message="left\x00right"/>')))
        self.ingest("a.xml")
        message = self.log()[0]["message"]
        self.assertIn("left", message)
        self.assertIn("right", message)

    def test_offset_of_a_timestamp_is_honoured(self):  # A19
        self.write("a.xml", suite(case(), extra=' timestamp="2025-09-25T14:52:32.774867-07:00"'))
        self.ingest("a.xml")
        self.assertEqual(self.log()[0]["ts"], "2025-09-25T21:52:32.774Z")

    def test_class_name_with_dots_stays_whole(self):  # A25
        self.write("a.xml", suite(case(classname="Chrome 123.0")))
        self.ingest("a.xml")
        self.assertEqual(self.log()[0]["class"], "Chrome 123.0")

    def test_build_failure_case_with_empty_class_is_kept(self):
        self.write("a.xml", suite(case("TestMain", "<failure>[build failed]</failure>", classname="")))
        self.assertEqual(self.ingest("a.xml")["failures"], 1)

    def test_dimensions_and_identity_are_recorded(self):
        self.write("a.xml", '<testsuite name="pytest"><testcase classname="tests.test_auth.TestAuth" '
                            'name="test_login[oauth]"/></testsuite>')
        self.ingest("a.xml", "--dimension", "database=postgres", "--commit", "abc123", "--branch", "main",
                    "--run-id", "r1")
        line = self.log()[0]
        self.assertEqual(line["test_id"], "4e9290bb4d9fcbbb")
        self.assertEqual(line["dimensions"], {"database": "postgres"})
        self.assertEqual((line["commit"], line["branch"], line["run_id"], line["source"]),
                         ("abc123", "main", "r1", "ci"))
        self.assertNotIn("os", line["dimensions"])

    def test_platform_is_recorded_in_ci_only_and_never_with_no_host(self):
        self.write("a.xml", suite(case()))
        ci = {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "7", "GITHUB_JOB": "unit", "GITHUB_RUN_ATTEMPT": "2"}
        self.ingest("a.xml", "--dir", "one", env=ci)
        self.ingest("a.xml", "--dir", "two", "--no-host", env=ci)
        one, two = self.log("one")[0]["dimensions"], self.log("two")[0]["dimensions"]
        self.assertEqual(one["os"], "linux")
        self.assertEqual((one["ci.provider"], one["ci.run_id"], one["ci.attempt"]), ("github", "7", "2"))
        self.assertNotIn("os", two)
        self.assertNotIn("arch", two)

    def test_bad_dimension_names_the_pair(self):
        self.write("a.xml", suite(case()))
        self.flakestat("ingest", "a.xml", "--dimension", "nonsense", code=64)
        self.assertIn("nonsense", self.talk)

    def test_modified_tree_is_a_code_of_its_own(self):
        self.git("init", "-q", "-b", "main")
        self.write("src.txt", "one")
        self.git("add", "src.txt")
        self.git("commit", "-q", "-m", "c")
        head = self.git("rev-parse", "HEAD")
        self.write("a.xml", suite(case()))
        self.ingest("a.xml")
        self.write("src.txt", "two")
        self.write("b.xml", suite(case(body=FAIL)))
        self.ingest("b.xml")
        clean, dirty = self.log()
        self.assertTrue(clean["commit"] and head.startswith(clean["commit"]))
        self.assertNotEqual(clean.get("code", clean["commit"]), dirty["code"])
        self.assertTrue(dirty["code"].startswith(clean["commit"] + "+"))
        self.assertEqual(self.result("t")["proofs"], 0)


if __name__ == "__main__":
    main()
