"""The zoo, a suite with one test of every kind, run by rstest and by flakestat with the same flags, and everything compared.

rstest_side_by_side.py --flakestat PROGRAM [--cache DIR] [--keep DIR] [SCENE...]

Compared in each scene, field by field: exit code, counts of the last line, flaky and quarantined sections with their annotations, which
tests are shown as failed, the JUnit report (status and properties of each test), the ledger, the counts and marks of --report-json.
EXPLAINED says of every difference that is known why it is one. A difference that it does not explain fails, and so does an explanation that
explains nothing any more.
"""

import argparse
import collections
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from suites import NotAvailable, clean_environment, default_cache, named, set_up, set_up_peers

ZOO = pathlib.Path(__file__).resolve().parent / "zoo"
TIMEOUT = 120


@dataclasses.dataclass(frozen=True)
class Scene:
    """Flags that both understand. Scenes of one memory share a ledger, in the order of this table."""

    name: str
    flags: str
    targets: str
    memory: str


QUARANTINE = "--quarantine quarantine.txt"
SCENES = [
    Scene("first run", f"-n 2 --reruns 2 {QUARANTINE}", "test_zoo.py", "zoo"),
    Scene("second run", f"-n 2 --reruns 2 {QUARANTINE}", "test_zoo.py", "zoo"),
    Scene("known flaky only", f"-n 2 --reruns 2 --reruns-only-known-flaky {QUARANTINE}", "test_zoo.py", "zoo"),
    Scene("without reruns", "-n 2", "test_zoo.py", "zoo"),
    Scene("known flaky only, no ledger", "-n 2 --reruns 2 --reruns-only-known-flaky", "test_zoo.py", "empty"),
    Scene("only some errors", "-n 2 --reruns 2 --only-rerun 'first try' --only-rerun 'two tries'", "test_zoo.py", "some"),
    Scene("only quarantined fail", f"-n 2 --reruns 1 {QUARANTINE}", "test_zoo.py -k quarantined", "quarantined"),
    Scene("one process", f"-n 0 --reruns 2 {QUARANTINE}", "test_zoo.py", "one"),
    Scene("crash", "-n 2 --reruns 2", "test_crash.py", "crash"),
    Scene("crash, quarantined", f"-n 2 {QUARANTINE}", "test_crash.py", "crash-quarantined"),
    Scene("hang", "-n 2 --worker-timeout 2", "test_hang.py", "hang"),
    Scene("each", "-n 2 --dist each", "test_zoo.py -k 'test_pass or test_broken'", "each"),
    Scene("nothing chosen", "-n 2", "test_zoo.py -k no_such_name", "nothing"),
    Scene("no such file", "-n 2", "no_such_file.py", "nothing"),
    Scene("uncollectable", "-n 2", "uncollectable", "uncollectable"),
    Scene("uncollectable, go on", "-n 2", "uncollectable --continue-on-collection-errors", "uncollectable"),
    Scene("no such list", "-n 2 --quarantine no_such_list.txt", "test_zoo.py", "nothing"),
    Scene("no such pattern", "-n 2 --reruns 1 --only-rerun '(['", "test_zoo.py", "nothing"),
    Scene("no such distribution", "-n 2 --dist no_such", "test_zoo.py", "nothing"),
]

BROKEN_CALL_AND_TEARDOWN = "a test counts once; rstest counts a test whose call and teardown failed as failed and as an error"
BROKEN_TEARDOWN = "a test counts once; rstest counts a test whose teardown failed as an error, and as passed because its call did"
XPASS_AFTER_RERUN = "a test counts once: it needed a rerun, so it is flaky; rstest lists it as flaky and counts it as xpassed"
CRASH_IS_AN_ERROR = "a process that died is an error, as in pytest-xdist's JUnit report; rstest says that the test failed"
CRASH_IS_NOT_EXCUSED = "a list excuses failures of a test; a crash may hide anything, so it stays fatal"
ONE_PER_WORKER = "both show a test once for each worker; rstest puts the worker into the name, which is another test to every reader, and writes it three times"
OWN_SCREEN = "with one process pytest prints the failures itself, under its own headings"
MORE_COUNTS = "rstest has no such count"
OWN_ERRORS = "exit codes tell usage and missing input (64, 66) from failing tests; rstest says 1 to all"
NOT_RUN = "what did not run because another file could not be collected is named, not left out"
EMPTY_CLASS = "pytest leaves the class empty, and readers put the suite's name there: the same identity"

