"""Tests of what the parity benches conclude: every rule on both of its sides, on values made here."""

import pathlib
import tempfile
import unittest

import outcomes
import recording
import rstest_side_by_side as zoo
import speed
import suites
from outcomes import ABSENT, Seen, differences, noise, order_differs
from recording import Record


def run(parts=None, cases=None, code=0, order=()):
    return Record(code, {key: [value] for key, value in (parts or {}).items()}, {key: [value] for key, value in (cases or {}).items()},
                  list(order), "")


def seen(*runs):
    found = Seen()
    for one in runs:
        found.add(one)
    return found


A = ("t.py::a", "call")
B = ("t.py::b", "call")


class Differences(unittest.TestCase):
    def test_equal_runs_have_none(self):
        self.assertEqual(differences(seen(run({A: "passed"})), seen(run({A: "passed"}))), [])

    def test_another_outcome_is_one(self):
        self.assertEqual(differences(seen(run({A: "passed"})), seen(run({A: "failed"}))), [("part", *A)])

    def test_an_outcome_that_one_side_lacks_is_one(self):
        self.assertEqual(differences(seen(run({A: "passed", B: "passed"})), seen(run({A: "passed"}))), [("part", *B)])
        self.assertEqual(differences(seen(run({A: "passed"})), seen(run({A: "passed", B: "passed"}))), [("part", *B)])

    def test_another_exit_code_is_one(self):
        self.assertEqual(differences(seen(run(code=0)), seen(run(code=1))), [("exit code",)])

    def test_a_case_of_the_report_that_differs_is_one(self):
        key = ("pytest", "t", "a")
        self.assertEqual(differences(seen(run(cases={key: "passed"})), seen(run(cases={key: "skipped"}))), [("case", *key)])

    def test_what_both_sides_showed_once_is_none(self):
        plain = seen(run({A: "passed"}), run({A: "failed"}))
        self.assertEqual(differences(plain, seen(run({A: "failed"}))), [])
        self.assertEqual(noise(plain), {("part", *A)})

    def test_a_test_that_comes_and_goes_is_noise(self):
        for runs in ([run({A: "passed"}), run({})], [run({}), run({A: "passed"})]):
            plain = seen(*runs)
            self.assertEqual(plain.of(("part", *A)), {"passed", ABSENT})
            self.assertEqual(differences(plain, seen(run({}))), [])

    def test_the_order_counts_where_there_is_one(self):
        plain = seen(run(order=["a", "b"]), run(order=["a", "b"]))
        self.assertFalse(order_differs(plain, seen(run(order=["a", "b"]))))
        self.assertTrue(order_differs(plain, seen(run(order=["b", "a"]))))
        shuffled = seen(run(order=["a", "b"]), run(order=["b", "a"]))
        self.assertFalse(order_differs(shuffled, seen(run(order=["b", "a"]))))


class Verdicts(unittest.TestCase):
    def result(self, **difference):
        found = {"what": ["part", *A], "pytest": ["passed"], "flakestat": ["failed"], **difference}
        return {"suite": "s", "version": "1", "tests": 1, "compared": 2, "noise": [],
                "kinds": {"flakestat -n 2": {"differences": [found], "order": False}}}

    def test_a_difference_is_ours_unless_xdist_has_it_too(self):
        self.assertEqual(len(outcomes.verdict(self.result())), 1)
        self.assertEqual(len(outcomes.verdict(self.result(xdist=["passed"]))), 1)
        self.assertEqual(outcomes.verdict(self.result(xdist=["failed"])), [])

    def test_the_table_tells_both_kinds(self):
        self.assertIn("| 1 different |", outcomes.row(self.result()))
        self.assertIn("| equal, 1 as under xdist |", outcomes.row(self.result(xdist=["failed"])))


