"""The documented cases (cases.json of the case folder) and how each is hunted (hunts.json), read and checked into plain values."""

import collections
import json
import pathlib
import re

from judge import Count, rarer_rate

Case = collections.namedtuple("Case", "name repository commits script seconds tests hunts folder tools env moves")
# A documented test: its name there, and its Count on each side.
Test = collections.namedtuple("Test", "name counts")
# documented: whether the documented rates are those of this command. flags: of flakestat's. target: the failure rate that is to be
# ruled out where the hunt ends when all tests are settled; else None.
Hunt = collections.namedtuple("Hunt", "label command junit runs expect tests documented flags target")

SIDES = ("before", "after")
EXPECTATIONS = ("flaky", "steady", "always-fails", "partial")
DEFAULT_EXPECT = {"before": "flaky", "after": "steady"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
REPOSITORY = re.compile(r"[A-Za-z0-9_-]+/[A-Za-z0-9._-]+")
COMMIT = re.compile(r"[0-9a-f]{40}")


class BadCase(Exception):
    """A case folder that cannot be used, with the file and what is wrong there."""


def checked(pattern, text, what):
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise BadCase(f"{what}: {text!r}")
    return text


def documented_tests(entry):
    for test in entry["tests"]:
        yield Test(test.get("name") or test["nodeid"], {side: Count(test[side]["runs"], test[side]["fails"]) for side in SIDES})


def slowest(seconds):
    """The documents give one number, or several by side and kind."""
    numbers = seconds.values() if isinstance(seconds, dict) else [seconds]
    return max(float(number) for number in numbers)


def hunts_of(how, tests):
    for label, hunt in how["hunts"].items():
        expect = hunt.get("expect", DEFAULT_EXPECT)
        if set(expect) != set(SIDES) or not set(expect.values()) <= set(EXPECTATIONS):
            raise BadCase(f"hunt '{label}' expects {expect}")
        plain = Hunt(label, hunt["command"], hunt.get("junit", "{reports}/run-{run}.xml"), hunt.get("runs"), expect,
                     hunt.get("tests", [test.name for test in tests]), hunt.get("documented", True), [], None)
        yield plain
        target = rarer_rate([test.counts["before"] for test in tests])
        if expect["before"] == "flaky" and target:
            narrowing = hunt.get("narrowing", {"flags": [], "arguments": []})
            yield plain._replace(label=f"{label}, settled", command=plain.command + narrowing["arguments"],
                                 flags=["--settle", "--rule-out", f"{target:.4f}", *narrowing["flags"]], target=target)


def read_case(entry, script, how):
    name = checked(NAME, entry["id"], "case id")
    repository = checked(REPOSITORY, entry["repo"].removeprefix("https://github.com/"), f"repository of {name}")
    commits = {side: checked(COMMIT, entry[side], f"commit {side} the fix of {name}") for side in SIDES}
    tests = list(documented_tests(entry))
    return Case(name, repository, commits, script, slowest(entry["seconds_per_run"]), tests, list(hunts_of(how, tests)),
                how["folder"], how.get("tools", []), how.get("env", {}), how.get("moves"))


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadCase(f"read {path}: {error}") from error


def read_cases(files, hunts_file):
    """All cases of these files, in order, by name; and the names of those that no hunt is written down for."""
    hunts, cases, unknown = read_json(hunts_file), {}, []
    for path in map(pathlib.Path, files):
        for entry in read_json(path):
            try:
                if entry["id"] not in hunts:
                    unknown.append(entry["id"])
                    continue
                case = read_case(entry, path.parent / "setup.sh", hunts[entry["id"]])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise BadCase(f"{path}: entry {entry.get('id', '?')}: {type(error).__name__}: {error}") from error
            if case.name in cases:
                raise BadCase(f"{path}: case {case.name} occurs twice")
            cases[case.name] = case
    return cases, unknown


def candidate_names(documented):
    """How a JUnit report may show that name, as class::name or as a bare name: pytest's ids turn into dotted classes."""
    path, separator, name = documented.rpartition("::")
    return {documented, path.replace(".py", "").replace("/", ".").replace("::", ".") + separator + name}


def find_result(results, documented):
    """The one result of that documented test; None without one. Two would be one too many to choose from."""
    names = candidate_names(documented)
    found = [result for result in results if result["name"] in names or f"{result['class']}::{result['name']}" in names]
    if len(found) > 1:
        raise BadCase(f"{len(found)} tests in the reports could be {documented}")
    return found[0] if found else None
