"""What the numbers of a hunt mean beside the documented ones: pure functions of counts.

A count is (runs, fails). Intervals are exact (Clopper-Pearson) at 95 %.
"""

import collections
import math

Count = collections.namedtuple("Count", "runs fails")
# holds: True, False, or None where these runs could not decide.
Judgement = collections.namedtuple("Judgement", "holds said")

TAIL = 0.025
STEPS = 60  # halvings of [0, 1]: far below what is printed


def at_most(fails, runs, rate):
    """P(no more than `fails` of `runs` fail) at that failure rate."""
    if rate <= 0:
        return 1.0
    if rate >= 1:
        return 1.0 if fails >= runs else 0.0
    logs = (math.lgamma(runs + 1) - math.lgamma(k + 1) - math.lgamma(runs - k + 1) + k * math.log(rate)
            + (runs - k) * math.log1p(-rate) for k in range(fails + 1))
    return min(1.0, math.fsum(map(math.exp, logs)))


def crossing(falls_below):
    """The rate at which a falling condition stops to hold, by halving."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falls_below(middle) else (low, middle)
    return (low + high) / 2


def interval(count):
    """The exact 95 % interval of the failure rate; nothing observed leaves everything open."""
    runs, fails = count
    if runs == 0:
        return 0.0, 1.0
    low = 0.0 if fails == 0 else crossing(lambda rate: 1 - at_most(fails - 1, runs, rate) < TAIL)
    high = 1.0 if fails == runs else crossing(lambda rate: at_most(fails, runs, rate) > TAIL)
    return low, high


def meet(one, other):
    return one[0] <= other[1] and other[0] <= one[1]


def chance_to_see(rate, runs):
    return 1 - (1 - rate) ** runs


def runs_to_see(rate, chance=0.95):
    """The runs after which a failure of that rate was seen with that chance; 0 for what never or always fails."""
    if not 0 < rate < 1:
        return 0
    return math.ceil(math.log1p(-chance) / math.log1p(-rate))


def rarer_rate(documented):
    """The rate of the rarest outcome of all these counts; None where each always passed or always failed."""
    rates = [min(rate, 1 - rate) for rate in (count.fails / count.runs for count in documented if count.runs)]
    return min((rate for rate in rates if rate > 0), default=None)


def planned_runs(documented, seconds_per_run, limits):
    """Runs for a hunt: enough to see the rarer outcome of every documented rate, and no fewer than limits.usual, as far as
    limits.seconds allow; never below limits.least."""
    need = runs_to_see(rarer_rate(documented) or 0)
    affordable = int(limits.seconds / seconds_per_run)
    return max(limits.least, min(max(need, limits.usual), affordable))


def percent(share):
    """Three digits that matter; only what is certain is printed as 0 or 100."""
    text = f"{100 * share:.3g}"
    return ">99.9" if text == "100" and share < 1 else text


def shown_interval(bounds):
    return f"{percent(bounds[0])} to {percent(bounds[1])}"


# What one hunt found of one test: a count, what flakestat calls it, its 95 % interval, and the runs that were to be made. `stopped`:
# fewer may have been made, since the hunt ends when all is settled.
Measure = collections.namedtuple("Measure", "count verdict bounds planned stopped")


def judge(expected, measure, documented, moves=None):
    """Whether a test's measure is what its documentation lets expect.

    expected: "flaky", "steady", "always-fails", or "partial" (steady, or flaky at the documented rate). measure: None where the hunt
    knows no such test. documented: the Count there, or None. moves: why the rate may differ from the documented one.
    """
    if measure is None:
        return Judgement(False, "not in the reports")
    runs, planned = measure.count.runs, measure.planned
    if runs == 0 or runs > planned or (runs < planned and not measure.stopped):
        return Judgement(False, f"counted in {runs} of {planned} runs")
    rules = {"flaky": flaky, "partial": partial, "steady": steady, "always-fails": always_fails}
    return rules[expected](measure, documented, moves)


def steady(measure, _documented, _moves):
    if measure.count.fails:
        return Judgement(False, "it failed")
    holds = measure.verdict == "stable"
    return Judgement(holds, "yes" if holds else f"{measure.verdict} without a failure")


def always_fails(measure, _documented, _moves):
    if measure.count.fails != measure.count.runs:
        return Judgement(False, "it passed")
    holds = measure.verdict == "consistently-failing"
    return Judgement(holds, "yes: never passes, so no disagreement" if holds else f"{measure.verdict} without a pass")


def partial(measure, documented, moves):
    if not measure.count.fails:
        return steady(measure, documented, moves)
    found = flaky(measure, documented, moves)
    return Judgement(found.holds, f"{found.said} (the fix is partial)")


def flaky(measure, documented, moves):
    runs, fails = measure.count
    seen = 0 < fails < runs
    due = "flaky" if seen else "stable" if fails == 0 else "consistently-failing"
    if measure.verdict != due:
        return Judgement(False, f"{measure.verdict} at {fails} of {runs}")
    if not meet(measure.bounds, interval(documented)):
        return Judgement(None, f"{due}; another rate: {moves}") if seen and moves else Judgement(False, "another rate")
    if seen:
        return Judgement(True, "yes")
    if fails:
        return Judgement(None, "failed every time: nothing tells it from broken")
    chance = chance_to_see(documented.fails / documented.runs, runs)
    return Judgement(None, f"not seen: the chance to see it was {percent(chance)} %")
