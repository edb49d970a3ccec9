#!/usr/bin/env python3
"""check_tap_blocks.py finds what it looks for."""
import unittest

try:
    import yaml  # noqa: F401
    import check_tap_blocks
except ImportError:
    check_tap_blocks = None

GOOD = 'TAP version 14\n# c\nok 1 - a\nnot ok 2 - b # TODO x\n  ---\n  message: "m"\n  more: |2-\n      x\n    y\n  ...\n1..2\n'


@unittest.skipIf(check_tap_blocks is None, "SKIPPED, NOT PASSED: python3-yaml is not installed")
class CheckTapBlocks(unittest.TestCase):
    def found(self, text):
        return list(check_tap_blocks.problems(text))

    def test_good_documents_pass(self):
        self.assertEqual(self.found(GOOD), [])

    def test_a_plan_that_does_not_fit(self):
        self.assertTrue(self.found(GOOD.replace("1..2", "1..3")))

    def test_a_number_twice(self):
        self.assertTrue(self.found(GOOD.replace("ok 2", "ok 1")))

    def test_what_is_no_yaml(self):
        self.assertTrue(self.found(GOOD.replace('"m"', '"m')))
        self.assertTrue(self.found(GOOD.replace("message", "massage")))
        self.assertTrue(self.found(GOOD.replace('"m"', '"m\\nn"')))

    def test_what_is_no_tap(self):
        self.assertTrue(self.found(GOOD + "hello\n"))

    def test_a_block_without_an_end(self):
        self.assertTrue(self.found(GOOD.replace("  ...\n", "")))


if __name__ == "__main__":
    unittest.main()
