"""Runs a unittest runner with the quarantined tests skipped: python THIS_FILE -m unittest discover.

The ids stand in the file that FLAKESTAT_QUARANTINE_LIST names, one a line. Written by flakestat.
"""
import os
import runpy
import sys
import unittest


def skip_listed(listed):
    run = unittest.TestCase.run

    def run_unless_listed(self, result=None):
        if self.id() in listed:
            def quarantined(*_arguments, **_named):
                raise unittest.SkipTest(f"quarantined: {self.id()}")

            # Before set-up: a quarantined test must not run any part of itself.
            self.setUp = quarantined
        return run(self, result)

    unittest.TestCase.run = run_unless_listed


def main():
    try:
        with open(os.environ["FLAKESTAT_QUARANTINE_LIST"], encoding="utf-8") as lines:
            skip_listed({line.rstrip("\n") for line in lines})
    except (KeyError, OSError) as error:
        sys.exit(f"FLAKESTAT_QUARANTINE_LIST must name the quarantine list: {error}")
    if len(sys.argv) < 3 or sys.argv[1] != "-m":
        sys.exit(f"usage: python {sys.argv[0]} -m MODULE [ARGUMENT...]")
    module = sys.argv[2]
    sys.argv = sys.argv[2:]
    # As `python -m` does: the working folder leads the module path.
    sys.path[0] = os.getcwd()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
