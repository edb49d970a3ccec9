"""The breaker of reruns: a broken suite costs little more than a plain run, and independent flakes are recovered as without it."""
from _runs import RunScenario, reported
from _scenario import main

BROKEN, FINE = 50, 10


class Breaker(RunScenario):
    def executions(self, name):
        return sum(map(len, self.executed()[name].values()))

    def broken_suite(self):
        every = (BROKEN + FINE) // FINE
        self.plan({f"t{index:02}": {"script": "P" if index % every == 0 else "F"} for index in range(BROKEN + FINE)})

    def test_a_suite_that_is_broken_costs_a_few_reruns_only(self):
        self.broken_suite()
        for workers in (0, 1, 2):
            report = self.run_suite("-n", str(workers), "--reruns", "2", codes=(1,))
            counts = report["meta"]["counts"]
            self.assertEqual((counts["failed"], counts["passed"]), (BROKEN, FINE))
            # Five tests spend their two reruns each, the next five one, and of the forty after them every tenth has one as a trial:
            # less than 1.35 times the plain run. A worker may be in the middle of its own when the breaker opens.
            bound = BROKEN + FINE + 5 * 2 + 5 + (BROKEN - 10) // 10 + max(0, workers - 1) * 2
            self.assertLessEqual(bound, 1.35 * (BROKEN + FINE))
            made = self.executions(f"r{self.runs}")
            self.assertLessEqual(made, bound, f"-n {workers}")
            self.assertGreater(made, BROKEN + FINE, f"-n {workers}: nothing was rerun")
            self.assertEqual(counts["reruns"], made - BROKEN - FINE)

    def test_without_the_breaker_every_failure_spends_its_budget(self):
        self.broken_suite()
        self.run_suite("-n", "2", "--reruns", "2", "--rerun-breaker", "0", codes=(1,))
        self.assertEqual(self.executions("r1"), BROKEN * 3 + FINE)

    def test_independent_flakes_are_recovered_as_without_the_breaker(self):
        self.plan({f"t{index:02}": {"rates": [0, 0.3, 0]} for index in range(50)})
        for seed in range(5):
            fates = []
            for breaker in ((), ("--rerun-breaker", "0")):
                report = self.run_suite("-n", "2", "--reruns", "2", *breaker, seed=str(seed))
                fates.append({name: test["fate"] for name, test in reported(report).items()})
            self.assertEqual(*fates)
            self.assertIn("flaky", fates[0].values(), "the suite did not flake")

    def test_the_run_says_that_the_breaker_opened(self):
        self.broken_suite()
        self.run_suite("-n", "2", "--reruns", "2", codes=(1,))
        self.assertRegex(self.said("r1"), r"(?i)rerun")
        self.run_suite("-n", "2", "--reruns", "2", "--rerun-breaker", "0", codes=(1,))
        opened, off = (any("recover" in line for line in self.said(name).splitlines()) for name in ("r1", "r2"))
        self.assertEqual((opened, off), (True, False))


if __name__ == "__main__":
    main()
