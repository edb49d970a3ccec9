"""A suite with known rates writes its own trace: the log, the ledger and the reports of `flakestat run` equal it."""
import collections
import json

from _runs import LOG_STATUS, REPORT_STATUS, SOAK, RunScenario, plain_name, reported
from _scenario import main

RUNS = 200 if SOAK else 20
AT_ONCE = 8
RATES = {
    "steady": [0, 0, 0],
    "broken": [0, 1, 0],
    "rare": [0, 0.05, 0],
    "often": [0, 0.5, 0],
    "setup": [0.3, 0, 0],
    "teardown": [0, 0, 0.3],
    "all": [0.15, 0.15, 0.15],
    **{f"t{index:02}": [0, 0.2, 0] for index in range(12)},
}


class Rates(RunScenario):
    def setUp(self):
        super().setUp()
        self.plan({name: {"rates": rates} for name, rates in RATES.items()})

    def check_reports(self, executed, names):
        for name in names:
            found = {test: [attempt["status"] for attempt in entry["attempts"]] for test, entry in reported(self.report_of(name)).items()}
            expected = {test: [REPORT_STATUS[letter] for letter in letters] for test, letters in executed[name].items()}
            self.assertEqual(found, expected, name)

    def check_log(self, executed, run_ids):
        found = collections.defaultdict(lambda: collections.defaultdict(list))
        for line in self.log("state"):
            self.assertEqual(line["source"], "run", line)
            found[line["run_id"]][plain_name("::" + line["name"])].append((line.get("attempt", 0), line["status"]))
        expected = {run_ids[name]: {test: list(enumerate(LOG_STATUS[letter] for letter in letters)) for test, letters in tests.items()}
                    for name, tests in executed.items()}
        ordered = {run: {test: sorted(attempts) for test, attempts in tests.items()} for run, tests in found.items()}
        self.assertEqual(ordered, expected)

    def check_ledger(self, executed):
        path = self.root / "state" / "flakes.json"
        found = {plain_name(test): (counts.get("flaky", 0), counts.get("failed", 0)) for test, counts in json.loads(path.read_text()).items()}
        expected = collections.defaultdict(lambda: [0, 0])
        for tests in executed.values():
            for test, letters in tests.items():
                if letters[-1] != "P":
                    expected[test][1] += 1
                elif len(letters) > 1:
                    expected[test][0] += 1
        self.assertEqual(found, {test: tuple(counts) for test, counts in expected.items()})

    def check(self, names, reruns):
        executed = self.executed()
        self.assertEqual(sorted(executed), sorted(names))
        for name, tests in executed.items():
            self.assertEqual(sorted(tests), sorted(RATES), name)
            for test, letters in tests.items():
                # No rerun but after a failure, none after a pass, no more than were allowed.
                self.assertRegex(letters, rf"\A[FST]{{0,{reruns}}}P\Z|\A[FST]{{{reruns + 1}}}\Z", f"{name}: {test}")
        run_ids = {name: self.report_of(name)["meta"]["run_id"] for name in names}
        self.assertEqual(len(set(run_ids.values())), len(names), "run ids are shared")
        self.check_reports(executed, names)
        self.check_log(executed, run_ids)
        self.check_ledger(executed)

    def test_log_ledger_and_reports_equal_the_trace_of_runs_one_after_another(self):
        for index in range(RUNS):
            # The breaker would end reruns of a suite as bad as this at moments that depend on the order.
            self.run_suite("-n", str(index % 3), "--reruns", "2", "--rerun-breaker", "0", codes=(1,))
        self.check([f"r{index + 1}" for index in range(RUNS)], reruns=2)

    def test_runs_at_once_on_one_state_directory_lose_no_count(self):
        names = []
        for _ in range(max(1, RUNS // 20)):
            processes = [self.start("-n", "2", "--reruns", "2", "--rerun-breaker", "0") for _ in range(AT_ONCE)]
            for process in processes:
                self.finish(process, codes=(1,), timeout=300)
                names.append(process.run_name)
        self.check(names, reruns=2)

    def test_the_ledger_rebuilt_from_the_log_is_the_ledger(self):
        for _ in range(3):
            self.run_suite("-n", "2", "--reruns", "2", "--rerun-breaker", "0", codes=(1,))
        path = self.root / "state" / "flakes.json"
        before = {test: (counts.get("flaky", 0), counts.get("failed", 0)) for test, counts in json.loads(path.read_text()).items()}
        self.flakestat("ledger", "rebuild", "--dir", "state")
        after = {test: (counts.get("flaky", 0), counts.get("failed", 0)) for test, counts in json.loads(path.read_text()).items()}
        self.assertEqual(after, before)


if __name__ == "__main__":
    main()
