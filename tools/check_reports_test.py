"""The check of the kept reports must find a report that nobody expects anything of."""

import unittest

import check_reports


def entry(file, **changed):
    expect = {"tests": 3, "failures": 1, "errors": 0, "skipped": 1, "passed": 1} | changed
    return {"file": file, "summary": "3 tests", "expect": expect}


class Reports(unittest.TestCase):
    def found(self, entries, files):
        return list(check_reports.complaints(entries, files))

    def test_the_same_files_are_fine(self):
        self.assertEqual([], self.found([entry("go/a.xml")], ["go/a.xml"]))

    def test_a_file_without_entry_is_found(self):
        self.assertEqual(["go/b.xml: not in manifest.json"], self.found([entry("go/a.xml")], ["go/a.xml", "go/b.xml"]))

    def test_an_entry_without_file_is_found(self):
        self.assertEqual(["go/a.xml: in manifest.json, but not there"], self.found([entry("go/a.xml")], []))

    def test_counts_that_do_not_add_up_are_found(self):
        self.assertEqual(1, len(self.found([entry("go/a.xml", passed=2)], ["go/a.xml"])))


if __name__ == "__main__":
    unittest.main()
