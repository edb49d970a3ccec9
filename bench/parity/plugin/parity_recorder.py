"""A pytest plugin that writes down what every part of every test came to: `-p parity_recorder`, into the file PARITY_RECORD.

One line a report. The lines of a test are appended in one write, so that processes can share the file. Each says which worker wrote it: a
controller that replays its workers' reports writes lines too, and a reader tells them apart.
"""

import json
import os

_PATH = os.environ.get("PARITY_RECORD")
_WRITE, _OPEN, _CLOSE, _GETPID = os.write, os.open, os.close, os.getpid


_WAITING = []
_WORKER = [""]


def pytest_configure():
    # At once: tests empty their environment.
    _WORKER[0] = os.environ.get("PYTEST_XDIST_WORKER", "")


def _put(entry):
    entry["worker"] = _WORKER[0]
    entry["pid"] = _GETPID()
    _WAITING.append(json.dumps(entry) + "\n")


def _flush():
    # Opened each time: tests close descriptors that are not theirs, and the plugin has none to lose.
    descriptor = _OPEN(_PATH, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _WRITE(descriptor, "".join(_WAITING).encode())
    finally:
        _CLOSE(descriptor)
        _WAITING.clear()


def _reason(report):
    """Why it was skipped; the text of a failure may hold addresses and times, and is left out."""
    longrepr = report.longrepr
    return longrepr[2] if report.outcome == "skipped" and isinstance(longrepr, tuple) else ""


def pytest_runtest_logreport(report):
    if _PATH:
        # A subtest's report comes between the parts of its test: it is a part with a name of its own.
        context = getattr(report, "context", None)
        part = report.when if context is None else f"subtest {context.msg!r} {sorted((context.kwargs or {}).items())!r}"
        _put({"id": report.nodeid, "part": part, "outcome": report.outcome, "xfail": hasattr(report, "wasxfail"),
              "reason": _reason(report)})
        if report.when == "teardown":
            _flush()


def pytest_collectreport(report):
    if _PATH and report.outcome != "passed":
        _put({"id": report.nodeid, "part": "collection", "outcome": report.outcome, "xfail": False, "reason": _reason(report)})
        _flush()
