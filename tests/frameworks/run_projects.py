"""A pytest project that is run by plain pytest, by pytest-xdist and by `flakestat run`, and what each made of it.

What is compared: the cases of the JUnit report with their outcomes, the exit code, the files that were written.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAKESTAT = os.path.abspath(os.environ.get("FLAKESTAT", ROOT / "build/dev/flakestat"))
PYTHON = os.environ.get("FLAKESTAT_PLUGIN_PYTHON", sys.executable)
# Plugins that change every run when they are there; who tests them leaves them in.
LOUD = ("randomly", "django", "sugar", "html", "benchmark", "asyncio", "anyio", "cov", "syrupy", "pytest-bdd", "flaky")
CACHES = {"__pycache__", ".pytest_cache", ".hypothesis", ".flakestat"}


def outcomes(report):
    """How often each outcome of each case is in a JUnit report; None: there is no report."""
    if not report.is_file():
        return None
    found = collections.Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        for kind in [part.tag for part in case if part.tag in ("failure", "error", "skipped")] or ["passed"]:
            found[case.get("classname") or "pytest", case.get("name"), kind] += 1  # a file that gave no tests has no class
    return found


class Done:
    """What a run made of the project."""

    def __init__(self, folder, process):
        self.folder, self.code = folder, process.returncode
        self.stdout, self.stderr = process.stdout, process.stderr
        self.outcomes = outcomes(folder / "junit.xml")
        self.files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                            if path.is_file() and CACHES.isdisjoint(path.parts) and path.name != "junit.xml")

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def kinds(self):
        """{test: [outcomes]}, by name alone."""
        found = {}
        for _, name, kind in sorted((self.outcomes or collections.Counter()).elements()):
            found.setdefault(name, []).append(kind)
        return found

    def __str__(self):
        return f"exit code {self.code}\n{self.stdout[-4000:]}\n{self.stderr[-2000:]}"


class RunTest(unittest.TestCase):
    """A fresh copy of the project for every run of it."""

    maxDiff = None
    plugins = ()  # of LOUD, those that stay

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="flakestat-run-"))
        self.addCleanup(shutil.rmtree, self.root, True)
        self.files, self.env, self.below, self.runs = {}, {}, "", 0
        self.launch = ["-m", "pytest"]

    def write(self, name, *parts):
        self.files[name] = "".join(textwrap.dedent(part) for part in parts)

    def copy(self):
        self.runs += 1
        folder = self.root / str(self.runs) / "project"
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder

    def run_in(self, folder, how, *args, flags=()):
        """`how`: plain, xdist, or the number of flakestat's workers; None: flakestat is not told."""
        quiet = [word for name in LOUD if name not in self.plugins for word in ("-p", f"no:{name}")]
        report = ["--junitxml", str(folder / "junit.xml")]
        program = [PYTHON, *self.launch] if self.launch[0] == "-m" else [str(pathlib.Path(PYTHON).parent / "pytest")]
        command = [*program, *quiet, *args]
        if how == "xdist":
            command += ["-n", "2"]
        if how in ("plain", "xdist"):
            command += report
        else:
            workers = [] if how is None else ["-n", how]
            command = [FLAKESTAT, "run", *workers, "--dir", str(folder.parent / "state"), *report, *flags, "--", *command]
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "FLAKESTAT_", "CI"))}
        env.update({"PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "120"}, **self.env)
        env = {name: value.replace("{folder}", str(folder)) for name, value in env.items()}
        return Done(folder, subprocess.run(command, cwd=folder / self.below, env=env, capture_output=True, text=True,
                                           errors="replace", timeout=300, stdin=subprocess.DEVNULL, check=False))

    def run_project(self, how, *args, flags=()):
        return self.run_in(self.copy(), how, *args, flags=flags)

    def same(self, *args, how=("0", "2"), files=True):
        """Every way to run it does what plain pytest does; all that was done, plain pytest first."""
        found = [self.run_project("plain", *args)]
        plain = found[0]
        self.assertIsNotNone(plain.outcomes, plain)
        for each in how:
            ours = self.run_project(each, *args)
            text = f"{each} workers: {ours}\nplain pytest: {plain}"
            self.assertEqual(ours.outcomes, plain.outcomes, text)
            self.assertEqual(ours.code, plain.code, text)
            if files:
                self.assertEqual(ours.files, plain.files, text)
            found.append(ours)
        return found

    def assert_said(self, pattern, done):
        self.assertTrue(re.search(pattern, done.stdout), f"{pattern!r} is not in: {done}")