# scenes, field (with wildcards), why. The first that matches explains.
FULL_ZOO = "first run | second run | known flaky only | without reruns | known flaky only, no ledger | only some errors | one process"
EXPLAINED = [
    ("*", "junit * attempts", "every attempt stays in the report; rstest's keeps the last one only"),
    *(("*", f"json count {name}", MORE_COUNTS) for name in ("crashes", "deselected", "not_run", "reruns", "warnings")),
    (FULL_ZOO, "*count errors", BROKEN_CALL_AND_TEARDOWN),
    (FULL_ZOO, "junit test_zoo::test_call_and_teardown_broken status", "one case for a test; rstest and pytest write a second one for the teardown"),
    (FULL_ZOO, "*count passed", BROKEN_TEARDOWN),
    (FULL_ZOO, "*count flaky", XPASS_AFTER_RERUN),
    (FULL_ZOO, "*count xpassed", XPASS_AFTER_RERUN),
    ("one process", "screen failed *", OWN_SCREEN),
    ("crash | hang", "*count errors", CRASH_IS_AN_ERROR),
    ("crash | hang", "*count failed", CRASH_IS_AN_ERROR),
    ("crash | hang", "junit * status", CRASH_IS_AN_ERROR),
    ("crash, quarantined", "*count errors", CRASH_IS_NOT_EXCUSED),
    ("crash, quarantined", "*count failed", CRASH_IS_AN_ERROR),
    ("crash, quarantined", "junit test_crash::test_crash_flaky status", CRASH_IS_AN_ERROR),
    ("crash, quarantined", "*quarantined*", CRASH_IS_NOT_EXCUSED),
    ("crash, quarantined", "*test_crash.py::test_crash", CRASH_IS_NOT_EXCUSED),
    ("crash, quarantined", "junit test_crash::test_crash status", CRASH_IS_NOT_EXCUSED),
    ("each", "*test_zoo*", ONE_PER_WORKER),
    ("uncollectable | uncollectable, go on", "json count errors", "the same number as on the last line of both; rstest's JSON leaves such errors out"),
    ("uncollectable", "*test_seen*", NOT_RUN),
    ("uncollectable", "count not run", NOT_RUN),
    ("uncollectable | uncollectable, go on", "junit *::uncollectable.test_uncollectable status", EMPTY_CLASS),
    ("no such list | no such pattern | no such distribution", "exit code", OWN_ERRORS),
]


class Runner:
    """How one of the two is called."""

    def __init__(self, name, argv):
        self.name, self.argv = name, argv


def runners(options, python, rstest):
    def ours(scene, work):
        return [options.flakestat, "run", *split(scene.flags), "--dir", work / "memory" / scene.memory, "--junitxml", work / "junit.xml",
                "--report-json", work / "report.json", "--", python, "-m", "pytest", *split(scene.targets)]

    def theirs(scene, work):
        return [rstest, "--python", python, *split(scene.flags), "--junitxml", work / "junit.xml", "--report-json",
                work / "report.json", *split(scene.targets)]

    return [Runner("rstest", theirs), Runner("flakestat", ours)]


def split(text):
    """By blanks; what stands between quotes is one word."""
    return [quoted or plain for quoted, plain in re.findall(r"'([^']*)'|(\S+)", text)]


def run(runner, scene, work, packages):
    """One scene; the zoo is copied afresh, only the memory stays."""
    copy, state = work / "zoo", work / "state"
    for folder in (copy, state):
        shutil.rmtree(folder, ignore_errors=True)
    for name in ("junit.xml", "report.json"):
        (work / name).unlink(missing_ok=True)
    shutil.copytree(ZOO, copy)
    state.mkdir()
    memory = work / "memory" / scene.memory
    memory.mkdir(parents=True, exist_ok=True)
    environment = clean_environment({"ZOO_STATE": str(state)})
    if runner.name == "rstest":
        (copy / ".rstest_cache").symlink_to(memory)
        environment["PYTHONPATH"] = str(packages)
    done = subprocess.run([str(part) for part in runner.argv(scene, work)], cwd=copy, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=TIMEOUT, check=False)
    (work / f"{scene.name}.out").write_text(done.stdout)
    (work / f"{scene.name}.err").write_text(done.stderr)
    found = {"exit code": str(done.returncode)}
    found.update(screen(done.stdout))
    found.update(junit(work / "junit.xml"))
    found.update(report(work / "report.json"))
    found.update(ledger(memory / "flakes.json"))
    return found


HEADING = re.compile(r"^=+ (flaky tests \(passed after rerun\)|quarantined failures \(known-flaky, non-fatal\)) =+$")
COUNTS = re.compile(r"^=*\s*((?:\d+ [a-z ]+?(?:, |(?= in )))+| ?no tests ran) in [\d.]+s", re.M)
WORDS = {"error": "errors", "warning": "warnings"}


def screen(text):
    """What the last line counts, and what stands in the sections. Both print the same headings; tracebacks are not compared."""
    found, section = {}, ""
    for line in text.splitlines():
        heading = HEADING.match(line)
        if heading or line.startswith("====="):
            section = heading.group(1).split()[0] if heading else ""
            continue
        flaky = re.match(r"^  (\S.*?)  (\(\d+ reruns?.*\))$", line)
        if section == "flaky" and flaky:
            found[f"screen flaky {flaky.group(1)}"] = flaky.group(2)
        shown = re.match(r"^--- (FAILED|ERROR|QUARANTINED) (?:\[gw\d+\] )?(?:collecting )?(\S.*?) ---(?:  \((.*)\))?$", line)
        if shown and shown.group(1) == "QUARANTINED":
            found[f"screen quarantined {shown.group(2)}"] = shown.group(3) or ""
        elif shown:
            found[f"screen failed {shown.group(2)}"] = "shown"
    for line in COUNTS.findall(text)[-1:]:
        for count, word in re.findall(r"(\d+) ([a-z ]+)", line):
            found[f"count {WORDS.get(word, word)}"] = count
    return found


