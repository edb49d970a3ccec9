"""Hunts documented flakes on both sides of their fixes with a built flakestat, and prints one table. See README.md here.

Exit codes: 0 everything is as documented or was not decided by these runs, 1 something is otherwise, 64 usage, 66 no case folder,
70 a case could not be set up or hunted (outranks 1).
"""

import argparse
import collections
import json
import os
import pathlib
import signal
import sys

import cases
import hunting
import judge
import places
import table

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STEADY_VERDICTS = {"stable", "always-skipped"}
EX_USAGE, EX_NOINPUT, EX_SOFTWARE = 64, 66, 70

Options = collections.namedtuple("Options", "flakestat tools fresh extra say")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(EX_USAGE, f"field: {message}\n")


def say(text):
    print(f"field: {text}", file=sys.stderr, flush=True)


def parse(arguments):
    parser = Parser(prog="run.sh", description="Hunts documented flakes before and after their fixes.")
    parser.add_argument("case", nargs="*", metavar="CASE", help="only these cases (default: all)")
    parser.add_argument("--cases", action="append", metavar="FILE", help="a cases.json; its setup.sh is beside it. Repeatable "
                        "(default: */cases.json of $FLAKESTAT_FIELD, or of ../shared/field beside the checkout)")
    parser.add_argument("--hunts", default=HERE / "hunts.json", metavar="FILE", help="how the cases are hunted (default: hunts.json here)")
    parser.add_argument("--mirror", default=os.environ.get("FLAKESTAT_MIRROR", ROOT.parent / ".mirror"), type=pathlib.Path,
                        help="folder of the repositories' snapshots, <owner>+<name>/repo (default: $FLAKESTAT_MIRROR)")
    parser.add_argument("--work", default=ROOT / "build" / "field", type=pathlib.Path, help="where cases are built and results kept")
    parser.add_argument("--flakestat", type=pathlib.Path, help="the binary (default: the newest of build/release, build/dev)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write everything that was found there, too")
    parser.add_argument("--runs", type=int, help="this many runs of every hunt (default: enough for the documented rate)")
    parser.add_argument("--min-runs", type=int, default=40, dest="least", help="never fewer (default 40)")
    parser.add_argument("--usual-runs", type=int, default=150, dest="usual", help="as many where time allows (default 150)")
    parser.add_argument("--seconds", type=float, default=120, help="documented seconds of runs per hunt (default 120)")
    parser.add_argument("--settle", action="store_true", help="hunt a second time, with --settle and --rule-out at the documented rate")
    parser.add_argument("--hunt-flag", action="append", default=[], metavar="FLAG", help="a further flag for hunt; repeatable")
    parser.add_argument("--fresh", action="store_true", help="hunt again what was hunted before")
    parser.add_argument("--set-up-only", action="store_true", help="build the cases, hunt nothing")
    options = parser.parse_args(arguments)
    if min(options.least, options.usual, options.runs or 1) < 1 or not options.seconds > 0:
        parser.error("runs and seconds must be positive")
    return options


def case_files(options):
    if options.cases:
        return [pathlib.Path(name) for name in options.cases]
    folder = pathlib.Path(os.environ.get("FLAKESTAT_FIELD") or ROOT.parent / "shared" / "field")
    return sorted(folder.glob("*/cases.json"))


def find_binary(given):
    """An absolute path: hunts run elsewhere."""
    if given:
        return given.resolve()
    built = [path for preset in ("release", "dev") for path in (ROOT / "build" / preset / name for name in ("flakestat", "src/flakestat"))]
    found = sorted((path for path in built if path.is_file()), key=lambda path: path.stat().st_mtime)
    return found[-1] if found else None


def documented_of(case, name, side):
    return next((test.counts[side] for test in case.tests if test.name == name), None)


def measure_of(outcome, result, planned, stopped):
    """None where the hunt knows no such test. The interval is the one that flakestat gives."""
    if result is None:
        return None
    count = judge.Count(result["runs"], result["fails"])
    shown = next((test for test in outcome.hunt["tests"] if test["test_id"] == result["test_id"]), None)
    bounds = (shown["lower"], shown["upper"]) if shown else judge.interval(count)
    return judge.Measure(count, result["verdict"], bounds, planned, stopped)


def rows_of(case, hunt, side, outcome, runs):
    """A row per documented test of that hunt, and lines about every other test that is not simply stable."""
    results, own, rows = outcome.hunt["results"], [], []
    for name in hunt.tests:
        result = cases.find_result(results, name)
        own.append(result)
        measure = measure_of(outcome, result, outcome.hunt["planned_runs"] if hunt.target else runs, bool(hunt.target))
        documented = documented_of(case, name, side) if hunt.documented else None
        said = judge.judge(hunt.expect[side], measure, documented, case.moves)
        rows.append(table.Row(case.name, hunt.label, side, name, measure, documented, said))
    others = [f"{case.name}, {hunt.label}, {side}: {result['class']}::{result['name']} is {result['verdict']}, failed "
              f"{result['fails']} of {result['runs']}" for result in results
              if result["verdict"] not in STEADY_VERDICTS and not any(result is one for one in own)]
    return rows, others


