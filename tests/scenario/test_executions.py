"""Exactly the executions that happened are kept: no more, no fewer."""
from _scenario import FAIL, Scenario, case, main, suite

STAMP = ' timestamp="2026-08-17T10:00:00Z"'


class Executions(Scenario):
    def runs(self, name="t"):
        return self.result(name)["runs"]

    def test_same_artifact_twice_counts_once(self):
        self.write("a.xml", suite(case()))
        self.assertEqual(self.ingest("a.xml")["stored"], 1)
        again = self.ingest("a.xml")
        self.assertEqual((again["stored"], again["duplicates"]), (0, 1))
        self.assertEqual(self.runs(), 1)

    def test_copy_of_a_report_with_timestamps_under_another_name_counts_once(self):
        text = suite(case(), extra=STAMP)
        self.write("a.xml", text)
        self.write("b.xml", text)
        done = self.ingest("a.xml", "b.xml")
        self.assertEqual((done["stored"], done["duplicates"]), (1, 1))
        self.assertEqual(self.runs(), 1)

    def test_copy_of_a_report_without_timestamps_counts_twice(self):
        text = suite(case())
        self.write("a.xml", text)
        self.write("b.xml", text)
        self.assertEqual(self.ingest("a.xml", "b.xml")["stored"], 2)
        self.assertEqual(self.runs(), 2)

    def test_three_shards_with_identical_bytes_count_three_times(self):
        self.write("a.xml", suite(case(), extra=STAMP))
        for shard in "123":
            self.assertEqual(self.ingest("a.xml", "--dimension", f"ci.shard={shard}")["stored"], 1)
        self.assertEqual(self.runs(), 3)

    def test_twelve_repetitions_in_one_file_count_twelve_times(self):
        go = '<properties><property name="go.version" value="go1.26.8 linux/amd64"></property></properties>'
        self.write("a.xml", suite(go, *[case() for _ in range(11)], case(body=FAIL)))
        done = self.ingest("a.xml")
        self.assertEqual((done["cases"], done["stored"]), (12, 12))
        result = self.result("t")
        self.assertEqual((result["runs"], result["passes"], result["fails"]), (12, 11, 1))
        self.assertEqual(result["verdict"], "flaky")

    def test_logs_merged_with_cat_are_their_union(self):
        self.write("a.xml", suite(case("one"), case("two")))
        self.write("b.xml", suite(case("one", FAIL), case("three")))
        self.ingest("a.xml", "--dir", "left")
        self.ingest("a.xml", "b.xml", "--dir", "right")
        left = (self.root / "left/runs.ndjson").read_text()
        right = (self.root / "right/runs.ndjson").read_text()
        self.write("merged/runs.ndjson", left + right + left)
        merged = self.report("--dir", "merged")
        straight = self.report("--dir", "right")
        self.assertEqual(merged["observations"], 4)
        self.assertEqual({r["name"]: r["runs"] for r in merged["results"]},
                         {r["name"]: r["runs"] for r in straight["results"]})

    def test_two_files_with_equal_suite_name_and_timestamp_keep_all_cases(self):  # B24
        self.write("a.xml", suite(case("one"), extra=STAMP))
        self.write("b.xml", suite(case("two"), extra=STAMP))
        self.assertEqual(self.ingest("a.xml", "b.xml")["stored"], 2)

    def test_equal_file_names_in_different_folders_are_both_kept(self):  # B26
        self.write("a/TEST.xml", suite(case("one")))
        self.write("b/TEST.xml", suite(case("two")))
        self.assertEqual(self.ingest("**/TEST.xml")["stored"], 2)

    def test_last_attempt_by_time_decides_over_several_files(self):  # B21
        self.write("second.xml", suite(case(), extra=' timestamp="2026-08-17T10:01:00Z"'))
        self.write("first.xml", suite(case(body=FAIL), extra=' timestamp="2026-08-17T10:00:00Z"'))
        self.ingest("second.xml", "first.xml", "--commit", "abc")
        result = self.result("t")
        self.assertEqual((result["passes"], result["fails"], result["proofs"]), (1, 1, 1))
        self.assertEqual(result["verdict"], "flaky")
        self.assertEqual(result["last_failure"], "2026-08-17T10:00:00.000Z")
        self.assertEqual(result["last_seen"], "2026-08-17T10:01:00.000Z")

    def test_empty_earlier_attempts_do_not_conclude_flaky(self):  # B01
        self.write("a.xml", suite(case(), case(), case(body=FAIL), case("other")))
        self.assertEqual(self.ingest("a.xml")["stored"], 4)
        result = self.result("t", "--min-runs", "1")
        self.assertNotEqual(result["verdict"], "flaky")
        self.assertEqual(result["fails"], 1)

    def test_passing_parameter_does_not_hide_a_failing_sibling(self):  # B06
        self.write("a.xml", suite(case(), case(body=FAIL), case(body=FAIL), case(body=FAIL), case("other")))
        self.ingest("a.xml")
        result = self.result("t", "--min-runs", "1")
        self.assertNotEqual(result["verdict"], "flaky")
        self.assertGreaterEqual(result["fails"], 1)

    def test_same_method_in_two_classes_is_two_tests(self):  # B03
        self.write("a.xml", suite(case("get", FAIL, classname="TestFoo"), case("get", classname="TestBar")))
        self.ingest("a.xml")
        self.assertEqual(sorted((r["class"], r["fails"]) for r in self.report()["results"]),
                         [("TestBar", 0), ("TestFoo", 1)])

    def test_framework_retry_is_stored_attempt_by_attempt(self):  # B05
        flaky = case("f", '<flakyFailure message="x">x</flakyFailure>')
        self.write("a.xml", suite(*[case(f"t{i}") for i in range(6)], flaky, extra=' tests="8" failures="1"'))
        done = self.ingest("a.xml")
        self.assertEqual((done["cases"], done["stored"], done["known_flaky"], done["failures"]), (7, 8, 1, 0))
        attempts = [(o["attempt"] if "attempt" in o else 0, o["status"]) for o in self.log() if o["name"] == "f"]
        self.assertEqual(sorted(attempts), [(0, "fail"), (1, "pass")])
        result = self.result("f")
        self.assertEqual((result["verdict"], result["known_flaky"]), ("flaky", True))


if __name__ == "__main__":
    main()
