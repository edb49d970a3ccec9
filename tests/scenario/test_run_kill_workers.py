"""kill -9 of a random worker at a random moment: no test is lost, doubled, or charged with another's death."""
import collections
import os
import random
import signal
import time

from _runs import REPORT_STATUS, SOAK, RunScenario, reported
from _scenario import main

KILLS = 500 if SOAK else 50
TESTS = 40
WORKERS = 3
A_RUN = 4  # within what is replaced in one run


def descends(pid, ancestor):
    """A number may belong to another process by now: it must come from our run."""
    for _ in range(20):
        if pid == ancestor:
            return True
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
                pid = int(stat.read().rpartition(")")[2].split()[1])
        except OSError:
            return False
        if pid <= 1:
            return False
    return False


class Kills(RunScenario):
    def setUp(self):
        super().setUp()
        self.random = random.Random(os.environ.get("KILL_SEED", "1"))
        self.plan({f"t{index:02}": {"script": "P", "seconds": 0.004 + 0.004 * (index % 7)} for index in range(TESTS)})

    def kill_one(self, process):
        """Kills a worker of the run that was not killed yet: its number, or None when there is none (any more)."""
        workers = [line.pid for line in self.trace() if line.run == process.run_name and line.what == "process" and line.worker != "-"]
        alive = [pid for pid in workers if pid not in self.killed and descends(pid, process.pid)]
        if not alive:
            return None
        pid = self.random.choice(alive)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return None
        self.killed.append(pid)
        return pid

    def hurt(self, process):
        for _ in range(A_RUN):
            time.sleep(self.random.random() * 0.3)
            if process.poll() is not None:
                return
            if (self.root / "trace").exists():
                self.kill_one(process)

    def check(self, name, report, reruns):
        """Holds the report of a run against its trace and against who was killed."""
        begun, ended = collections.defaultdict(list), collections.Counter()
        lines = [line for line in self.trace() if line.run == name]
        for line in lines:
            if line.what == "begin":
                begun[line.name].append(line)
            if line.what == "end":
                ended[line.name] += 1
        tests = reported(report)
        if not begun and report["meta"]["end"] == "runner_failed":
            # It died before anything was given out: nothing ran, nobody is charged, and the run says why it is not green.
            self.assertTrue(report["meta"]["reasons"], self.said(name))
            self.assertEqual([test for test, entry in tests.items() if entry["attempts"]], [], self.said(name))
            return 0
        self.assertEqual(sorted(tests), sorted(f"t{index:02}" for index in range(TESTS)), f"{name}: lost or invented\n{self.said(name)}")
        charged = collections.Counter()
        for test, entry in tests.items():
            crashes = [attempt for attempt in entry["attempts"] if attempt.get("trouble")]
            others = [attempt for attempt in entry["attempts"] if not attempt.get("trouble")]
            where = f"{name}: {test}: {entry['attempts']}\n{begun[test]}\n{self.said(name)}"
            self.assertLessEqual(len(others), ended[test], f"a result without an execution: {where}")
            self.assertEqual([attempt["status"] for attempt in others], [REPORT_STATUS["P"]] * len(others), where)
            # An execution that is not reported is one that its process did not survive.
            self.assertLessEqual(len(begun[test]), len(entry["attempts"]), f"an execution is doubled or not told: {where}")
            for attempt in crashes:
                charged[attempt["worker"]] += 1
            if crashes:
                self.check_charged(test, crashes, begun[test], lines, where)
            if not crashes:
                self.assertEqual(len(entry["attempts"]), 1, where)
            self.assertLessEqual(len(entry["attempts"]), reruns + 1, where)
            self.assertEqual(entry["fate"], "passed" if not crashes else "flaky" if others else "error", where)
        return sum(charged.values())

    def check_charged(self, test, crashes, begun, lines, where):
        """A death is charged to what its process had begun last, or was about to begin."""
        last = {}
        for line in lines:
            if line.what == "begin":
                last[line.pid] = line
        for attempt in crashes:
            killed = [line for line in lines if line.what == "process" and line.worker == attempt["worker"] and line.pid in self.killed]
            self.assertTrue(killed, f"charged to a worker that nobody killed: {where}")
        dead = [line for line in begun if line.pid in self.killed and last[line.pid] is line]
        about_to_begin = len(crashes) - len(dead)
        self.assertGreaterEqual(about_to_begin, 0, f"more of it died than was charged: {where}")
        for line in begun:
            if line.pid in self.killed and last[line.pid] is not line:
                later = last[line.pid]
                self.assertNotEqual(later.name, test, where)

    def kill_in(self, reruns):
        self.killed, charged, runs = [], 0, 0
        while len(self.killed) < KILLS // 2:
            runs += 1
            self.assertLess(runs, KILLS * 2, "the kills do not reach the workers")
            before = len(self.killed)
            process = self.start("-n", str(WORKERS), "--reruns", str(reruns), "--rerun-breaker", "0")
            self.hurt(process)
            report = self.finish(process, codes=(0, 1, 70), timeout=60)
            cost = self.check(process.run_name, report, reruns)
            self.assertLessEqual(cost, len(self.killed) - before, f"{process.run_name}: more tests were charged than workers killed")
            charged += cost
            failed = report["meta"]["counts"]["failed"] + report["meta"]["counts"]["errors"]
            broken = report["meta"]["end"] == "runner_failed"
            self.assertEqual(process.returncode, 70 if broken else 1 if failed else 0, self.said(process.run_name))
        self.assertGreater(charged, 0, "no kill hit a running test")

    def test_a_killed_worker_costs_the_test_that_it_ran_and_nothing_else(self):
        self.kill_in(reruns=0)

    def test_with_reruns_a_killed_worker_costs_an_attempt(self):
        self.kill_in(reruns=3)


if __name__ == "__main__":
    main()
