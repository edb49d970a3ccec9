"""The history file survives what happens to files."""
import subprocess

from _scenario import BINARY, FAIL, Scenario, case, main, suite


class History(Scenario):
    def many(self, count, name="a.xml"):
        self.write(name, suite(*[case(f"{name}-{i}") for i in range(count)]))

    def test_record_after_a_torn_tail_is_readable(self):  # F01
        self.many(3)
        self.ingest("a.xml")
        path = self.root / ".flakestat/runs.ndjson"
        path.write_bytes(path.read_bytes()[:-10])
        self.many(1, "b.xml")
        self.ingest("b.xml")
        report = self.report()
        self.assertEqual(sorted(r["name"] for r in report["results"]), ["a.xml-0", "a.xml-1", "b.xml-0"])
        self.assertRegex(self.talk, "skipped|damaged|torn")

    def test_truncated_tail_leaves_all_earlier_records(self):  # F06
        self.many(4)
        self.ingest("a.xml")
        path = self.root / ".flakestat/runs.ndjson"
        path.write_bytes(path.read_bytes()[:-25])
        self.assertEqual(len(self.report()["results"]), 3)
        self.assertRegex(self.talk, "torn|cut|skipped")

    def test_twenty_parallel_ingests_store_exactly_the_sum(self):  # F03, F07
        for i in range(20):
            self.many(30, f"r{i}.xml")
        running = [subprocess.Popen([BINARY, "ingest", f"r{i}.xml"], cwd=self.root, env=self.env,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for i in range(20)]
        for process in running:
            talk = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 0, talk)
        self.assertEqual(len(self.log()), 600)
        self.assertEqual(len({line["name"] for line in self.log()}), 600)

    def test_state_folder_that_cannot_be_made_is_a_clear_error(self):  # F10
        self.many(1)
        self.write("file", "")
        self.flakestat("ingest", "a.xml", "--dir", "file/below", code=74)
        self.assertIn("file/below", self.talk)

    def test_predecessors_log_is_read(self):
        lines = "".join(
            '{"ts":"2026-07-01T10:00:%02d.123456789Z","run_id":"r%d","commit":"c","branch":"main","source":"hunt",'
            '"attempt":%d,"test_id":"e12be88245622a3c","suite":"s","class":"s","name":"t","status":"%s"}\n'
            % (i, i, i, "fail" if i == 3 else "pass") for i in range(1, 11))
        self.write(".flakestat/runs.ndjson", lines)
        result = self.result("t", "--default-branch", "main")
        self.assertEqual((result["runs"], result["fails"], result["verdict"]), (10, 1, "flaky"))

    def test_unknown_log_keys_are_ignored(self):
        self.write(".flakestat/runs.ndjson",
                   '{"ts":"2026-07-01T10:00:00Z","run_id":"r","source":"ci","test_id":"e12be88245622a3c","suite":"s",'
                   '"class":"s","name":"t","status":"pass","future":{"deep":[1,2]}}\n')
        self.assertEqual(self.result("t")["runs"], 1)

    def test_report_without_history_says_so(self):
        self.flakestat("report")
        self.assertIn("no", (self.talk + self.flakestat("report")).lower())


class Report(Scenario):
    def setUp(self):
        super().setUp()
        for commit in range(12):
            status = FAIL if commit in (3, 7, 9) else ""
            self.write(f"r{commit}.xml", suite(
                case("wobbly", status), case("solid"), case("broken", FAIL), case("skipped", "<skipped/>"),
                extra=f' timestamp="2026-08-{commit + 1:02d}T10:00:00Z"'))
            self.ingest(f"r{commit}.xml", "--commit", f"c{commit:02d}", "--branch", "main" if commit < 10 else "topic")

    def test_verdicts(self):
        found = {r["name"]: r["verdict"] for r in self.report("--default-branch", "main")["results"]}
        self.assertEqual(found["solid"], "stable")
        self.assertEqual(found["broken"], "consistently-failing")
        self.assertEqual(found["skipped"], "always-skipped")
        self.assertIn(found["wobbly"], ("flaky", "suspect"))

    def test_default_rows_hide_the_stable_but_never_the_broken(self):
        names = [r["name"] for r in self.json("report", "--default-branch", "main")["results"]]
        self.assertIn("broken", names)
        self.assertNotIn("solid", names)

    def test_since_branch_dimension_and_filter_narrow(self):
        self.assertEqual(self.result("solid", "--since", "2026-08-10")["runs"], 3)
        self.assertEqual(self.result("solid", "--branch", "topic")["runs"], 2)
        self.assertEqual([r["name"] for r in self.report("--filter", "*sol*")["results"]], ["solid"])
        solid = self.result("solid")["test_id"]
        self.assertEqual([r["name"] for r in self.report("--filter", solid)["results"]], ["solid"])

    def test_since_a_commit_begins_at_its_first_execution(self):
        commit = "5e1f09c0a7d2b3c4e5f60718293a4b5c6d7e8f90"
        self.write("x.xml", suite(case("solid"), extra=' timestamp="2026-08-11T09:00:00Z"'))
        self.ingest("x.xml", "--commit", commit, "--branch", "main")
        for text in (commit, commit[:7], "c10"):
            self.assertEqual(self.result("solid", "--since", text)["runs"], 3 if text != "c10" else 2, text)
        self.flakestat("report", "--since", "deadbeef", code=66)
        self.assertIn("deadbeef", self.talk)
        self.flakestat("report", "--since", "soon", code=64)
        self.assertIn("soon", self.talk)
        self.write("y.xml", suite(case("solid"), extra=' timestamp="2026-08-11T09:30:00Z"'))
        self.ingest("y.xml", "--commit", commit[:7] + "1", "--branch", "main")
        self.flakestat("report", "--since", commit[:7], code=64)
        self.assertIn(commit, self.talk)

    def test_both_models_answer(self):
        for model in ("bayes", "flip-rate"):
            self.assertEqual(self.report("--model", model)["model"], model)

    def test_markdown_and_table_end_with_what_could_not_be_seen(self):
        for form in ("table", "markdown"):
            out = self.flakestat("report", "--all", "--format", form)
            self.assertIn("95 %", out.rstrip().splitlines()[-1])
            self.assertNotIn("\x1b", out)

    def test_top_limits_rows(self):
        self.assertEqual(len(self.report("--top", "2")["results"]), 2)


if __name__ == "__main__":
    main()
