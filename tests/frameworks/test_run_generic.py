"""The generic adapter of `run` with real frameworks: what recovers is flaky and green, and nothing else ever is green.

test_run_generic.py NAME...   (or `all`). Needs FLAKESTAT_GENERIC_RUN, the program of tests/programs/generic_run.cpp.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from generic_projects import SUITES

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RUN = os.path.abspath(os.environ.get("FLAKESTAT_GENERIC_RUN", ROOT / "build/dev/programs/generic_run"))


class Skipped(Exception):
    pass


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Result:
    """What the program said, line by line."""

    def __init__(self, done):
        self.code = done.returncode
        self.text = f"exit code {done.returncode}\n{done.stdout}\n{done.stderr[-3000:]}"
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        self.notes = [words[1] for words in lines if words[0] == "note"]
        self.reasons = "\n".join(words[1] for words in lines if words[0] == "reason")
        self.tests = {words[1]: words[2:] for words in lines if words[0] == "test"}
        ends = [words[1:] for words in lines if words[0] == "end"]
        check(len(ends) == 1, f"no end: {self.text}")
        self.end, self.tests_seen, self.reruns = ends[0][0], int(ends[0][2]), int(ends[0][3])

    def with_fate(self, fate):
        return sorted(name for name, words in self.tests.items() if words[0] == fate)


class Project:
    def __init__(self, suite, folder):
        self.suite, self.folder = suite, folder
        installed = ROOT / ".deps/frameworks" / suite.installed
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("FLAKESTAT_") and key != "SCENE"}
        self.env["PATH"] = f"{installed / 'bin'}:{self.env['PATH']}"
        if (installed / "node_modules").is_dir():
            (folder / "node_modules").symlink_to(installed / "node_modules")
        if suite.installed == "maven":
            shutil.copy(HERE / "maven/pom.xml", folder / "pom.xml")
        self.write(suite.files)

    def write(self, files):
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    def prepare(self, scene):
        for command in self.suite.prepare:
            done = subprocess.run(command, cwd=self.folder, env={**self.env, "SCENE": scene}, capture_output=True, text=True,
                                  timeout=600)
            check(done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

    def run(self, scene, *flags, reruns=1):
        suite = self.suite
        more = [*(["--select", suite.select] if suite.select else []), *(["--id", suite.id] if suite.id else [])]
        command = [RUN, "--junit", suite.junit, "--reruns", str(reruns), *more, *flags, "--", *shlex.split(suite.command)]
        return Result(subprocess.run(command, cwd=self.folder, env={**self.env, "SCENE": scene}, capture_output=True,
                                     text=True, errors="replace", timeout=600, stdin=subprocess.DEVNULL))


def check_flaky(result, suite):
    check(result.code == 0 and result.end == "ok", result.text)
    flaky = result.with_fate("flaky")
    check(len(flaky) == len(suite.rerun), f"flaky are {flaky}\n{result.text}")
    for end in suite.rerun:
        check(any(name.endswith(end) for name in flaky), f"{end} is not among {flaky}\n{result.text}")
    check(all(words[0] in ("passed", "flaky") for words in result.tests.values()), result.text)
    check(any("alone" in note or "whole suite" in note for note in result.notes), result.notes)


def check_scene(project, suite, scene, known):
    flags = ["--known", str(known)] if scene in suite.needs_history else []
    result = project.run(scene, *flags)
    check(result.code != 0 and result.end != "ok", f"{scene} is green\n{result.text}")
    named = result.with_fate("failed") + result.with_fate("error")
    check(named, f"{scene}: nothing is named\n{result.text}")
    if scene == "broken":
        check(result.end == "tests_failed" and len(named) == 1 and "roken" in named[0], f"{named}\n{result.text}")
        check(result.with_fate("flaky"), result.text)
    return f"{scene or 'flaky'}: {result.end} {result.code}"


def try_suite(name):
    suite = SUITES[name]
    installed = subprocess.run([ROOT / "scripts/frameworks.sh", suite.installed], capture_output=True, text=True)
    if installed.returncode == 77:
        raise Skipped(installed.stderr.strip())
    check(installed.returncode == 0, installed.stderr)
    said = []
    with tempfile.TemporaryDirectory(prefix=f"flakestat-{name}-") as folder:
        project = Project(suite, pathlib.Path(folder))
        project.prepare("")
        good = project.run("")
        check_flaky(good, suite)
        said.append(f"{good.tests_seen} tests, {good.reruns} rerun")
        for scene in suite.scenes:
            if not scene:
                continue
            if scene == "build":
                project.write(suite.unbuilt)
                if not suite.unbuilt:
                    project.prepare(scene)
            said.append(check_scene(project, suite, scene, good.tests_seen))
    return "; ".join(said)


def main():
    names = list(SUITES) if sys.argv[1:] == ["all"] else sys.argv[1:]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        start = time.monotonic()
        try:
            check(name in SUITES, f"no such suite; known are {' '.join(SUITES)}")
            verdict, detail = "passed", try_suite(name)
        except Skipped as why:
            verdict, detail = "skipped", f"SKIPPED, NOT PASSED: {why}"
        except (AssertionError, OSError, subprocess.TimeoutExpired, LookupError, ValueError) as error:
            verdict, detail = "failed", f"{type(error).__name__}: {error}"
        counts[verdict] += 1
        print(f"{name}: {verdict} in {time.monotonic() - start:.1f} s: {detail}", flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    if counts["failed"] or not names:
        sys.exit(1)
    sys.exit(77 if counts["skipped"] == len(names) else 0)


if __name__ == "__main__":
    main()