class Records(unittest.TestCase):
    def written(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "file"
        path.write_text(text, encoding="utf-8")
        return path

    def line(self, worker, part="call", outcome="passed"):
        return f'{{"id":"t.py::a","part":"{part}","outcome":"{outcome}","xfail":false,"reason":"","worker":"{worker}","pid":1}}\n'

    def test_a_controller_that_replays_is_not_counted(self):
        path = self.written(self.line("gw0") + self.line(""))
        self.assertEqual(recording.read_parts(path, True)[0], {A: ["passed"]})
        self.assertEqual(recording.read_parts(path, False)[0], {A: ["passed"]})

    def test_a_part_that_ran_twice_is_told_twice(self):
        path = self.written(self.line("") * 2)
        self.assertEqual(recording.read_parts(path, False)[0], {A: ["passed", "passed"]})

    def test_a_file_that_every_worker_could_not_collect_counts_once(self):
        path = self.written(self.line("gw0", "collection", "failed") + self.line("gw1", "collection", "failed"))
        self.assertEqual(recording.read_parts(path, True)[0], {("t.py::a", "collection"): ["failed"]})

    def test_cases_are_read_with_what_became_of_them(self):
        path = self.written('<testsuites><testsuite name="pytest"><testcase classname="t" name="a"/><testcase classname="t" name="b">'
                            '<failure/></testcase><testcase classname="t" name="b"><error/></testcase></testsuite></testsuites>')
        self.assertEqual(recording.read_cases(path), {("pytest", "t", "a"): ["passed"], ("pytest", "t", "b"): ["error", "failure"]})

    def test_a_case_without_class_is_the_suites(self):
        path = self.written('<testsuite name="pytest"><testcase classname="" name="a"><skipped/></testcase></testsuite>')
        self.assertEqual(recording.read_cases(path), {("pytest", "pytest", "a"): ["skipped"]})

    def test_no_report_has_no_case(self):
        self.assertEqual(recording.read_cases(pathlib.Path("/no/such/file")), {})

    def test_a_run_that_hangs_is_ended_with_its_children(self):
        with tempfile.TemporaryDirectory() as folder:
            usual, recording.TIMEOUT = recording.TIMEOUT, 0.5
            try:
                code = recording.run_to_the_end(["sh", "-c", "sleep 60 & echo $! && wait"], folder, {"PATH": "/bin:/usr/bin"},
                                                pathlib.Path(folder) / "output")
            finally:
                recording.TIMEOUT = usual
            self.assertEqual(code, "no end")
            child = (pathlib.Path(folder) / "output").read_text().strip()
            try:
                state = pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
            except FileNotFoundError:
                state = "gone"
            self.assertIn(state, ("gone", "Z", "X"))


class Speeds(unittest.TestCase):
    QUIET = [1.0, 1.005, 0.995, 1.0, 1.002]
    NOISY = [0.9, 1.1, 1.0, 1.06, 0.95]

    def test_clearly_faster_is_met_whatever_the_noise(self):
        self.assertEqual(speed.verdict([0.5, 0.52, 0.49, 0.5, 0.51], self.NOISY), "met")

    def test_clearly_slower_is_missed_whatever_the_noise(self):
        self.assertEqual(speed.verdict([1.5, 1.52, 1.49, 1.5, 1.51], self.NOISY), "MISSED")

    def test_as_fast_needs_a_quiet_machine(self):
        self.assertEqual(speed.verdict([1.0, 1.003, 0.998, 1.001, 1.0], self.QUIET), "met")
        self.assertEqual(speed.verdict([1.0, 1.003, 0.998, 1.001, 1.0], self.NOISY), "inconclusive (A/A)")

    def test_a_little_slower_is_missed_on_a_quiet_machine(self):
        self.assertEqual(speed.verdict([1.05, 1.052, 1.049, 1.05, 1.051], self.QUIET), "MISSED")

    def test_the_interval_holds_the_median_and_does_not_change(self):
        values = [1.0, 1.2, 0.9, 1.1, 1.05]
        low, high = speed.interval(values)
        self.assertTrue(low <= 1.05 <= high)
        self.assertEqual((low, high), speed.interval(values))

    def test_a_runner_that_ended_otherwise_is_named(self):
        one = speed.Speed(None, None, "s", None, None, ())
        one.codes = {subject: {0} for subject in speed.SUBJECTS}
        one.codes[speed.OURS] = {1}
        one.tails[speed.OURS] = "1 failed"
        self.assertEqual(list(speed.said(one)), ["s: flakestat -n 2 ended with [1], pytest with [0]: 1 failed"])


class Zoo(unittest.TestCase):
    def test_the_screen_of_both_is_read(self):
        text = ("--- FAILED [gw0] t.py::a ---\n=========== quarantined failures (known-flaky, non-fatal) ===========\n\n"
                "--- QUARANTINED t.py::q ---  (flaked 0x, failed 1x before)\n\n=========== flaky tests (passed after rerun) ===========\n"
                "  t.py::f[a b]  (2 reruns; flaked 1x before, failed 0x)\n\n1 failed, 3 errors, 1 flaky, 1 quarantined in 0.43s\n")
        self.assertEqual(zoo.screen(text), {
            "screen failed t.py::a": "shown", "screen quarantined t.py::q": "flaked 0x, failed 1x before",
            "screen flaky t.py::f[a b]": "(2 reruns; flaked 1x before, failed 0x)",
            "count failed": "1", "count errors": "3", "count flaky": "1", "count quarantined": "1"})

    def test_one_error_counts_as_errors(self):
        self.assertEqual(zoo.screen("1 passed, 1 error in 0.36s"), {"count passed": "1", "count errors": "1"})

    def test_what_one_side_lacks_differs(self):
        self.assertEqual(zoo.differences({"a": "1", "b": "2"}, {"a": "1", "c": "3"}), [("b", "2", "-"), ("c", "-", "3")])

    def test_explanations_take_brackets_as_they_are(self):
        usual, zoo.EXPLAINED = zoo.EXPLAINED, [("first *", "ledger t.py::a[*]", "because")]
        try:
            used = set()
            self.assertEqual(zoo.explanation("first run", "ledger t.py::a[x]", used), "because")
            self.assertEqual(zoo.explanation("first run", "ledger t.py::ax", set()), "")
            self.assertEqual(zoo.explanation("second run", "ledger t.py::a[x]", set()), "")
            self.assertEqual(used, {0})
        finally:
            zoo.EXPLAINED = usual

    def test_quotes_keep_blanks_together(self):
        self.assertEqual(zoo.split("-k 'a or b' -n 2"), ["-k", "a or b", "-n", "2"])


class Suites(unittest.TestCase):
    def test_each_is_pinned_and_named_once(self):
        names = [suite.name for suite in suites.SUITES]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(all(suite.version[0].isdigit() for suite in suites.SUITES))

    def test_there_are_enough_and_three_are_small(self):
        self.assertGreaterEqual(len(suites.SUITES), 12)
        self.assertEqual(sum(suite.small for suite in suites.SUITES), 3)

    def test_an_environment_has_nothing_of_the_caller(self):
        self.assertLessEqual(suites.clean_environment().keys(), {"PATH", "HOME", "TMPDIR", "LANG", "PYTHONDONTWRITEBYTECODE"})


if __name__ == "__main__":
    unittest.main()
