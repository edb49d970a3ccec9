"""Runs a suite under one of several runners and reads what the recorder plugin wrote down."""

import collections
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import xml.etree.ElementTree

from suites import clean_environment

PLUGIN = pathlib.Path(__file__).resolve().parent / "plugin"
TIMEOUT = 900


@dataclasses.dataclass
class Record:
    """What one run came to."""

    code: object  # a number, or words where there is none
    parts: dict  # (test, part) -> its outcomes, sorted: mostly one
    cases: dict  # (suite, class, name) -> outcomes by the JUnit report, sorted
    order: list  # tests as they began
    output: str

    def tests(self):
        return {test for test, part in self.parts if part != "collection"}


class Runners:
    """The commands that run a suite: a name each."""

    def __init__(self, flakestat=None, peers=None):
        self.flakestat, self.peers = flakestat, peers

    def argv(self, how, ready, junit, state):
        pytest = [ready.python, "-m", "pytest", "-p", "parity_recorder", "-p", "no:cacheprovider", *ready.suite.args]
        if how == "pytest":
            return [*pytest, "-q", f"--junitxml={junit}"]
        if how == "xdist":
            return [*pytest, "-q", "-n", "2", f"--junitxml={junit}"]
        workers = how.removeprefix("flakestat ").split()
        return [self.flakestat, "run", *workers, "--dir", state, "--junitxml", junit, "--", *pytest]

    def environment(self, how, record):
        paths = [str(PLUGIN), *([str(self.peers)] if how == "xdist" else [])]
        # Temporary folders of a run's own: pytest sweeps those of runs before it, and other pytests may be at work.
        return clean_environment({"PYTHONPATH": os.pathsep.join(paths), "PARITY_RECORD": str(record), "TMPDIR": str(record.parent / "tmp")})


def in_workers(how):
    return how == "xdist" or (how.startswith("flakestat") and "-n 0" not in how)


def record(runners, how, ready, work):
    """One run in a fresh copy of the suite, always at the same path: what a run leaves behind is nothing to the next."""
    copy = work / "suite"
    shutil.rmtree(work, ignore_errors=True)
    (work / "tmp").mkdir(parents=True)
    shutil.copytree(ready.source, copy, symlinks=True)
    lines, junit = work / "record.ndjson", work / "junit.xml"
    argv = [str(part) for part in runners.argv(how, ready, junit, work / "state")]
    code = run_to_the_end(argv, copy, runners.environment(how, lines), work / "output")
    output = (work / "output").read_text(errors="replace")
    parts, order = read_parts(lines, in_workers(how))
    return Record(code, parts, read_cases(junit), order, output)


def run_to_the_end(argv, folder, environment, output):
    """The exit code; one that hangs is ended with everything it started, and its code is no code."""
    with open(output, "wb") as out, subprocess.Popen(argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                                     stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            return process.wait(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "no end"
        finally:
            end_group(process)


def end_group(process):
    """What is left of a run's processes; none that is not its own: the group is named by the run, which is not reaped before."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def read_parts(path, workers):
    found, order = collections.defaultdict(list), {}
    lines = path.read_text().splitlines() if path.exists() else []
    for entry in map(json.loads, lines):
        # Every worker collects, and a controller may too: a file that cannot be collected counts once.
        if entry["part"] == "collection":
            found[entry["id"], "collection"] = [entry["outcome"]]
            continue
        if bool(entry["worker"]) != workers:
            continue
        order[entry["id"]] = True
        outcome = entry["outcome"] + (" (xfail)" if entry["xfail"] else "") + (f": {entry['reason']}" if entry["reason"] else "")
        found[entry["id"], entry["part"]].append(outcome)
    return {key: sorted(outcomes) for key, outcomes in found.items()}, list(order)


def read_cases(path):
    found = collections.defaultdict(list)
    if not path.exists():
        return {}
    for suite in xml.etree.ElementTree.parse(path).iter("testsuite"):
        for case in suite.iter("testcase"):
            kinds = sorted(child.tag for child in case if child.tag in ("failure", "error", "skipped"))
            # What was never collected has no class in pytest's report: the suite's name stands in, as for every reader of ours.
            found[suite.get("name"), case.get("classname") or suite.get("name"), case.get("name")].append(" ".join(kinds) or "passed")
    return {key: sorted(outcomes) for key, outcomes in found.items()}
