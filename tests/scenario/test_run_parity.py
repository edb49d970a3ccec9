"""Real suites come to the outcomes under `flakestat run` that they come to under plain pytest: three small ones, all in soak."""
import os
import pathlib
import subprocess
import sys
import unittest

from _runs import ROOT, SOAK
from _scenario import BINARY, main

PARITY = ROOT / "bench" / "parity"
CACHE = pathlib.Path(os.environ.get("FLAKESTAT_PARITY_CACHE") or ROOT / ".deps" / "parity")


class Parity(unittest.TestCase):
    def bench(self, script, *flags):
        done = subprocess.run([sys.executable, "-B", PARITY / script, "--flakestat", BINARY, "--cache", CACHE, *flags],
                              env={**os.environ, "PYTHON": sys.executable}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode == 77:
            self.skipTest(f"{done.stdout[-500:]}{done.stderr[-500:]}")
        self.assertEqual(done.returncode, 0, f"{done.stdout[-20000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def test_every_outcome_is_plain_pytests(self):
        said = self.bench("outcomes.py", *([] if SOAK else ["--small"]))
        self.assertRegex(said, r"\n\d+ suites, [1-9]\d* tests, 0 differences of ours\n")

    def test_every_difference_from_rstest_is_explained(self):
        said = self.bench("rstest_side_by_side.py")
        self.assertIn(" 0 differences unexplained", said)


if __name__ == "__main__":
    main()
