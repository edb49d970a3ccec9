"""Does `flakestat run` come to the outcomes that plain pytest comes to? outcomes.py --flakestat PROGRAM [--small | NAME...]

Every suite is run by plain pytest twice (what differs between the two is its own noise), by `flakestat run -n 0` and by `flakestat run
-n 2`. Compared one by one: the outcome of each set-up, call and teardown with the reasons of skips, the files that could not be collected,
each case of the JUnit report, the exit code; with -n 0 the order too. What differs is looked at again: both sides run twice more, and it is a
difference when neither side ever showed what the other did. Then pytest-xdist says whether any two workers would have done that.
"""

import argparse
import collections
import json
import os
import pathlib
import sys
import tempfile

from recording import Runners, record
from suites import SUITES, NotAvailable, default_cache, named, set_up, set_up_peers, versions

KINDS = ["flakestat -n 0", "flakestat -n 2"]


class Seen:
    """Every outcome that runs of one kind showed, by what it is the outcome of."""

    def __init__(self):
        self.runs, self.outcomes = [], collections.defaultdict(set)

    def add(self, run):
        items = facts(run)
        for key in self.outcomes.keys() - items.keys():
            self.outcomes[key].add(ABSENT)
        for key, outcome in items.items():
            if key not in self.outcomes and self.runs:
                self.outcomes[key].add(ABSENT)
            self.outcomes[key].add(outcome)
        self.runs.append(run)

    def of(self, key):
        return self.outcomes[key] if key in self.outcomes else {ABSENT}


ABSENT = "absent"


def facts(run):
    """What can be compared of a run: key -> text."""
    found = {("part", *key): ", ".join(outcomes) for key, outcomes in run.parts.items()}
    found.update({("case", *key): ", ".join(outcomes) for key, outcomes in run.cases.items()})
    found[("exit code",)] = str(run.code)
    return found


def noise(seen):
    return {key for key, outcomes in seen.outcomes.items() if len(outcomes) > 1}


def differences(plain, ours):
    """What one side never showed and the other did, and the other way round."""
    keys = plain.outcomes.keys() | ours.outcomes.keys()
    return sorted((key for key in keys if not plain.of(key) & ours.of(key)), key=repr)


def order_differs(plain, ours):
    """Only where plain pytest has one order: plugins shuffle."""
    orders = {tuple(run.order) for run in plain.runs}
    return len(orders) == 1 and any(tuple(run.order) not in orders for run in ours.runs)


class Comparison:
    """One suite."""

    def __init__(self, runners, ready, work, kinds):
        self.runners, self.ready, self.work, self.kinds = runners, ready, work, kinds
        self.seen = collections.defaultdict(Seen)

    def run(self, how):
        print(f"parity: {self.ready.suite.name}: {how}", file=sys.stderr)
        self.seen[how].add(record(self.runners, how, self.ready, self.work))

    def compare(self):
        for how in ["pytest", *self.kinds, "pytest"]:
            self.run(how)
        if not self.seen["pytest"].runs[0].tests():
            raise NotAvailable(f"plain pytest ran no test of it:\n{self.seen['pytest'].runs[0].output[-2000:]}")
        for _ in range(2):
            doubtful = [how for how in self.kinds if differences(self.seen["pytest"], self.seen[how])]
            for how in doubtful:
                self.run("pytest")
                self.run(how)
        return self.result()

    def result(self):
        plain = self.seen["pytest"]
        found = {"suite": self.ready.suite.name, "version": self.ready.suite.version, "installed": versions(self.ready),
                 "tests": len(plain.runs[0].tests()), "compared": len(facts(plain.runs[0])),
                 "exit_code": plain.runs[0].code, "noise": [list(key) for key in sorted(noise(plain), key=repr)], "kinds": {}}
        for how in self.kinds:
            different = differences(plain, self.seen[how])
            if different and how != "flakestat -n 0" and self.runners.peers and not self.seen["xdist"].runs:
                self.run("xdist")
            found["kinds"][how] = {
                "differences": [self.described(key, plain, self.seen[how]) for key in different],
                "order": order_differs(plain, self.seen[how]) if how == "flakestat -n 0" else False,
            }
        return found

    def described(self, key, plain, ours):
        said = {"what": list(key), "pytest": sorted(plain.of(key)), "flakestat": sorted(ours.of(key))}
        if self.seen["xdist"].runs:
            said["xdist"] = sorted(self.seen["xdist"].of(key))
        return said


def by_xdist_too(difference):
    """Two workers of pytest-xdist come to the same as ours: the suite is not made for two workers."""
    return bool(set(difference.get("xdist", ())) & set(difference["flakestat"]))


def verdict(result):
    """What is ours to explain."""
    return [f"{how}: {' '.join(map(str, difference['what']))}: pytest {difference['pytest']}, flakestat {difference['flakestat']}"
            for how, kind in result["kinds"].items() for difference in kind["differences"] if not by_xdist_too(difference)] + \
           [f"{how}: another order" for how, kind in result["kinds"].items() if kind["order"]]


def heading():
    yield f"| suite | tests | compared | noise | {' | '.join(KINDS)} |"
    yield "|---|---:|---:|---:|" + "---|" * len(KINDS)


def row(result):
    cells = []
    for how in KINDS:
        kind = result["kinds"].get(how)
        if kind is None:
            cells.append("not run")
            continue
        shared = sum(map(by_xdist_too, kind["differences"]))
        own = len(kind["differences"]) - shared
        cells.append((f"{own} different" if own else "equal") + (f", {shared} as under xdist" if shared else "") +
                     (", another order" if kind["order"] else ""))
    return f"| {result['suite']} {result['version']} | {result['tests']} | {result['compared']} | {len(result['noise'])} | {' | '.join(cells)} |"


def options_of(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flakestat", type=pathlib.Path, default=os.environ.get("FLAKESTAT"), help="the program that is judged")
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache(), help="where suites are set up")
    parser.add_argument("--small", action="store_true", help="only the three quickest suites")
    parser.add_argument("--kinds", default=",".join(KINDS), help="which runs of ours, separated by commas")
    parser.add_argument("--json", type=pathlib.Path, help="all that was found, as JSON")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(argv)
    if not options.flakestat:
        parser.error("--flakestat is missing")
    return options


def comparisons(options, suites):
    """Results as they come; a suite that cannot be had is a line."""
    cache = options.cache.resolve()
    peers, _ = set_up_peers(cache)
    runners = Runners(options.flakestat.resolve(), peers)
    for suite in suites:
        try:
            ready = set_up(suite, cache)
            with tempfile.TemporaryDirectory(prefix="parity-") as work:
                yield Comparison(runners, ready, pathlib.Path(work) / "run", options.kinds.split(",")).compare()
        except NotAvailable as why:
            yield f"not available: {suite.name}: {why}"


def main(argv=None):
    options = options_of(argv)
    suites = [suite for suite in SUITES if suite.small] if options.small else named(options.names)
    results, wrong = [], []
    print("\n".join(heading()))
    try:
        for found in comparisons(options, suites):
            print(found if isinstance(found, str) else row(found), flush=True)
            if isinstance(found, str):
                continue
            results.append(found)
            wrong += [f"{found['suite']}: {line}" for line in verdict(found)]
            if options.json:
                options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    except NotAvailable as why:
        print(f"not available: {why}")
    print(f"\n{len(results)} suites, {sum(result['tests'] for result in results)} tests, {len(wrong)} differences of ours")
    print("\n".join(wrong[:200]))
    # 77 is a counted skip: nothing could be had here.
    sys.exit(1 if wrong else 77 if not results else 0)


if __name__ == "__main__":
    main()
