"""`flakestat init`, `hunt` and `quarantine` with real test frameworks on the small projects beside this file.

test_frameworks.py NAME...   (or `all`). Needs FLAKESTAT, the binary. Frameworks are installed by scripts/frameworks.sh;
one that cannot be had is a counted skip, and the exit code 77 says that nothing but skips happened.

In the projects a test fails in odd runs when `flaky` is in its name, unless `steady` is in its name, class or suite: two
at most, since three that fail in the same runs would be an outage.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import quarantine

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAKESTAT = os.path.abspath(os.environ.get("FLAKESTAT", ROOT / "build/dev/flakestat"))
CMAKE_BUILD = [["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]]
# What has to happen in a project before its first hunt, besides the installation.
PREPARE = {"ctest": CMAKE_BUILD, "gtest": CMAKE_BUILD, "catch2": [["g++", "-o", "shop_test", "shop_test.cpp"]],
           "nextest": [["cargo", "test", "--no-run", "-q"]]}
# Test programs that are hunted by themselves, without a build tool that `init` knows: project and command.
DIRECT = {"gtest": ("ctest", ["build/shop_test", "--gtest_output=xml:{junit}"]),
          "catch2": ("catch2", ["./shop_test", "-r", "junit", "-o", "{junit}"])}
# Frameworks without a report here: the hunt sees exit codes, and the whole suite is what is flaky.
EXIT_CODES_ONLY = {"minitest"}


class Skipped(Exception):
    pass


def is_flaky(result):
    """By the rule of the projects."""
    everything = f"{result['suite']} {result['class']} {result['name']}".lower()
    return "flaky" in result["name"].lower() and "steady" not in everything


def is_listed(result):
    """Flaky ones, and those with names that want to break a list."""
    everything = f"{result['suite']} {result['class']} {result['name']}".lower()
    return is_flaky(result) or ("listed" in result["name"].lower() and "steady" not in everything)


class Project:
    """A fresh copy of a sample project, with its framework on the PATH."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        shutil.copytree(HERE / DIRECT.get(name, [name])[0], folder)
        installed = ROOT / ".deps/frameworks" / name
        if (installed / "node_modules").is_dir():
            (folder / "node_modules").symlink_to(installed / "node_modules")
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("FLAKESTAT_")}
        self.env["PATH"] = f"{installed / 'bin'}:{self.env['PATH']}"
        self.env["NO_COLOR"] = "1"
        for command in PREPARE.get(name, []):
            self.run(command)

    def start(self, command, codes=(0,), env=None):
        done = subprocess.run(command, cwd=self.folder, env={**self.env, **(env or {})}, capture_output=True,
                              timeout=900, stdin=subprocess.DEVNULL)
        if done.returncode not in codes:
            raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout.decode()[-3000:]}\n"
                                 f"{done.stderr.decode()[-3000:]}")
        return done

    def run(self, command, **options):
        return self.start(command, **options).stdout.decode()

    def flakestat(self, *args):
        return self.run([FLAKESTAT, *args])

    def talk(self, *args):
        return self.start([FLAKESTAT, *args]).stderr.decode()


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def check_init(project):
    project.flakestat("init")
    found = json.loads(project.flakestat("init", "--force", "--format", "json"))["frameworks"]
    check(found[0]["framework"] == project.name, f"init chose {found[0]['framework']}")
    check(found[0]["state"] == "written", found[0])
    if project.name not in EXIT_CODES_ONLY:
        check(not found[0]["missing"], f"init misses {found[0]['missing']}")
    return found[0]


def direct_config(project):
    return {"command": DIRECT[project.name][1], "junit": ".flakestat/reports/run-{run}.xml"}


def check_hunt(project, config):
    direct = ["--junit", config["junit"], "--", *config["command"]] if project.name in DIRECT else []
    document = json.loads(project.flakestat("hunt", "--runs", "3", "--all", "--format", "json", *direct))
    results = document["results"]
    if project.name in EXIT_CODES_ONLY:
        check([result["verdict"] for result in results] == ["flaky"], results)
        return results
    wrong = [f"{result['class']}::{result['name']} is {result['verdict']}" for result in results
             if (result["verdict"] == "flaky") != is_flaky(result)]
    check(not wrong, "\n".join(wrong))
    check(any(map(is_flaky, results)) and not all(map(is_flaky, results)), results)
    return results


def try_framework(name):
    installed = subprocess.run([ROOT / "scripts/frameworks.sh", name], capture_output=True, text=True)
    if installed.returncode == 77:
        raise Skipped(installed.stderr.strip())
    check(installed.returncode == 0, installed.stderr)
    with tempfile.TemporaryDirectory(prefix=f"flakestat-{name}-") as folder:
        project = Project(name, pathlib.Path(folder) / "project")
        config = direct_config(project) if name in DIRECT else check_init(project)
        results = check_hunt(project, config)
        detail = f"{len(results)} tests, {sum(map(is_flaky, results))} flaky"
        if name in EXIT_CODES_ONLY:
            detail = "exit codes only, the suite is flaky"
        try:
            detail += f"; quarantine: {quarantine.check(project, config, results, is_listed)}"
            if name == "nextest":
                detail += f"; cargo test: {quarantine.check_cargo(project, results, is_listed)}"
            return detail
        except quarantine.NoForm as why:
            return f"{detail}; quarantine: no form: {why}"


def main():
    names = sys.argv[1:]
    known = sorted({path.name for path in HERE.iterdir() if path.is_dir() and not path.name.startswith("_")} | {*DIRECT})
    if names == ["all"]:
        names = known
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        start = time.monotonic()
        try:
            check(name in known, f"unknown framework; known are {known}")
            verdict, detail = "passed", try_framework(name)
        except Skipped as why:
            verdict, detail = "skipped", f"SKIPPED, NOT PASSED: {why}"
        except (AssertionError, subprocess.TimeoutExpired, KeyError, json.JSONDecodeError) as error:
            verdict, detail = "failed", f"{type(error).__name__}: {error}"
        counts[verdict] += 1
        print(f"{name}: {verdict} in {time.monotonic() - start:.1f} s: {detail}", flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    if counts["failed"] or not names:
        sys.exit(1)
    sys.exit(77 if counts["skipped"] == len(names) else 0)


if __name__ == "__main__":
    main()
