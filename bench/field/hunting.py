"""Hunts one side of a case with flakestat, keeps everything it said, and counts the reports a second time by other means."""

import collections
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

import judge

# Variables that change how the tests run, or where flakestat believes to be: a hunt starts without them.
DROPPED = ("FLAKESTAT_", "PYTEST_", "PYTHON", "GOMAXPROCS", "GODEBUG", "GOFLAGS", "NODE_OPTIONS", "VITEST", "JAVA_TOOL_OPTIONS",
           "JDK_JAVA_OPTIONS", "RUST_", "RUSTC", "RUSTFLAGS", "CI", "GITHUB_", "GITLAB_", "BUILDKITE", "JENKINS", "TEAMCITY", "TF_BUILD",
           "BUILD_")
PROBLEMS = {"failure", "error"}
NOT_XML = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
CLOSE = 1e-6  # intervals nearer than that are equal

Outcome = collections.namedtuple("Outcome", "hunt command seconds load disagreements")


class NotHunted(Exception):
    """A hunt that did not come to its end, and why."""


def filled(text, words):
    """Fills our own {words}; flakestat's {junit} and {run} stay."""
    for word, value in words.items():
        text = text.replace("{" + word + "}", value)
    return text


def words_for(case_folder, side, folder, tools):
    words = {"case": str(case_folder), "side": side, "reports": str(folder / "reports"), "tools": str(tools)}
    class_path = case_folder / side / "cp.txt"
    if class_path.exists():
        words["cp.txt"] = class_path.read_text(encoding="utf-8").strip()
    return words


def environment(extra):
    return {**{name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}, **extra}


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def start(argv, folder, cwd, extra):
    """Runs to the end; the document lands in hunt.json.part, the talk in hunt.err."""
    with open(folder / "hunt.json.part", "wb") as document, open(folder / "hunt.err", "wb") as talk:
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=document, stderr=talk, cwd=cwd, env=environment(extra))
        try:
            return child.wait()
        except KeyboardInterrupt:
            child.wait()  # it got the same signal, and ends its runs itself
            raise


def settings_of(argv, binary, extra):
    return {"argv": [str(word) for word in argv], "flakestat": digest(binary), "env": extra}


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def hunt_side(case, hunt, side, case_folder, runs, options):
    """One hunt of one side; taken from the last time where the same was hunted with the same binary. Raises NotHunted."""
    folder = case_folder / "hunts" / f"{hunt.label}-{side}".replace(" ", "_").replace(",", "")
    words = words_for(case_folder, side, folder, options.tools)
    command = [filled(word, words) for word in hunt.command]
    limit = [] if hunt.target else ["--runs", str(runs)]
    argv = [options.flakestat, "hunt", *limit, "--junit", filled(hunt.junit, words), "--dir", str(folder / "state"), "--all", "--format",
            "json", "--timeout", "5m", *hunt.flags, *options.extra, "--", *command]
    settings = settings_of(argv, options.flakestat, case.env)
    kept = read_json(folder / "settings.json")
    if options.fresh or kept is None or {key: kept.get(key) for key in settings} != settings:
        hunt_anew(argv, folder, case_folder / side / case.folder, case.env, settings, options, f"{case.name}, {hunt.label}, {side}", runs)
        kept = read_json(folder / "settings.json")
    document = read_json(folder / "hunt.json")
    if kept is None or document is None:
        raise NotHunted(f"{folder}: nothing readable was kept; --fresh hunts again")
    said = [*count_differences(document, folder / "reports", hunt.junit), *interval_differences(document)]
    return Outcome(document, command, kept["seconds"], kept["load"], said)


def hunt_anew(argv, folder, cwd, extra, settings, options, name, runs):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "reports").mkdir(parents=True)
    options.say(f"{name}: {runs} runs")
    load, begun = [os.getloadavg()[0]], time.monotonic()
    code = start(argv, folder, cwd, extra)
    seconds = time.monotonic() - begun
    load.append(os.getloadavg()[0])
    document = read_json(folder / "hunt.json.part")
    talk = (folder / "hunt.err").read_text(encoding="utf-8", errors="replace")[-2000:]
    if code != 0 or document is None:
        raise NotHunted(f"flakestat ended with {code}{'' if document else ' without a readable document'}; it said at the end:\n{talk}")
    if document["stopped"] == "interrupted":
        raise NotHunted("flakestat was interrupted")
    (folder / "hunt.json.part").rename(folder / "hunt.json")
    (folder / "settings.json").write_text(json.dumps({**settings, "seconds": seconds, "load": load}))


def counts_of(reports, pattern, runs):
    """{(class, name): [passes, fails, skips]} over all runs' reports, read by Python's own parser with rules of our own."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for run in range(1, runs + 1):
        path = pathlib.Path(filled(pattern, {"reports": str(reports), "run": str(run)}))
        try:
            # libtest writes a test's output as it came, escape sequences and all, which XML forbids.
            root = xml.etree.ElementTree.fromstring(path.read_bytes().translate(None, NOT_XML))
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            print(f"field: {path}: {error}", file=sys.stderr)
            continue
        for suite in root.iter("testsuite"):
            for case in suite.findall("testcase"):
                tags = {child.tag for child in case}
                slot = 1 if tags & PROBLEMS else 2 if "skipped" in tags else 0
                counts[case.get("classname") or suite.get("name") or "", case.get("name") or ""][slot] += 1
    return counts


def count_differences(document, reports, pattern):
    """Where flakestat's counts differ from the second count, one line each."""
    second = counts_of(reports, pattern, document["finished_runs"])
    ours = {(row["class"], row["name"]): [row["passes"], row["fails"], row["skips"]] for row in document["results"]}
    for key in sorted(set(second) | set(ours)):
        if second.get(key) != ours.get(key):
            yield f"{'::'.join(key)}: flakestat counts {ours.get(key)}, the reports hold {second.get(key)} (passes, fails, skips)"


def interval_differences(document):
    """Where an interval that flakestat calls exact is not the one that is computed here."""
    for test in document["tests"]:
        found = judge.interval(judge.Count(test["passes"] + test["fails"], test["fails"]))
        ours = (test["lower"], test["upper"])
        if test["interval"] == "exact" and max(abs(one - other) for one, other in zip(found, ours)) > CLOSE:
            yield f"{test['class']}::{test['name']}: flakestat's exact interval is {ours}, computed here {found}"
