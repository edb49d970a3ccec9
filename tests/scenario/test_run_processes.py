"""Processes of pytest that die, fork, exit and are interrupted: never green by accident, nothing lost, nobody else charged."""
import json
import signal
import time

from _runs import RunScenario, plain_name
from _scenario import main

SUITE = "import os, signal, time, pytest\n\ndef test_a(): pass\ndef test_b(): pass\n"
DEATHS = ("os._exit(5)", "os.kill(os.getpid(), signal.SIGSEGV)")


class Processes(RunScenario):
    def suite(self, test=SUITE, conftest="", addopts=""):
        self.write("test_suite.py", test)
        self.write("conftest.py", "import atexit, os, signal, pytest\n" + conftest)
        self.write("pytest.ini", f"[pytest]\naddopts = -p no:cacheprovider {addopts}\n")
        self.plan({})

    def counts(self, report):
        return {name: count for name, count in report["meta"]["counts"].items() if count}

    def test_a_death_after_the_last_test_is_never_green(self):
        places = ("def pytest_sessionfinish(): {}", "def pytest_unconfigure(): {}", "atexit.register(lambda: {})")
        for place in places:
            for death in DEATHS:
                for workers in ("0", "2"):
                    with self.subTest(place=place, death=death, workers=workers):
                        self.suite(conftest=place.format(death) + "\n")
                        report = self.run_suite("-n", workers, codes=(70, 139))
                        self.assertEqual(report["meta"]["end"], "runner_failed")
                        self.assertEqual(self.counts(report)["passed"], 2)

    def test_a_death_in_a_test_is_never_an_empty_suite(self):
        self.suite(SUITE + "def test_dies(): os._exit(5)\n")
        self.run_suite("-n", "0", codes=(70,))
        self.run_suite("-n", "2", codes=(1,))

    def test_a_copy_that_a_test_forked_takes_no_test_of_the_worker(self):
        self.suite(SUITE + "def test_forks():\n    if os.fork() == 0: return\n    os.wait()\n" + "".join(f"def test_z{i}(): pass\n" for i in range(5)))
        for _ in range(3):
            self.assertEqual(self.counts(self.run_suite("-n", "2", codes=(0,))), {"passed": 8})

    def test_workers_that_the_configuration_asks_for_are_ours(self):
        self.suite("import os\n\ndef test_a(): assert os.environ['PYTEST_XDIST_WORKER_COUNT'] == '2'\n", addopts="-n 2")
        if "unrecognized arguments" in self.said(self.start_and_wait()):
            self.skipTest("this pytest has no xdist: it refuses -n itself")
        self.assertEqual(self.counts(self.run_suite(codes=(0,))), {"passed": 1})
        self.assertEqual(self.counts(self.run_suite("-n", "0", codes=(1,))), {"failed": 1})

    def start_and_wait(self):
        process = self.start()
        process.wait(timeout=60)
        return process.run_name

    def test_to_list_the_tests_is_no_failure(self):
        self.suite(addopts="--collect-only")
        self.run_suite("-n", "2", codes=(0,))

    def test_the_limit_of_failures_ends_a_run_as_failed_tests(self):
        self.suite("import pytest\n\n@pytest.mark.parametrize('i', range(20))\ndef test_one(i): assert 0\n", addopts="-x")
        report = self.run_suite("-n", "2", codes=(1,))
        self.assertEqual(report["meta"]["end"], "tests_failed")

    def test_a_signal_to_us_alone_interrupts_pytest_and_loses_nothing(self):
        for workers in ("0", "2"):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(workers=workers, number=number):
                    self.suite("import time, pytest\n\n@pytest.mark.parametrize('i', range(300))\ndef test_one(i):\n"
                               "    open('begun', 'w').close()\n    time.sleep(0.1)\n")
                    (self.root / "begun").unlink(missing_ok=True)
                    process = self.start("-n", workers)
                    while not (self.root / "begun").exists() and process.poll() is None:
                        time.sleep(0.05)
                    time.sleep(1)
                    process.send_signal(number)
                    report = self.finish(process, codes=(2,), timeout=20)
                    self.assertEqual(report["meta"]["end"], "interrupted")
                    ran = {plain_name(test["id"]) for test in report["tests"] if test["attempts"]}
                    logged = [json.loads(line) for line in (self.root / "state/runs.ndjson").read_text().splitlines()]
                    self.assertGreater(len(ran), 0)
                    self.assertLess(len(ran), 300)
                    self.assertGreaterEqual(len(logged), len(ran))
                    if workers == "0":
                        self.assertIn("KeyboardInterrupt", self.said(process.run_name))


if __name__ == "__main__":
    main()
