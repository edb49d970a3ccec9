"""Writes manifest.json from what make.sh kept: manifest.py WORK_FOLDER.

The counts of each report are taken twice and must agree: from the runner's own console summary, and from the XML with
Python's parser under the counting rules of docs/formats/junit.md. Where a runner counts other things than it reports, NOTES
says what and why; a difference without a note, and a note without a difference, stop the script. flakestat is not asked.
"""

import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]|&#x?(?:1b|27);", re.I)

# Why a runner's summary and its report differ: by how many cases (report minus summary) and the reason.
PYTEST_9 = (
    {"tests": -2, "passed": -2},
    "a test whose teardown failed, and one with a failed subtest, are counted as passed and again as failed",
)
JEST = ({"skipped": -1, "passed": 1}, "jest-junit writes a todo as an empty case, which reads as a pass")
NOTES = {
    "catch2/catch2-2.13.10.xml": (
        {"tests": -10, "passed": -10},
        "a passing test without assertions is not in the report, and sections are cases of their own",
    ),
    "doctest/doctest-2.4.9.xml": (
        {"tests": 1, "failed": 1},
        "two subcases are two cases, and a test that may fail is a pass in the summary and a failure in the report",
    ),
    "jest/jest-29.7.0.xml": JEST,
    "jest/jest-30.5.2.xml": JEST,
    "node/node-20.20.2.xml": (
        {"tests": -1, "failed": -1},
        "a test with subtests is a suite in the report and a test in the summary",
    ),
    "pytest/pytest-7.4.4.xml": (
        {"tests": -1, "passed": -1},
        "a test whose teardown failed is counted as passed and again as an error",
    ),
    "pytest/pytest-9.2.0-xdist.xml": PYTEST_9,
    "pytest/pytest-9.2.0.xml": PYTEST_9,
    "pytest/pytest-9.2.0-rerunfailures.xml": (
        {"tests": 5, "passed": 5},
        "each earlier try is an empty case, which reads as a pass; the summary's 'rerun' is the only trace",
    ),
    "unittest/xmlrunner-4.0.0.xml": (
        {"tests": 1, "passed": 1},
        "a failed class set-up is a case of the report but no test that ran; the test with a failed subtest ran and is no case",
    ),
    "vitest/vitest-4.1.12.xml": (
        {"tests": 1, "failed": 1},
        "a failed beforeAll is a case named after its suite",
    ),
}


def numbers(pattern, text):
    """The first match of `pattern` as a list of numbers."""
    match = re.search(pattern, text, re.M)
    if not match:
        raise ValueError(f"no '{pattern}' in the console output")
    return [int(group or 0) for group in match.groups()]


