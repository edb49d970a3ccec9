"""Times the bare parse of JUnit XML by junitparser on lxml: `peer.py ROUNDS FILE_OR_FOLDER` prints one JSON line."""

import json
import pathlib
import sys
import time

import junitparser
import lxml.etree  # junitparser falls back to the standard library in silence; this import makes that an error


def load(path):
    files = sorted(path.glob("*.xml")) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]


def count(node):
    """Cases below a root or a suite; iterating one yields suites or cases."""
    if isinstance(node, junitparser.JUnitXml):
        return sum(count(suite) for suite in node)
    return sum(1 for _ in node) + sum(count(suite) for suite in node.testsuites())


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: peer.py ROUNDS FILE_OR_FOLDER")
    rounds, reports = int(sys.argv[1]), load(pathlib.Path(sys.argv[2]))
    assert isinstance(junitparser.JUnitXml()._elem, lxml.etree._Element)
    seconds, cases = [], 0
    for _ in range(rounds):
        start = time.perf_counter()
        parsed = [junitparser.JUnitXml.fromstring(report) for report in reports]
        seconds.append(time.perf_counter() - start)
        cases = sum(count(root) for root in parsed)
        del parsed
    name = f"junitparser {junitparser.version} on lxml (Python)"
    size = sum(map(len, reports))
    print(json.dumps({"name": name, "files": len(reports), "bytes": size, "cases": cases, "seconds": seconds}))


if __name__ == "__main__":
    main()
