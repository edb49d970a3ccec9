"""What a hunt costs beside the command itself: hunt_overhead.py WORK FLAKESTAT HUNT_COMMAND [LOG].

A command of 50 ms is run in blocks of RUNS (100), ROUNDS (7) times, by a bare loop of posix_spawn and waitpid and by `flakestat hunt`; each
round runs each subject once, in an order that turns, so that what else the machine does falls on all alike. A row's cost is the median over
the rounds of (its time - the bare loop's in that round) / RUNS; beside it stand the lowest and the highest. The A/A row is the bare loop
measured against itself: what is noise here. Start-up and the final report of each block are part of what it costs.
With LOG (a folder with a runs.ndjson), a row hunts beside that history.
"""

import os
import pathlib
import shutil
import statistics
import sys

from measure import ROUNDS, Subject, emptied

RUNS = int(os.environ.get("HUNT_RUNS", "100"))
MILLISECONDS = 50
BUDGET = 3.0


def beside_copy(folder, log):
    """A state folder that begins with `log`."""
    make = emptied(folder)

    def prepare():
        make()
        shutil.copyfile(log / "runs.ndjson", folder / "runs.ndjson")
    return prepare


def subjects(work, flakestat, command, log):
    report, state = work / "report.xml", work / "state"
    plain = [command, "run", str(MILLISECONDS)]
    loop = [command, "loop", str(RUNS)]
    hunt = [flakestat, "hunt", "--quiet", "--dir", state, "--no-host", "--runs", str(RUNS)]
    yield Subject("bare loop", [*loop, *plain]), None
    yield Subject("A/A: bare loop again", [*loop, *plain]), 0
    yield Subject("**flakestat hunt**, exit codes", [*hunt, "--", *plain], prepare=emptied(state)), 0
    yield Subject("bare loop, the command writes a report", [*loop, *plain, report]), None
    with_report = [*hunt, "--junit", report, "--", *plain, report]
    yield Subject("**flakestat hunt**, a JUnit report of ten cases", with_report, prepare=emptied(state)), 3
    if log:
        yield Subject(f"**flakestat hunt**, the same beside a log of {(log / 'runs.ndjson').stat().st_size / 1e6:.0f} MB",
                      with_report, prepare=beside_copy(state, log)), 3


def main():
    work, flakestat, command = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    log = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
    work.mkdir(parents=True, exist_ok=True)
    rows = list(subjects(work, flakestat, command, log))
    for turn in range(ROUNDS):
        for index in range(len(rows)):
            rows[(index + turn) % len(rows)][0].run()
        print(f"bench: hunt overhead: round {turn + 1} of {ROUNDS}", file=sys.stderr)
    print(f"\n### hunting a command of {MILLISECONDS} ms, {RUNS} times; medians of {ROUNDS} rounds\n")
    print("| what | ms a run | ms a run over its bare loop (range) | times the bare loop | budget |\n|---|---:|---|---:|---|")
    for subject, reference in rows:
        print("| " + " | ".join(row(subject, rows[reference][0] if reference is not None else None)) + " |", flush=True)


def row(subject, bare):
    each = f"{statistics.median(subject.seconds) * 1000 / RUNS:.2f}"
    if not bare:
        return [subject.name, each, "reference", "1", ""]
    over = sorted((own - theirs) * 1000 / RUNS for own, theirs in zip(subject.seconds, bare.seconds))
    times = statistics.median(own / theirs for own, theirs in zip(subject.seconds, bare.seconds))
    met = statistics.median(over) <= BUDGET
    budget = f"{BUDGET:.0f} ms: {'met' if met else 'MISSED'}" if subject.name.startswith("**") else ""
    return [subject.name, each, f"{statistics.median(over):.2f} ({over[0]:.2f} to {over[-1]:.2f})", f"{times:.3f}", budget]


if __name__ == "__main__":
    main()
