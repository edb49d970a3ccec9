"""Verbs for scenarios of `flakestat run` with the real pytest: a suite that obeys and writes its own trace, and who reads it.

Every execution of a test appends one line when it begins and one when it ends to the file TRACE, each in one write, so that any number
of processes share it. The trace is the truth; reports, log and ledger are held against it.
"""
import collections
import json
import os
import pathlib
import subprocess
import unittest

from _scenario import Scenario

ROOT = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"])
SOAK = bool(os.environ.get("FLAKESTAT_SOAK"))

# What the suite does is told by PLAN, a JSON file: {"tests": {NAME: {"rates": [setup, call, teardown], "script": "FFP", "seconds": 0.01}}}
# `script` names the outcomes of its executions within a run, one letter each, the last one for ever: P, F, S (set-up fails), T (teardown).
CONFTEST = '''
import hashlib, json, os, time
import pytest

PLAN = json.load(open(os.environ["PLAN"]))["tests"]
RUN, TRACE = os.environ["TRACE_RUN"], os.environ["TRACE"]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

def put(*words):
    file = os.open(TRACE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, (" ".join(map(str, (RUN, os.getpid(), WORKER or "-") + words)) + "\\n").encode())
    os.close(file)

def executions(name):
    """How often this test was begun before in this run, by whichever process: its own small file grows by a byte each time."""
    file = os.open(f"{TRACE}.{RUN}.{name}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, b".")
    count = os.fstat(file).st_size
    os.close(file)
    return count - 1

def chance(name, count, part):
    """A number in [0, 1): the same for the same execution, so that a run can be repeated."""
    digest = hashlib.sha256(f"{os.environ.get('TRACE_SEED', RUN)} {name} {count} {part}".encode()).digest()
    return int.from_bytes(digest[:7], "big") / (1 << 56)

def pytest_configure(config):
    put("process")

@pytest.fixture
def fate(request):
    name = request.node.name.split("[")[1].rstrip("]")
    plan, count = PLAN[name], executions(name)
    if "script" in plan:
        letter = plan["script"][min(count, len(plan["script"]) - 1)]
    else:
        hit = [part for part, rate in zip("SFT", plan["rates"]) if chance(name, count, part) < rate]
        letter = hit[0] if hit else "P"
    put("begin", name, letter)
    yield letter
    put("end", name, letter)

@pytest.fixture
def around(fate, request):
    if fate == "S":
        raise RuntimeError("set-up fails")
    yield
    if fate == "T":
        raise RuntimeError("teardown fails")
'''
SUITE = '''
import time
import pytest
from conftest import PLAN

@pytest.mark.parametrize("name", sorted(PLAN))
def test_one(name, fate, around):
    time.sleep(PLAN[name].get("seconds", 0))
    assert fate != "F", "the call fails"
'''
LOG_STATUS = {"P": "pass", "F": "fail", "S": "error", "T": "error"}
REPORT_STATUS = {"P": "passed", "F": "failed", "S": "error", "T": "error"}

Line = collections.namedtuple("Line", "run pid worker what name letter")


def pytest_python():
    """An interpreter that has pytest; a counted skip where it cannot be had."""
    found = subprocess.run([ROOT / "scripts/frameworks.sh", "pytest"], capture_output=True, text=True, check=False)
    if found.returncode == 77:
        raise unittest.SkipTest(found.stderr.strip())
    if found.returncode:
        raise AssertionError(found.stderr)
    return ROOT / ".deps/frameworks/pytest/bin/python"


class RunScenario(Scenario):
    """A project with the obeying suite, and runs of it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.python = pytest_python()

    def setUp(self):
        super().setUp()
        self.write("conftest.py", CONFTEST)
        self.write("test_suite.py", SUITE)
        self.write("pytest.ini", "[pytest]\naddopts = -p no:cacheprovider\n")
        self.runs = 0

    def plan(self, tests):
        self.write("plan.json", json.dumps({"tests": tests}))

    def run_environment(self, name, seed=None):
        extra = {"PLAN": str(self.root / "plan.json"), "TRACE": str(self.root / "trace"), "TRACE_RUN": name, "PYTHONDONTWRITEBYTECODE": "1"}
        return {**self.env, **extra, **({"TRACE_SEED": seed} if seed is not None else {})}

    def next_name(self):
        self.runs += 1
        return f"r{self.runs}"

    def report_path(self, name):
        return self.root / f"{name}.json"

    def argv(self, name, *flags):
        return [os.environ["FLAKESTAT"], "run", "--dir", "state", "--report-json", str(self.report_path(name)), "--junitxml",
                str(self.root / f"{name}.xml"), *flags, "--", str(self.python), "-m", "pytest", "-q"]

    def start(self, *flags, name=None, seed=None):
        """Begins a run; its name is in the trace."""
        name = name or self.next_name()
        out = open(self.root / f"{name}.out", "wb")
        self.addCleanup(out.close)
        process = subprocess.Popen(self.argv(name, *flags), cwd=self.root, env=self.run_environment(name, seed), stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT)
        process.run_name = name
        return process

    def finish(self, process, codes=(0, 1), timeout=120):
        try:
            code = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.fail(f"{process.run_name} does not end:\n{self.said(process.run_name)}")
        self.assertIn(code, codes, self.said(process.run_name))
        return self.report_of(process.run_name)

    def run_suite(self, *flags, codes=(0, 1), **more):
        return self.finish(self.start(*flags, **more), codes)

    def said(self, name):
        return (self.root / f"{name}.out").read_text(errors="replace")[-6000:]

    def report_of(self, name):
        return json.loads(self.report_path(name).read_text())

    def trace(self):
        lines = []
        for text in (self.root / "trace").read_text().splitlines():
            run, pid, worker, what, *rest = text.split(" ")
            name, letter = rest or ("", "")
            lines.append(Line(run, int(pid), worker, what, name, letter))
        return lines

    def executed(self):
        """{run: {test: "FFP"}} by the trace, of executions that began."""
        found = collections.defaultdict(lambda: collections.defaultdict(str))
        for line in self.trace():
            if line.what == "begin":
                found[line.run][line.name] += line.letter
        return found


def plain_name(test_id):
    """`test_suite.py::test_one[a]` -> `a`."""
    return test_id.split("[", 1)[1].removesuffix("]")


def reported(report):
    """{test: [attempt, ...]} of a report; a test that is in it twice is an error."""
    found = {}
    for test in report["tests"]:
        name = plain_name(test["id"])
        if name in found:
            raise AssertionError(f"{name} is reported twice")
        found[name] = test
    return found