def word_counts(text):
    """'5 failed, 42 passed' -> {'failed': 5, 'passed': 42}."""
    return collections.Counter({word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", text)})


def last_line(text, pattern):
    lines = [line for line in text.splitlines() if re.search(pattern, line)]
    if not lines:
        raise ValueError(f"no line like '{pattern}' in the console output")
    return lines[-1].strip().strip("= ")


def counts(tests, failed, skipped, passed=None):
    return {"tests": tests, "failed": failed, "skipped": skipped, "passed": tests - failed - skipped if passed is None else passed}


def pytest(text):
    line = last_line(text, r"(passed|failed).* in [\d.]+s")
    n = word_counts(line)
    failed, skipped = n["failed"] + n["errors"] + n["error"], n["skipped"] + n["xfailed"]
    passed = n["passed"] + n["xpassed"]
    return line, counts(failed + skipped + passed, failed, skipped, passed)


def unittest(text):
    lines = last_line(text, r"^Ran \d+ tests"), last_line(text, r"^(FAILED|OK)")
    n = {key.strip(): int(value) for key, value in re.findall(r"([a-z ]+)=(\d+)", lines[1])}
    failed = n.get("failures", 0) + n.get("errors", 0) + n.get("unexpected successes", 0)
    return " / ".join(lines), counts(numbers(r"Ran (\d+)", lines[0])[0], failed, n.get("skipped", 0) + n.get("expected failures", 0))


def gotestsum(text):
    line = last_line(text, r"^DONE")
    n = word_counts(line)
    return line, counts(n["tests"], n["failures"] + n["failure"], n["skipped"])


def jest(text):
    line = last_line(text, r"^Tests:")
    n = word_counts(line)
    return line, counts(n["total"], n["failed"], n["skipped"] + n["todo"], n["passed"])


def vitest(text):
    line = last_line(text, r"^\s*Tests ")
    n = word_counts(line)
    return line, counts(numbers(r"\((\d+)\)", line)[0], n["failed"], n["skipped"] + n["todo"], n["passed"])


def mocha(text):
    found = {word: int(n) for n, word in re.findall(r"^\s+(\d+) (passing|failing|pending)", text, re.M)}
    line = ", ".join(f"{n} {word}" for word, n in found.items())
    return line, counts(sum(found.values()), found.get("failing", 0), found.get("pending", 0), found.get("passing", 0))


def node(text):
    found = {word: int(n) for word, n in re.findall(r"^ℹ (tests|pass|fail|cancelled|skipped|todo) (\d+)", text, re.M)}
    line = ", ".join(f"{word} {n}" for word, n in found.items())
    return line, counts(found["tests"], found["fail"] + found["cancelled"], found["skipped"] + found["todo"], found["pass"])


def googletest(text):
    found = {word: int(n) for word, n in re.findall(r"^\[\s+(PASSED|SKIPPED|FAILED)\s+\] (\d+) tests?[.,]", text, re.M)}
    disabled = numbers(r"YOU HAVE (\d+) DISABLED", text)[0]
    line = ", ".join(f"{n} {word}" for word, n in found.items()) + f", {disabled} DISABLED"
    skipped = found.get("SKIPPED", 0) + disabled
    return line, counts(sum(found.values()) + disabled, found["FAILED"], skipped, found["PASSED"])


def ctest(text):
    line = last_line(text, r"tests passed,")
    failed, ran = numbers(r"(\d+) tests failed out of (\d+)", line)
    disabled = len(re.findall(r"\((?:Disabled)\)$", text, re.M))
    skipped = len(re.findall(r"\((?:Skipped)\)$", text, re.M))
    not_run = len(re.findall(r"\((?:Not Run)\)$", text, re.M))
    line += f"; {skipped} Skipped, {disabled} Disabled, {not_run} Not Run"
    return line, counts(ran + disabled, failed - not_run, skipped + disabled + not_run)


def catch2(text):
    line = last_line(text, r"^test cases:")
    n = word_counts(line.replace("failed as expected", "expected"))
    return line, counts(numbers(r"test cases:\s+(\d+)", line)[0], n["failed"], n["expected"], n["passed"])


def doctest(text):
    line = last_line(text, r"test cases:")
    n = word_counts(line)
    return line, counts(numbers(r"test cases:\s+(\d+)", line)[0], n["failed"], 0, n["passed"])


def surefire(text):
    line = last_line(text, r"Tests run:")
    line = re.sub(r"^\[\w+\] ", "", re.sub(r", Time elapsed.*", "", line))
    run, failures, errors, skipped = numbers(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)", line)
    return line, counts(run, failures + errors, skipped)


def rspec(text):
    line = last_line(text, r"^\d+ examples")
    n = word_counts(line)
    return line, counts(n["examples"], n["failures"] + n["failure"], n["pending"])


def phpunit(text):
    line = last_line(text, r"^Tests: ")
    n = {key: int(value) for key, value in re.findall(r"(\w+): (\d+)", line)}
    failed = n.get("Errors", 0) + n.get("Failures", 0) + n.get("Risky", 0)
    return line, counts(n["Tests"], failed, n.get("Skipped", 0) + n.get("Incomplete", 0))


def bats(text):
    ok, failed = len(re.findall(r"^ok ", text, re.M)), len(re.findall(r"^not ok ", text, re.M))
    skipped = len(re.findall(r"^ok .* # skip", text, re.M))
    return f"1..{ok + failed}; {failed} not ok, {skipped} skip", counts(ok + failed, failed, skipped)


SUMMARIES = {
    "bats": bats, "catch2": catch2, "ctest": ctest, "doctest": doctest, "go": gotestsum, "googletest": googletest,
    "jest": jest, "mocha": mocha, "node": node, "phpunit": phpunit, "pytest": pytest, "rspec": rspec,
    "surefire": surefire, "unittest": unittest, "vitest": vitest,
}


def status(case):
    """One final status of a testcase element, by the counting rules."""
    children = {child.tag.split("}")[-1] for child in case}
    skipped = next((child for child in case if child.tag.endswith("skipped")), None)
    failed = children & {"error", "failure"}
    expected = skipped is not None and failed and (skipped.get("type") == "todo" or skipped.get("message", "").startswith("TEST_CASE tagged"))
    if failed and not expected:
        return "errors" if "error" in children else "failures"
    if "rerunError" in children or "rerunFailure" in children:
        return "errors" if "rerunError" in children else "failures"
    word = (case.get("status") or case.get("result") or "").lower()
    if skipped is not None or word in {"notrun", "disabled", "skipped", "ignored", "suppressed", "pending"}:
        return "skipped"
    return "passed"


def count_xml(path):
    text = ILLEGAL.sub("", path.read_text(encoding="utf-8", errors="replace"))
    cases = [node for node in ET.fromstring(text.encode()).iter() if node.tag.split("}")[-1] == "testcase"]
    found = collections.Counter(status(case) for case in cases)
    flaky = sum(1 for case in cases if status(case) in {"passed", "skipped"}
                and any(child.tag in {"flakyFailure", "flakyError"} for child in case))
    return {"tests": len(cases), "failures": found["failures"], "errors": found["errors"], "skipped": found["skipped"],
            "passed": found["passed"], "known_flaky": flaky}


def total(expects):
    """The counts of several reports together, in the terms of a summary."""
    added = collections.Counter()
    for expect in expects:
        added.update(expect)
    return counts(added["tests"], added["failures"] + added["errors"], added["skipped"], added["passed"])


def check(files, expects, line, summary):
    """What the manifest says of a difference between reports and their summary. Raises when it is not the noted one."""
    seen = total(expects)
    found = {key: seen[key] - summary[key] for key in seen if seen[key] != summary[key]}
    noted, why = NOTES.get(files[0], ({}, None))
    if found != noted:
        raise ValueError(f"{', '.join(files)}: report minus summary is {found}, noted is {noted} ({line})")
    return {"differs": found, "because": why} if found else {}


def entries_of(group, here):
    """Manifest entries of reports that one console output speaks of: one, or all classes of a Maven run."""
    files = [kept["file"] for kept in group]
    expects = [count_xml(here / file) for file in files]
    line, summary = SUMMARIES[files[0].split("/")[0]](group[0]["console"])
    remark = check(files, expects, line, summary)
    for kept, expect in zip(group, expects):
        made = {key: kept[key] for key in ("file", "tool", "version", "command")}
        yield made | {"summary": line, "expect": expect} | remark


def main():
    work, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).resolve().parent
    target = here / "manifest.json"
    entries = {old["file"]: old for old in json.loads(target.read_text())}
    groups, complaints = collections.defaultdict(list), []
    for path in sorted(work.glob("*.json")):
        kept = json.loads(path.read_text())
        groups["surefire" if kept["file"].startswith("surefire/") else kept["file"]].append(kept)
    for group in groups.values():
        try:
            entries.update((made["file"], made) for made in entries_of(group, here))
        except (ValueError, ET.ParseError) as error:
            complaints.append(f"manifest: {error}")
    if complaints:
        sys.exit("\n".join(complaints))
    target.write_text(json.dumps([entries[file] for file in sorted(entries)], indent=1, ensure_ascii=False) + "\n")
    print(f"manifest: {len(entries)} reports")


if __name__ == "__main__":
    main()
