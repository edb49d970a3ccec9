"""Runs what the benchmark compares, in turn, and prints one Markdown table: measure.py WORK FLAKESTAT PEERS.

WORK holds one.xml (one report), many/ (the same cases in many files), log-N/runs.ndjson. Every round runs each subject once, in an
order that turns from round to round, so that what else the machine does falls on all alike. A ratio is the median over the rounds
of reference time / own time (how many times faster); beside it stand the lowest and the highest. The A/A row is the reference
measured against itself: what this machine's noise alone makes of two equal things.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = int(os.environ.get("ROUNDS", "7"))


class Subject:
    """Something to time: seconds per round, and the peak memory of a run of its own."""

    def __init__(self, name, argv, inner=False, prepare=None):
        self.name, self.argv, self.inner, self.prepare = name, [str(part) for part in argv], inner, prepare
        self.seconds, self.memory = [], 0

    def start(self, argv):
        """Runs to the end; gives the seconds and the output. A failure ends the benchmark."""
        if self.prepare:
            self.prepare()
        with tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, check=False)
            wall = time.perf_counter() - start
            errors.seek(0)
            if done.returncode != 0:
                sys.exit(f"bench: {argv} ended with {done.returncode}:\n{errors.read().decode()}")
        return wall, done.stdout

    def weigh(self):
        """The peak memory, through time(1): a child of Python's would inherit Python's own peak. Warms the page cache too."""
        with tempfile.NamedTemporaryFile() as said:
            self.start(["/usr/bin/time", "-f", "%M", "-o", said.name, *self.argv])
            self.memory = int(said.read()) / 1024

    def run(self):
        wall, output = self.start(self.argv)
        if self.inner:
            told = json.loads(output)
            self.name, wall = told["name"], statistics.median(told["seconds"])
        self.seconds.append(wall)


class Group:
    """Subjects that do the same work on the same bytes; the first is the reference, a twin of it the A/A row."""

    def __init__(self, title, size, reference, twin, others, budgets=None):
        self.title, self.size, self.reference, self.twin, self.others = title, size, reference, twin, others
        self.budgets = budgets or {}

    def measure(self):
        subjects = [self.reference, self.twin, *self.others]
        for subject in subjects:
            subject.weigh()
        for turn in range(ROUNDS):
            for index in range(len(subjects)):
                subjects[(index + turn) % len(subjects)].run()
            print(f"bench: {self.title}: round {turn + 1} of {ROUNDS}", file=sys.stderr)

    def rows(self):
        self.twin.name = f"A/A: {self.reference.name} again"
        for subject in [self.reference, self.twin, *self.others]:
            ratios = sorted(theirs / own for theirs, own in zip(self.reference.seconds, subject.seconds))
            median = statistics.median(subject.seconds)
            speed = f"{self.size / 1e6 / median:.0f}" if self.size else ""
            against = "reference" if subject is self.reference else (
                f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")
            yield [subject.name, f"{median * 1000:.1f}", speed, against, f"{subject.memory:.0f}", self.verdict(subject)]

    def verdict(self, subject):
        return "; ".join(f"{text}: {'met' if holds(self, subject) else 'MISSED'}" for text, holds in self.budgets.get(subject, []))


def ratio(group, subject, other=None):
    """How many times faster `subject` is than `other` (the group's reference)."""
    return statistics.median(theirs / own for theirs, own in zip((other or group.reference).seconds, subject.seconds))


def emptied(folder):
    def prepare():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    return prepare


def peer(peers, name, *arguments):
    """The argv of a peer, or None where its language is missing."""
    commands = {
        "rust": [peers / "rust" / "release" / "peer", "1"],
        "go": [peers / "go" / "peer", "1"],
        "python": [peers / "python" / "bin" / "python", pathlib.Path(__file__).parent / "peers" / "python" / "peer.py", "1"],
        "pugixml": [peers / "xml_peer", "pugixml", "1"],
        "expat": [peers / "xml_peer", "expat", "1"],
        "libxml2": [peers / "xml_peer", "libxml2", "1"],
        "simdjson": [peers / "ndjson_peer", "1"],
    }
    argv = commands[name]
    if not pathlib.Path(argv[0]).exists():
        print(f"bench: no {name} peer here; its rows are left out", file=sys.stderr)
        return None
    return Subject(name, [*argv, *arguments], inner=True)


def reading(work, flakestat, peers):
    report = work / "one.xml"
    ours = Subject("**flakestat inspect --counts** (whole process)", [flakestat, "inspect", "--counts", report])
    group = Group("read one report", report.stat().st_size, peer(peers, "pugixml", report), peer(peers, "pugixml", report),
                  [ours, *filter(None, (peer(peers, name, report) for name in ("expat", "libxml2", "rust", "go", "python")))])
    group.budgets[ours] = [("1.5 x pugixml", lambda g, s: ratio(g, s) >= 1.5), ("< 32 MB", lambda g, s: s.memory < 32)]
    return group


def ingesting(work, flakestat, peers, title, reports, pattern):
    state = work / "state"
    rust, twin, go = (peer(peers, name, reports) for name in ("rust", "rust", "go"))
    if not rust:
        return None
    ours = Subject("**flakestat ingest** (read, hash, append, flush)",
                   [flakestat, "ingest", "--quiet", "--dir", state, "--no-host", "--run-id", "bench", pattern], prepare=emptied(state))
    size = sum(path.stat().st_size for path in (reports.glob("*.xml") if reports.is_dir() else [reports]))
    group = Group(title, size, rust, twin, [ours, *filter(None, [go])])
    group.budgets[ours] = [("1 x junit-parser", lambda g, s: ratio(g, s) >= 1)]
    if go:
        group.budgets[ours].append(("6 x go-junit", lambda g, s: ratio(g, s, go) >= 6))
    return group


def reporting(folder, flakestat, peers):
    log = folder / "runs.ndjson"
    ours = Subject("**flakestat report** (cold, whole process)", [flakestat, "report", "--quiet", "--dir", folder, "--format", "json"])
    group = Group(f"report over {folder.name.removeprefix('log-')} observations", log.stat().st_size,
                  peer(peers, "simdjson", log), peer(peers, "simdjson", log), [ours])
    group.budgets[ours] = [("at most 2 x the time", lambda g, s: ratio(g, s) >= 0.5), ("250 MB", lambda g, s: s.memory <= 250)]
    return group


def starting(flakestat):
    true, twin = Subject("/bin/true (a process that does nothing)", ["/bin/true"]), Subject("", ["/bin/true"])
    ours = Subject("**flakestat --version**", [flakestat, "--version"])
    return Group("start-up", 0, true, twin, [ours], {ours: [("5 ms", lambda g, s: statistics.median(s.seconds) <= 0.005)]})


def main():
    work, flakestat, peers = (pathlib.Path(argument) for argument in sys.argv[1:4])
    groups = [reading(work, flakestat, peers),
              ingesting(work, flakestat, peers, "ingest one file", work / "one.xml", work / "one.xml"),
              ingesting(work, flakestat, peers, "ingest many files", work / "many", f"{work / 'many'}/*.xml"),
              *(reporting(folder, flakestat, peers) for folder in sorted(work.glob("log-*"), key=lambda path: len(path.name))),
              starting(flakestat)]
    for group in filter(None, groups):
        group.measure()
        size = f", {group.size / 1e6:.0f} MB" if group.size else ""
        print(f"\n### {group.title}{size}; medians of {ROUNDS} rounds\n")
        print("| what | ms | MB/s | times the reference's speed (range) | peak MB | budget |\n|---|---:|---:|---|---:|---|")
        for row in group.rows():
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
