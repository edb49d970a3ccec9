"""Marks quarantined tests as skipped: pytest -p flakestat_quarantine_pytest, with this folder on PYTHONPATH.

The node ids stand in the file that FLAKESTAT_QUARANTINE_LIST names, one a line. Written by flakestat.
"""
import os

import pytest


def _listed():
    with open(os.environ["FLAKESTAT_QUARANTINE_LIST"], encoding="utf-8") as lines:
        return {line.rstrip("\n") for line in lines}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    try:
        listed = _listed()
    except (KeyError, OSError) as error:
        raise pytest.UsageError(f"FLAKESTAT_QUARANTINE_LIST must name the quarantine list: {error}") from error
    for item in items:
        if item.nodeid in listed:
            item.add_marker(pytest.mark.skip(reason=f"quarantined: {item.nodeid}"))
