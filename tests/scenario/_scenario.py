"""Verbs for scenario tests: the real binary, run from outside in a folder of the test's own.

Every scenario file is `python3 FILE` with FLAKESTAT set; ctest runs one test a file.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["FLAKESTAT"]


def case(name="t", body="", classname="C", time="0.1", extra=""):
    return f'<testcase classname="{classname}" name="{name}" time="{time}"{extra}>{body}</testcase>'


def suite(*cases, name="s", extra=""):
    return f'<testsuite name="{name}"{extra}>{"".join(cases)}</testsuite>'


FAIL = '<failure message="boom">boom</failure>'


class Scenario(unittest.TestCase):
    """A working folder outside any repository, an environment without CI, and the binary."""

    maxDiff = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="flakestat-scenario-"))
        self.addCleanup(shutil.rmtree, self.root, True)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "t",
            "GIT_AUTHOR_EMAIL": "t@example.invalid",
            "GIT_COMMITTER_NAME": "t",
            "GIT_COMMITTER_EMAIL": "t@example.invalid",
        }

    def write(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def run_raw(self, *args, env=None, stdin=b"", cwd=None, timeout=60):
        return subprocess.run(
            [BINARY, *args],
            cwd=cwd or self.root,
            env={**self.env, **(env or {})},
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
        )

    def flakestat(self, *args, code=0, **kwargs):
        """Runs the binary, checks its exit code, returns stdout as text (stderr in self.talk)."""
        done = self.run_raw(*args, **kwargs)
        self.talk = done.stderr.decode()
        out = done.stdout.decode()
        self.assertEqual(done.returncode, code, f"{args}\nstdout: {out[-4000:]}\nstderr: {self.talk[-4000:]}")
        return out

    def json(self, *args, **kwargs):
        return json.loads(self.flakestat(*args, "--format", "json", **kwargs))

    def ingest(self, *args, **kwargs):
        return self.json("ingest", *args, **kwargs)

    def log(self, directory=".flakestat"):
        path = self.root / directory / "runs.ndjson"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def report(self, *args, **kwargs):
        return self.json("report", "--all", *args, **kwargs)

    def result(self, name, *args, **kwargs):
        found = [r for r in self.report(*args, **kwargs)["results"] if r["name"] == name]
        self.assertEqual(len(found), 1, f"{name}: {found}")
        return found[0]

    def git(self, *args, cwd=None):
        return subprocess.run(["git", *args], cwd=cwd or self.root, env=self.env, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode().strip()


def main():
    program = unittest.main(exit=False, verbosity=1)
    result = program.result
    if result.skipped:
        for test, why in result.skipped:
            print(f"SKIPPED {test}: {why}", file=sys.stderr)
    if not result.wasSuccessful() or result.testsRun == 0:
        sys.exit(1)
    # 77 tells ctest that nothing but skips happened.
    sys.exit(77 if len(result.skipped) == result.testsRun else 0)