def junit(path):
    """Status, properties of each test, in the words of the first child that says something."""
    if not path.exists():
        return {}
    found = collections.defaultdict(list)
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        found[f"junit {name} status"].append(" ".join(child.tag for child in case if child.tag in ("failure", "error", "skipped")) or "passed")
        for prop in case.iter("property"):
            if not prop.get("name").startswith("flakestat."):
                found[f"junit {name} property {prop.get('name')}"].append(prop.get("value"))
        for skipped in case.iter("skipped"):
            found[f"junit {name} reason"].append(skipped.get("message") or "")
        for attempt in ("flakyFailure", "flakyError", "rerunFailure", "rerunError"):
            if case.find(attempt) is not None:
                found[f"junit {name} attempts"].append(f"{len(case.findall(attempt))} {attempt}")
    return {key: ", ".join(sorted(values)) for key, values in found.items()}


def report(path):
    """Counts and the marks of tests; the shapes differ, what they say must not."""
    if not path.exists():
        return {}
    said = json.loads(path.read_text())
    found = {f"json count {name}": str(count) for name, count in said["meta"]["counts"].items()}
    found["json exit code"] = str(said["meta"].get("exit_code", said["meta"].get("exitstatus")))
    tests = said["tests"]
    entries = tests.items() if isinstance(tests, dict) else ((test["id"], test) for test in tests)
    for name, test in entries:
        crashed = test.get("crashed") or any(attempt.get("trouble") for attempt in test.get("attempts", [])[-1:])
        marks = [mark for mark in ("flaky", "quarantined") if test.get(mark)] + (["crashed"] if crashed else [])
        found[f"json test {name}"] = " ".join(marks) or "no mark"
    found["json uncollectable"] = str(len(said["collect_errors"]))
    return found


def ledger(path):
    if not path.exists():
        return {}
    return {f"ledger {test}": f"flaky {entry.get('flaky', 0)}, failed {entry.get('failed', 0)}"
            for test, entry in json.loads(path.read_text()).items()}


def differences(theirs, ours):
    return [(key, theirs.get(key, "-"), ours.get(key, "-")) for key in sorted(theirs.keys() | ours.keys())
            if theirs.get(key) != ours.get(key)]


def explanation(scene, key, used):
    for index, (scenes, fields, why) in enumerate(EXPLAINED):
        if any(fnmatch.fnmatchcase(scene, one) for one in scenes.split(" | ")) and fnmatch.fnmatchcase(key, bracketless(fields)):
            used.add(index)
            return why
    return ""


def bracketless(pattern):
    """In a pattern only `*` is special: names of tests have brackets."""
    return pattern.replace("[", "[[]")


def compare(scene, both, used):
    """Rows of a table; groups of equal explanations would hide tests, so each is a row."""
    for key, theirs, ours in differences(*both):
        yield key, theirs, ours, explanation(scene.name, key, used)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flakestat", type=pathlib.Path, default=os.environ.get("FLAKESTAT"))
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache())
    parser.add_argument("--keep", type=pathlib.Path, help="leave what both printed and wrote here")
    parser.add_argument("scenes", nargs="*", metavar="SCENE")
    options = parser.parse_args()
    if not options.flakestat:
        parser.error("--flakestat is missing")
    options.flakestat = pathlib.Path(options.flakestat).resolve()
    cache = options.cache.resolve()
    try:
        packages, rstest = set_up_peers(cache)
        python = set_up(named(["pluggy"])[0], cache).python
    except NotAvailable as why:
        print(f"not available: {why}")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="parity-") as folder:
        work = options.keep.resolve() if options.keep else pathlib.Path(folder)
        sys.exit(judge(options, work, runners(options, python, rstest), packages))


def judge(options, work, both, packages):
    used, unexplained, compared = set(), 0, 0
    for runner in both:
        shutil.rmtree(work / runner.name, ignore_errors=True)  # memories of an earlier call
        (work / runner.name).mkdir(parents=True)
    chosen = [scene for scene in SCENES if not options.scenes or scene.name in options.scenes]
    print("| scene | what | rstest | flakestat | why |\n|---|---|---|---|---|")
    for scene in chosen:
        found = []
        for runner in both:
            found.append(run(runner, scene, work / runner.name, packages))
        compared += len(found[0].keys() | found[1].keys())
        for key, theirs, ours, why in compare(scene, found, used):
            unexplained += not why
            print("| " + " | ".join(text.replace("|", "\\|") for text in (scene.name, key, theirs, ours, why or "**UNEXPLAINED**")) + " |",
                  flush=True)
    stale = [entry for index, entry in enumerate(EXPLAINED) if index not in used] if not options.scenes else []
    print(f"\n{len(chosen)} scenes, {compared} fields compared, {unexplained} differences unexplained, {len(stale)} explanations of nothing")
    for scenes, fields, why in stale:
        print(f"explains nothing: {scenes}: {fields}: {why}")
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    main()
