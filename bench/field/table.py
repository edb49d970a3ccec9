"""Shows what was found: rows as a Markdown table, and the notes below it."""

import collections
import shlex

import judge

# One documented test on one side of its fix, hunted in one way.
Row = collections.namedtuple("Row", "case hunt side test measure documented judgement")

HEADINGS = ("case", "side", "hunted with", "test", "runs", "fails", "verdict", "rate, 95 % interval", "documented", "as documented?")


def cell(text):
    """A table cell of a name from elsewhere: one line, no markup, no control characters."""
    kept = "".join(character if character.isprintable() else "?" for character in str(text))
    return kept.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def short(name):
    """The last part of a documented name; the case says the rest."""
    return name.rpartition("::")[2]


def documented_rate(count):
    if count is None or not count.runs:
        return "-"
    return f"{count.fails}/{count.runs}: {judge.shown_interval(judge.interval(count))} %"


def line(row, test):
    measure = row.measure
    found = ("-", "-", "-", "-") if measure is None else (
        measure.count.runs, measure.count.fails, measure.verdict, f"{judge.shown_interval(measure.bounds)} %")
    return (row.case, row.side, row.hunt, test, *found, documented_rate(row.documented),
            row.judgement.said if row.judgement.holds is not False else f"**NO**: {row.judgement.said}")


def as_json(row):
    measure = row.measure and {**row.measure._asdict(), "count": row.measure.count._asdict()}
    return {**row._asdict(), "measure": measure, "documented": row.documented and row.documented._asdict(),
            "judgement": row.judgement._asdict()}


def folded(rows):
    """Lines of the table: more than two tests of one hunt that did the same, without a failure, share one."""
    groups = collections.defaultdict(list)
    for row in rows:
        clean = row.measure is not None and row.measure.count.fails == 0
        alike = (row.case, row.hunt, row.side, row.measure, row.judgement, row.documented) if clean else row
        groups[alike].append(row)
    for group in groups.values():
        if len(group) > 2:
            yield line(group[0], f"each of {len(group)}")
        else:
            yield from (line(row, short(row.test)) for row in group)


def markdown(rows):
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|" + "---|" * len(HEADINGS)
    for columns in folded(rows):
        yield "| " + " | ".join(map(cell, columns)).replace("\\*", "*") + " |"


def settled(rows, hunts):
    """One line per hunt that ended when all was settled: its budget, the runs that it made, and what its tests were held for."""
    yield "| case | side | hunted with | runs at most | runs made | tests as documented | not decided | otherwise |"
    yield "|" + "---|" * 8
    for hunt in hunts:
        own = [row for row in rows if (row.case, row.hunt, row.side) == (hunt["case"], hunt["hunt"], hunt["side"])]
        count = collections.Counter(row.judgement.holds for row in own)
        columns = (hunt["case"], hunt["side"], hunt["hunt"], hunt["runs"], hunt["finished"], count[True], count[None], count[False])
        yield "| " + " | ".join(map(cell, columns)) + " |"


def summary(rows):
    count = collections.Counter(row.judgement.holds for row in rows)
    return f"{len(rows)} results: {count[True]} as documented, {count[None]} not decided by these runs, {count[False]} otherwise"


def commands(cases, settle):
    for case in cases:
        for hunt in case.hunts:
            if settle or not hunt.target:
                yield f"* {case.name}, {hunt.label}: `{shlex.join([*hunt.flags, '--', *hunt.command])}`"


def notes(title, lines):
    """A titled list; nothing where there is nothing."""
    if lines:
        yield ""
        yield f"{title}:"
        yield ""
        yield from (f"* {cell(text)}" for text in lines)
