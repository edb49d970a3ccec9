"""What `run` says became of each test: it ends, in one process and in many alike, and report, log and ledger tell the same."""
import json
import re

from _runs import RunScenario, plain_name, reported
from _scenario import main


class Results(RunScenario):
    def project(self, text):
        """A suite of its own instead of the obeying one; `once(name)` is true in the first execution of this run."""
        (self.root / "test_suite.py").unlink(missing_ok=True)
        self.write("conftest.py", '''
import os

def times(name):
    file = os.open(os.environ["TRACE"] + "." + os.environ["TRACE_RUN"] + "." + name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, b".")
    count = os.fstat(file).st_size
    os.close(file)
    return count
''')
        self.write("test_own.py", "import pytest\nfrom conftest import times\n" + text)

    def fates(self, report):
        return {test["id"].split("::", 1)[1]: (test["fate"], "".join(each["status"][0] for each in test["attempts"])) for test in report["tests"]}

    def log(self):
        return [json.loads(line) for line in (self.root / "state/runs.ndjson").read_text().splitlines()]

    def test_measuring_uses_the_whole_budget_and_ends(self):
        self.plan({"a": {"script": "FPFP"}, "b": {"script": "FPF"}, "c": {"script": "F"}, "d": {"script": "P"}})
        for workers in ("0", "2"):
            tests = reported(self.run_suite("-n", workers, "--reruns", "3", "--reruns-measure", codes=(1,)))
            found = {name: (test["fate"], [each["status"] for each in test["attempts"]]) for name, test in tests.items()}
            failed, passed = "failed", "passed"
            self.assertEqual(found, {"a": ("flaky", [failed, passed] * 2), "b": ("flaky", [failed, passed, failed, failed]),
                                     "c": ("failed", [failed] * 4), "d": ("passed", [passed])})

    def test_a_flaky_test_that_is_measured_leaves_the_run_green(self):
        self.plan({"a": {"script": "FPF"}, "d": {"script": "P"}})
        for workers in ("0", "2"):
            self.run_suite("-n", workers, "--reruns", "3", "--reruns-measure", codes=(0,))

    def test_a_skip_after_a_failure_is_not_the_last_word_and_excuses_nothing(self):
        self.project('''
def test_recovers():
    seen = times("recovers")
    assert seen != 1
    if seen == 2: pytest.skip("not now")
def test_never():
    assert times("never") == 2
    pytest.skip("not now")
def test_skips_ever_after():
    assert times("ever") != 1
    pytest.skip("not now")
def test_fine(): pass
''')
        for workers in ("0", "2"):
            found = self.fates(self.run_suite("-n", workers, "--reruns", "2", codes=(1,)))
            self.assertEqual(found, {"test_recovers": ("flaky", "fsp"), "test_never": ("failed", "fsf"),
                                     "test_skips_ever_after": ("failed", "fss"), "test_fine": ("passed", "p")})

    def test_marks_have_budgets_of_their_own(self):
        self.project('''
@pytest.mark.flaky
def test_bare(): assert times("bare") > 1
@pytest.mark.flaky
def test_bare_twice(): assert times("bare2") > 2
@pytest.mark.flaky(reruns=0)
def test_none(): assert times("none") > 1
@pytest.mark.flaky(reruns=3, condition=False)
def test_false_condition(): assert times("cond") > 2
@pytest.mark.flaky(reruns=3, only_rerun="ValueError")
def test_other_error(): assert times("only") > 1
@pytest.mark.flaky(reruns=2)
class TestMarked:
    def test_of_class(self): assert times("class") > 2
    @pytest.mark.flaky(reruns=1)
    def test_nearest(self): assert times("nearest") > 2
''')
        for workers in ("0", "2"):
            found = self.fates(self.run_suite("-n", workers, "--reruns", "1", codes=(1,)))
            self.assertEqual(found, {"test_bare": ("flaky", "fp"), "test_bare_twice": ("failed", "ff"), "test_none": ("failed", "f"),
                                     "test_false_condition": ("failed", "ff"), "test_other_error": ("failed", "f"),
                                     "TestMarked::test_of_class": ("flaky", "ffp"), "TestMarked::test_nearest": ("failed", "ff")})

    def test_the_seed_of_a_shuffle_is_said_and_repeats_the_order(self):
        self.plan({f"t{index}": {"script": "P"} for index in range(12)})
        orders = []
        for workers in ("0", "1"):
            self.run_suite("-n", workers, "--shuffle", codes=(0,))
            seed = re.search(r"--shuffle=(\d+)", self.said(f"r{self.runs}"))
            self.assertIsNotNone(seed, self.said(f"r{self.runs}"))
            first = [line.name for line in self.trace() if line.run == f"r{self.runs}" and line.what == "begin"]
            self.run_suite("-n", workers, f"--shuffle={seed[1]}", codes=(0,))
            again = [line.name for line in self.trace() if line.run == f"r{self.runs}" and line.what == "begin"]
            self.assertEqual(sorted(first), sorted(f"t{index}" for index in range(12)))
            self.assertEqual(first, again)
            orders.append(first)
        self.assertNotEqual(orders, [sorted(orders[0])] * 2)

    def test_ingesting_the_own_report_adds_nothing(self):
        self.plan({"a": {"script": "FP"}, "b": {"script": "F"}, "c": {"script": "SP"}, "d": {"script": "T"}, "e": {"script": "P"}})
        self.write("test_broken.py", "import nowhere\n")
        self.write("test_skipped.py", "import pytest\npytest.skip('not here', allow_module_level=True)\n")
        for workers in ("0", "2"):
            self.report_path(self.next_name())
            name = f"r{self.runs}"
            process = self.start("-n", workers, "--reruns", "1", name=name)
            self.finish(process, codes=(1, 2))
            before = len(self.log())
            done = self.run_raw("ingest", "--dir", "state", "--format", "json", f"{name}.xml")
            self.assertIn(done.returncode, (0,), done.stderr)
            self.assertEqual((json.loads(done.stdout)["stored"], len(self.log())), (0, before), f"-n {workers}")

    def test_quarantined_failures_are_told_not_counted_and_do_not_stop_the_run(self):
        self.plan({"a": {"script": "F"}, "b": {"script": "F"}, "c": {"script": "P"}, "d": {"script": "F"}})
        self.write("q.txt", "test_suite.py::test_one[a]\ntest_suite::test_one[b]\ntest_suite.py::nothing\n")
        for workers in ("0", "2"):
            report = self.run_suite("-n", workers, "--quarantine", "q.txt", "--maxfail", "2", codes=(1,))
            fates = {name: test["fate"] for name, test in reported(report).items()}
            self.assertEqual(fates, {"a": "quarantined", "b": "quarantined", "c": "passed", "d": "failed"})
            said = self.said(f"r{self.runs}")
            self.assertRegex(said, r"(?m)^=+ quarantined failures \(known-flaky, non-fatal\) =+$")
            self.assertRegex(said, r"(?m)^--- QUARANTINED test_suite.py::test_one\[a\] ---")
            self.assertIn("entries that match no test: test_suite.py::nothing", said)
        lines = [line for line in self.log() if line.get("quarantined")]
        self.assertEqual(sorted((plain_name(line["name"]), line["status"]) for line in lines), sorted([("a", "fail"), ("b", "fail")] * 2))
        ledger = json.loads((self.root / "state/flakes.json").read_text())
        self.assertEqual({plain_name(name): (each["flaky"], each["failed"]) for name, each in ledger.items()},
                         {"a": (0, 2), "b": (0, 2), "d": (0, 2)})


if __name__ == "__main__":
    main()
