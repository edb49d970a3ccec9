"""How long suites take under four runners: speed.py --flakestat PROGRAM [--rounds N] [--trivial N] [NAME...]

Plain pytest, pytest-xdist -n 2, rstest -n 2 and flakestat run -n 2, on the suites of suites.py and on N trivial tests (10,000). Each round runs
every runner once, in an order that turns, and a ratio is the median over the rounds of own time / reference time in that round:
what else the machine does falls on all alike. Beside it stands the 95 % interval of the median, by bootstrap over the rounds. The
reference is xdist, since the question is what two workers cost; the A/A row is xdist against itself: a ratio inside its
interval is noise. A budget "at most T" holds when the interval reaches down to T and ends below T + 0.02 or when it lies below T;
where the A/A row is wider than 0.02 on either side, the table says what is inconclusive.
"""

import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from suites import NotAvailable, clean_environment, default_cache, named, set_up, set_up_peers

ROUNDS = int(os.environ.get("ROUNDS", "5"))
TRIVIAL = "trivial"
REFERENCE = "xdist -n 2"
SUBJECTS = ["pytest", REFERENCE, "A/A: xdist -n 2 again", "rstest -n 2", "flakestat -n 2"]
OURS = SUBJECTS[-1]
BUDGET, SLACK = 1.0, 0.02
TIMEOUT = 1800


class Speed:
    """One suite in the hands of each runner."""

    def __init__(self, options, peers, name, source, python, args):
        self.options, self.peers = options, peers
        self.name, self.source, self.python, self.args = name, source, python, args
        self.seconds = {subject: [] for subject in SUBJECTS}
        self.codes = {subject: set() for subject in SUBJECTS}
        self.tails = {}

    def argv(self, subject, state):
        packages, rstest = self.peers
        pytest = [self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *self.args]
        if subject == "pytest":
            return pytest
        if "xdist" in subject:
            return [*pytest, "-n", "2"]
        if subject.startswith("rstest"):
            return [rstest, "--python", self.python, "-n", "2", "-q", "-p", "no:cacheprovider", *self.args]
        return [self.options.flakestat, "run", "-n", "2", "--dir", state, "--", *pytest]

    def environment(self, subject):
        packages, _ = self.peers
        return clean_environment({"PYTHONPATH": str(packages)} if "xdist" in subject or "rstest" in subject else {})

    def run(self, subject, work):
        """Seconds of one run. The copy is fresh; rstest's and our own memory of durations is kept, as at a developer's."""
        copy = work / "suite"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.source, copy, symlinks=True)
        kept = work / "rstest-cache"
        kept.mkdir(exist_ok=True)
        (copy / ".rstest_cache").symlink_to(kept)
        environment = self.environment(subject)
        argv = [str(part) for part in self.argv(subject, work / "state")]
        with open(work / "output", "wb") as out:
            start = time.perf_counter()
            done = subprocess.run(argv, cwd=copy, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                  timeout=TIMEOUT, check=False)
            seconds = time.perf_counter() - start
        self.codes[subject].add(done.returncode)
        lines = (work / "output").read_text(errors="replace").strip().splitlines()
        self.tails[subject] = lines[-1] if lines else ""
        return seconds

    def measure(self, rounds):
        with tempfile.TemporaryDirectory(prefix="parity-") as folder:
            work = pathlib.Path(folder)
            for subject in SUBJECTS:  # warms caches of files, and the memories of durations
                self.run(subject, work)
            for turn in range(rounds):
                for index in range(len(SUBJECTS)):
                    subject = SUBJECTS[(index + turn) % len(SUBJECTS)]
                    self.seconds[subject].append(self.run(subject, work))
                print(f"parity: {self.name}: round {turn + 1} of {rounds}", file=sys.stderr)
        return self


def ratios(speed, subject):
    return [own / theirs for own, theirs in zip(speed.seconds[subject], speed.seconds[REFERENCE])]


def interval(values, draws=2000):
    """The 95 % interval of the median, by bootstrap; the same for the same values."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    return medians[int(draws * 0.025)], medians[int(draws * 0.975) - 1]


def verdict(ours, twin):
    """Whether our ratio meets the budget, as far as the noise lets it be said."""
    low, high = interval(ours)
    twin_low, twin_high = interval(twin)
    if high < BUDGET:
        return "met"
    if low > BUDGET + max(SLACK, twin_high - 1):
        return "MISSED"
    if max(1 - twin_low, twin_high - 1) > SLACK:
        return "inconclusive (A/A)"
    return "met" if low <= BUDGET and high < BUDGET + SLACK else "MISSED"


def row(speed):
    cells = [speed.name]
    for subject in SUBJECTS:
        median = statistics.median(speed.seconds[subject])
        if subject == REFERENCE:
            cells.append(f"{median:.2f} s")
            continue
        values = ratios(speed, subject)
        low, high = interval(values)
        cells.append(f"{median:.2f} s, {statistics.median(values):.3f} ({low:.3f} to {high:.3f})")
    cells.append(verdict(ratios(speed, OURS), ratios(speed, SUBJECTS[2])))
    return "| " + " | ".join(cells) + " |"


def trivial_suite(folder, count):
    """Tests that do nothing, in files of a thousand."""
    folder.mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    a_file = 1000
    for number in range(0, count, a_file):
        tests = "".join(f"def test_{index}():\n    pass\n\n\n" for index in range(number, min(number + a_file, count)))
        (folder / f"test_{number // a_file:03}.py").write_text(tests, encoding="utf-8")


def subjects(options, cache, peers, folder):
    wanted = [name for name in options.names if name != TRIVIAL]
    if not options.names or TRIVIAL in options.names:
        trivial_suite(folder, options.trivial)
        home = set_up(named(["pluggy"])[0], cache)  # any environment with pytest and nothing else
        yield Speed(options, peers, f"{options.trivial} trivial tests", folder, home.python, ())
    for suite in named(wanted) if wanted or not options.names else []:
        try:
            ready = set_up(suite, cache)
        except NotAvailable as why:
            print(f"not available: {suite.name}: {why}", flush=True)
            continue
        yield Speed(options, peers, f"{suite.name} {suite.version}", ready.source, ready.python, suite.args)


def said(speed):
    """A runner that ended otherwise than plain pytest did not do the same work: to be read before its time is."""
    usual = speed.codes["pytest"]
    for subject in SUBJECTS:
        if speed.codes[subject] != usual:
            yield f"{speed.name}: {subject} ended with {sorted(speed.codes[subject])}, pytest with {sorted(usual)}: {speed.tails[subject]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flakestat", type=pathlib.Path, default=os.environ.get("FLAKESTAT"))
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache())
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--trivial", type=int, default=10000)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"suites, or '{TRIVIAL}'; none: all")
    options = parser.parse_args()
    if not options.flakestat:
        parser.error("--flakestat is missing")
    options.flakestat = pathlib.Path(options.flakestat).resolve()
    cache = options.cache.resolve()
    peers = set_up_peers(cache)
    print(f"medians of {options.rounds} rounds; ratios to {REFERENCE}, with the 95 % interval of their median\n")
    print(f"| suite | {' | '.join(SUBJECTS)} | at most {BUDGET:.2f} |\n|---|{'---|' * (len(SUBJECTS) + 1)}", flush=True)
    notes = []
    with tempfile.TemporaryDirectory(prefix="parity-trivial-") as folder:
        for speed in subjects(options, cache, peers, pathlib.Path(folder) / "suite"):
            print(row(speed.measure(options.rounds)), flush=True)
            notes += said(speed)
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
