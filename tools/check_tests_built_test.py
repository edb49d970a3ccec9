"""The check for left-out tests must find one."""

import pathlib
import tempfile
import unittest

import check_tests_built


class LeftOut(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.src = pathlib.Path(self.folder.name)
        self.test = self.src / "store" / "log_test.cpp"
        self.test.parent.mkdir()
        self.test.write_text("TEST(Log, Grows) {}\nTEST_P(Lengths, IsCut) {}\nTEST(Off, DISABLED_Later) {}\n")

    def complaints(self, files, names):
        return list(check_tests_built.missing(self.src, files, names))

    def test_compiled_and_listed_is_fine(self):
        names = ["store.Log.Grows", "store.All/Lengths.IsCut/0"]
        self.assertEqual([], self.complaints({self.test.resolve()}, names))

    def test_a_file_outside_every_binary_is_found(self):
        found = self.complaints(set(), ["store.Log.Grows", "store.All/Lengths.IsCut/0"])
        self.assertEqual([f"{self.test}: is in no test binary"], found)

    def test_a_suite_without_instances_is_found(self):
        found = self.complaints({self.test.resolve()}, ["store.Log.Grows"])
        self.assertEqual([f"{self.test}: ctest does not know the suite 'Lengths'"], found)


if __name__ == "__main__":
    unittest.main()
