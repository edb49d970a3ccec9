"""The JUnit report that a run writes, read like any other: what was excused, what never ran, what is known already."""
import os
import pathlib
import xml.etree.ElementTree as ElementTree

from _scenario import Scenario, main

REPORT = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"], "tests/golden/run/junit.xml")


class RunReport(Scenario):
    def setUp(self):
        super().setUp()
        self.write("junit.xml", REPORT.read_bytes())

    def by_name(self):
        found = {}
        for line in self.log():
            found.setdefault(line["name"], []).append(line)
        return found

    def test_every_execution_is_stored_once_under_the_key_of_the_run(self):
        first = self.ingest("junit.xml")
        self.assertEqual((first["duplicates"], first["damaged"], first["rejected"]), (0, [], []))
        self.assertEqual({line["run_id"] for line in self.log()}, {"20260609T101320-9f2ac1"})
        keys = [line["exec_key"] for line in self.log()]
        self.assertEqual(len(set(keys)), first["stored"])
        again = self.ingest("junit.xml")
        self.assertEqual((again["stored"], again["duplicates"]), (0, first["stored"]))

    def test_a_quarantined_failure_is_a_failure_with_its_mark(self):
        self.ingest("junit.xml")
        known = self.by_name()["test_known"]
        self.assertEqual([line["status"] for line in known], ["fail", "fail"])
        self.assertTrue(all(line["quarantined"] for line in known))
        self.assertFalse(any(line.get("quarantined") for line in self.by_name()["test_fails"]))

    def test_other_readers_find_no_failure_where_one_was_excused(self):
        root = ElementTree.parse(REPORT).getroot()
        for case in root.iter("testcase"):
            marks = {mark.get("name"): mark.get("value") for mark in case.iter("property")}
            if marks.get("quarantined") == "true":
                self.assertIsNone(case.find("failure"))
                self.assertIsNone(case.find("error"))
        failures = sum(case.find("failure") is not None for case in root.iter("testcase"))
        self.assertEqual(int(root.get("failures")), failures)

    def test_what_never_ran_leaves_no_trace(self):
        self.ingest("junit.xml")
        self.assertNotIn("test_never", self.by_name())
        self.assertNotIn("tests.test_win", self.by_name())
        self.assertIn("test_skip", self.by_name())

    def test_a_flaky_test_keeps_its_attempts(self):
        self.ingest("junit.xml")
        flaky = self.by_name()["test_flaky[a b]"]
        self.assertEqual([(line["status"], line.get("attempt", 0)) for line in flaky], [("fail", 0), ("pass", 1)])
        self.assertTrue(flaky[1]["known_flaky"])

    def test_reading_it_gives_no_cause_for_notes(self):
        self.flakestat("ingest", "junit.xml")
        self.assertNotIn("claims", self.talk)


if __name__ == "__main__":
    main()
