"""Tests of judge.py: intervals against published values, and every rule on both of its sides."""

import collections
import unittest

import judge
from judge import Count

Limits = collections.namedtuple("Limits", "least usual seconds")


def result(verdict, runs, fails, planned=100, stopped=False):
    return judge.Measure(Count(runs, fails), verdict, judge.interval(Count(runs, fails)), planned, stopped)


class Intervals(unittest.TestCase):
    def near(self, count, low, high):
        for found, wanted in zip(judge.interval(count), (low, high)):
            self.assertAlmostEqual(found, wanted, places=4)

    def test_they_are_the_exact_ones(self):
        self.near(Count(10, 1), 0.0025, 0.4450)
        self.near(Count(20, 10), 0.2720, 0.7280)
        self.near(Count(1500, 5), 0.0011, 0.0078)

    def test_the_ends_are_one_sided_and_closed(self):
        self.near(Count(30, 0), 0, 1 - 0.025 ** (1 / 30))
        self.near(Count(30, 30), 0.025 ** (1 / 30), 1)

    def test_no_run_leaves_everything_open(self):
        self.assertEqual(judge.interval(Count(0, 0)), (0, 1))

    def test_what_touches_meets(self):
        self.assertTrue(judge.meet((0, 0.2), (0.2, 0.4)))
        self.assertFalse(judge.meet((0, 0.1), (0.2, 0.4)))


class Runs(unittest.TestCase):
    def test_enough_for_the_rarest(self):
        self.assertEqual(judge.runs_to_see(0.01), 299)
        self.assertEqual(judge.runs_to_see(0), 0)
        self.assertEqual(judge.runs_to_see(1), 0)

    def test_a_rare_pass_counts_like_a_rare_failure(self):
        self.assertEqual(judge.planned_runs([Count(1500, 1495)], 0.035, Limits(40, 150, 120)), 898)

    def test_a_rare_one_gets_what_it_needs_and_a_slow_one_what_time_allows(self):
        limits = Limits(40, 150, 120)
        self.assertEqual(judge.planned_runs([Count(1500, 5), Count(10, 5)], 0.035, limits), 898)
        self.assertEqual(judge.planned_runs([Count(100, 50)], 0.1, limits), 150)
        self.assertEqual(judge.planned_runs([Count(100, 50)], 1.2, limits), 100)
        self.assertEqual(judge.planned_runs([Count(1500, 5)], 60, limits), 40)


class Rules(unittest.TestCase):
    def judged(self, expected, found, documented=Count(100, 20), moves=None):
        return judge.judge(expected, found, documented, moves)

    def test_flaky_at_the_documented_rate_holds(self):
        self.assertTrue(self.judged("flaky", result("flaky", 100, 25)).holds)

    def test_another_verdict_does_not_hold(self):
        self.assertIs(self.judged("flaky", result("suspect", 100, 25)).holds, False)

    def test_another_rate_does_not_hold_unless_it_is_known_to_move(self):
        self.assertIs(self.judged("flaky", result("flaky", 100, 80)).holds, False)
        self.assertIsNone(self.judged("flaky", result("flaky", 100, 80), moves="load").holds)

    def test_flaky_without_a_disagreement_is_invented(self):
        self.assertIs(self.judged("flaky", result("flaky", 100, 0), Count(1500, 5)).holds, False)
        self.assertIs(self.judged("flaky", result("flaky", 100, 100), Count(40, 40)).holds, False)

    def test_a_rare_one_that_was_not_seen_is_said_with_its_chance(self):
        found = self.judged("flaky", result("stable", 100, 0), Count(1500, 5))
        self.assertIsNone(found.holds)
        self.assertIn("28.4 %", found.said)

    def test_a_frequent_one_that_was_not_seen_does_not_hold(self):
        self.assertIs(self.judged("flaky", result("stable", 100, 0)).holds, False)

    def test_one_that_always_failed_is_consistently_failing(self):
        self.assertIsNone(self.judged("flaky", result("consistently-failing", 100, 100), Count(40, 40)).holds)
        self.assertIs(self.judged("flaky", result("consistently-failing", 100, 100), Count(100, 20)).holds, False)

    def test_a_missing_test_or_run_does_not_hold(self):
        self.assertIs(self.judged("flaky", None).holds, False)
        self.assertIs(self.judged("steady", result("stable", 99, 0)).holds, False)
        self.assertIs(self.judged("steady", result("stable", 101, 0)).holds, False)
        self.assertIs(self.judged("steady", result("stable", 0, 0, stopped=True)).holds, False)

    def test_a_hunt_that_stops_when_all_is_settled_may_make_fewer_runs(self):
        self.assertTrue(self.judged("flaky", result("flaky", 10, 1, stopped=True)).holds)
        self.assertIs(self.judged("flaky", result("flaky", 101, 25, stopped=True)).holds, False)

    def test_steady_means_no_failure_and_stable(self):
        self.assertTrue(self.judged("steady", result("stable", 100, 0)).holds)
        self.assertIs(self.judged("steady", result("flaky", 100, 1)).holds, False)
        self.assertIs(self.judged("steady", result("suspect", 100, 0)).holds, False)

    def test_a_partial_fix_may_leave_a_rarer_flake(self):
        self.assertTrue(self.judged("partial", result("stable", 100, 0), Count(80, 6)).holds)
        self.assertTrue(self.judged("partial", result("flaky", 100, 4), Count(80, 6)).holds)
        self.assertIs(self.judged("partial", result("flaky", 100, 60), Count(80, 6)).holds, False)

    def test_what_always_fails_never_passes(self):
        self.assertTrue(self.judged("always-fails", result("consistently-failing", 100, 100)).holds)
        self.assertIs(self.judged("always-fails", result("flaky", 100, 99)).holds, False)


class Texts(unittest.TestCase):
    def test_what_is_not_certain_is_never_printed_as_0_or_100(self):
        self.assertEqual([judge.percent(share) for share in (0, 0.00004, 0.123456, 0.99996, 1)], ["0", "0.004", "12.3", ">99.9", "100"])


if __name__ == "__main__":
    unittest.main()
