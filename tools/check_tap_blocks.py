#!/usr/bin/env python3
"""Checks TAP 14 documents with a YAML parser that is not ours: check_tap_blocks.py FILE...

Points are numbered from 1 and match the plan; every block between `  ---` and `  ...` is a mapping with a message of one
line; nothing stands in the file that is no TAP.

Exit codes: 0 all valid, 1 something is wrong, 64 usage, 77 PyYAML is missing.
"""
import re
import sys

try:
    import yaml
except ImportError:
    print("check_tap_blocks: SKIPPED: python3-yaml is not installed", file=sys.stderr)
    sys.exit(77)

POINT = re.compile(r"(?:not )?ok (\d+) - ")
OTHER = re.compile(r"#|TAP version 14$|Bail out!")


def block_problem(lines):
    try:
        content = yaml.safe_load("\n".join(lines))
    except yaml.YAMLError as error:
        return f"no YAML: {error}"
    if not isinstance(content, dict) or not isinstance(content.get("message"), str):
        return "a block without a message"
    return "a message of several lines" if "\n" in content["message"] else None


def problems(text):
    points, plan, block = 0, None, None
    for line in text.split("\n"):
        if block is not None:
            if line == "  ...":
                problem = block_problem(block)
                if problem:
                    yield problem
                block = None
            else:
                block.append(line)
            continue
        point = POINT.match(line)
        if point:
            points += 1
            if int(point.group(1)) != points:
                yield f"point {points} has the number {point.group(1)}"
        elif line == "  ---":
            block = []
        elif line.startswith("1.."):
            plan = int(line[3:])
        elif line and not OTHER.match(line):
            yield f"no TAP: {line!r}"
    if block is not None:
        yield "a block without an end"
    if plan != points:
        yield f"{points} points, the plan says {plan}"


def main(arguments):
    if not arguments:
        print("usage: check_tap_blocks.py FILE...", file=sys.stderr)
        return 64
    failed = False
    for path in arguments:
        with open(path, encoding="utf-8", newline="") as source:
            for problem in problems(source.read()):
                print(f"check_tap_blocks: {path}: {problem}", file=sys.stderr)
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