def remarks(outcome):
    """What flakestat itself remarked on, and runs without a whole report or with processes left behind."""
    yield from outcome.hunt["warnings"]
    for run in outcome.hunt["runs"]:
        if run["report_problem"]:
            yield f"run {run['run']}: {run['report_problem']}"
        if run["leaked"]:
            yield f"run {run['run']}: outlived by {', '.join(run['leaked'])}"


class Found:
    """Everything that the hunts gave, in the order in which it was found."""

    def __init__(self):
        self.rows, self.others, self.remarks, self.disagreements, self.failed, self.hunts = [], [], [], [], [], []

    def add(self, case, hunt, side, outcome, runs):
        rows, others = rows_of(case, hunt, side, outcome, runs)
        self.rows += rows
        self.others += others
        name = f"{case.name}, {hunt.label}, {side}"
        self.remarks += [f"{name}: {text}" for text in remarks(outcome)]
        self.disagreements += [f"{name}: {text}" for text in outcome.disagreements]
        self.hunts.append({"case": case.name, "hunt": hunt.label, "side": side, "command": outcome.command, "settled": bool(hunt.target),
                           "runs": outcome.hunt["planned_runs"], "finished": outcome.hunt["finished_runs"], "seconds": outcome.seconds,
                           "load": outcome.load, "summary": outcome.hunt["summary"]})

    def document(self):
        return {"rows": [table.as_json(row) for row in self.rows], "others": self.others, "remarks": self.remarks,
                "differences": self.disagreements, "failed": self.failed, "hunts": self.hunts}


def hunt_case(case, folder, options, hunt_options, found):
    limits = argparse.Namespace(least=options.least, usual=options.usual, seconds=options.seconds)
    usual = judge.planned_runs([count for test in case.tests for count in test.counts.values()], case.seconds, limits)
    for hunt in case.hunts:
        if hunt.target and not options.settle:
            continue
        runs = judge.runs_to_see(hunt.target) if hunt.target else options.runs or hunt.runs or usual
        for side in cases.SIDES:
            try:
                found.add(case, hunt, side, hunting.hunt_side(case, hunt, side, folder, runs, hunt_options), runs)
            except (hunting.NotHunted, cases.BadCase, OSError) as error:
                found.failed.append(f"{case.name}, {hunt.label}, {side}: {error}")
                say(found.failed[-1])


def go_through(chosen, options, hunt_options):
    found = Found()
    where = places.Places(options.mirror.resolve(), options.work.resolve(), hunt_options.tools)
    for case in chosen:
        try:
            with places.lock(where.work / case.name):
                folder = places.set_up(case, where, say)
                if not options.set_up_only:
                    hunt_case(case, folder, options, hunt_options, found)
        except (places.NotSetUp, OSError) as error:
            found.failed.append(f"{case.name}: not set up: {error}")
            say(found.failed[-1])
    return found


def show(found, chosen, options):
    ended_early = [hunt for hunt in found.hunts if hunt["settled"]]
    labels = {hunt["hunt"] for hunt in ended_early}
    # Of hunts that end when all is settled, the rows that are otherwise are shown singly; the others are counted.
    shown = [row for row in found.rows if row.hunt not in labels or row.judgement.holds is False]
    print(*table.markdown(shown), "", table.summary(found.rows), sep="\n")
    if ended_early:
        print("", *table.settled(found.rows, ended_early), sep="\n")
    for title, lines in (("Not hunted", [text.partition("\n")[0] for text in found.failed]),
                         ("Counted or computed otherwise here", found.disagreements),
                         ("Other tests that were not stable, to be checked by hand", found.others),
                         ("Remarks of flakestat", found.remarks)):
        print(*table.notes(title, lines), sep="\n", end="\n" if lines else "")
    print("", "Commands:", "", *table.commands(chosen, options.settle), sep="\n")


def main(arguments):
    options = parse(arguments)
    files = case_files(options)
    if not files:
        say("no case folder: set FLAKESTAT_FIELD to it, or name a cases.json with --cases")
        return EX_NOINPUT
    try:
        known, unknown = cases.read_cases(files, pathlib.Path(options.hunts))
    except cases.BadCase as error:
        say(str(error))
        return EX_NOINPUT
    strangers = [name for name in options.case if name not in known]
    if strangers:
        say(f"no such case: {', '.join(strangers)} (there are: {', '.join(known)})")
        return EX_USAGE
    binary = find_binary(options.flakestat)
    if binary is None or not os.access(binary, os.X_OK):
        say(f"no flakestat binary: {binary or 'build it, or name one with --flakestat'}")
        return EX_NOINPUT
    chosen = [case for name, case in known.items() if not options.case or name in options.case]
    hunt_options = Options(str(binary), options.work.resolve() / "tools", options.fresh, options.hunt_flag, say)
    found = go_through(chosen, options, hunt_options)
    found.failed += [f"{name}: no hunt is written down for it in {options.hunts}" for name in unknown if not options.case]
    if not options.set_up_only:
        show(found, chosen, options)
    if options.json:
        options.json.write_text(json.dumps(found.document(), indent=1) + "\n", encoding="utf-8")
    if found.failed:
        return EX_SOFTWARE
    return 1 if found.disagreements or any(row.judgement.holds is False for row in found.rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("interrupted; what was hunted to its end is kept, and the next call goes on from there")
        sys.exit(128 + signal.SIGINT)
