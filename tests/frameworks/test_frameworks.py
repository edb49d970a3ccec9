"""`flakestat init`, `hunt` and `quarantine` with real test frameworks on the small projects beside this file.

test_frameworks.py NAME...   (or `all`). Needs FLAKESTAT, the binary. Frameworks are installed by scripts/frameworks.sh;
one that cannot be had is a counted skip, and the exit code 77 says that nothing but skips happened.

In the projects a test fails in odd runs when `flaky` is in its name, unless `steady` is in its name, class or suite: two
at most, since three that fail in the same runs would be an outage.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import quarantine
from samples import SAMPLES, Project, check

ROOT = pathlib.Path(__file__).resolve().parents[2]


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


def init(project, *flags):
    found = project.json("init", *flags)["frameworks"][0]
    check(found["state"] == "written", found)
    return found


def check_init(project):
    """What `init` wrote, after whatever it said was missing has been done."""
    sample = project.sample
    project.flakestat("init")
    found = init(project, "--force")
    check(found["framework"] == sample.framework, f"init chose {found['framework']}")
    if sample.lacks:
        said = [missing["install"] for missing in found["missing"]]
        check(said == sample.lacks, f"init says {said}")
    if sample.mend:
        for missing in found["missing"]:
            project.run(["bash", "-c", missing["install"].removesuffix(", then init again")])
        found = init(project, "--force")
    if sample.mend or not sample.lacks:
        check(not found["missing"], f"init misses {found['missing']}")
    if sample.begins:
        check(" ".join(found["command"]).startswith(sample.begins), found["command"])
    return found


def check_hunt(project, config):
    direct = ["--junit", config["junit"], "--", *config["command"]] if project.sample.command else []
    results = project.json("hunt", "--runs", "3", "--all", *direct)["results"]
    if project.sample.exit_codes_only:
        check([result["verdict"] for result in results] == ["flaky"], results)
        return results
    wrong = [f"{result['class']}::{result['name']} is {result['verdict']}" for result in results
             if (result["verdict"] == "flaky") != is_flaky(result)]
    check(not wrong, "\n".join(wrong))
    check(any(map(is_flaky, results)) and not all(map(is_flaky, results)), results)
    return results


def check_quarantine(project, config, results):
    try:
        detail = f"quarantine: {quarantine.check(project, config, results, is_listed)}"
        if project.sample.framework == "nextest":
            detail += f"; cargo test: {quarantine.check_cargo(project, results, is_listed)}"
        return detail
    except quarantine.NoForm as why:
        return f"quarantine: no form: {why}"


def try_sample(name):
    sample = SAMPLES[name]
    if sample.installed:
        installed = subprocess.run([ROOT / "scripts/frameworks.sh", sample.installed], capture_output=True, text=True)
        if installed.returncode == 77:
            raise Skipped(installed.stderr.strip())
        check(installed.returncode == 0, installed.stderr)
    with tempfile.TemporaryDirectory(prefix=f"flakestat-{name}-") as folder:
        project = Project(name, pathlib.Path(folder) / "project")
        if sample.command:
            config = {"command": sample.command, "junit": ".flakestat/reports/run-{run}.xml"}
        else:
            config = check_init(project)
        results = check_hunt(project, config)
        if sample.exit_codes_only:
            detail = "exit codes only, the suite is flaky"
        else:
            detail = f"{len(results)} tests, {sum(map(is_flaky, results))} flaky"
        return f"{detail}; {check_quarantine(project, config, results)}" if sample.quarantine else detail


def main():
    names = list(SAMPLES) if sys.argv[1:] == ["all"] else sys.argv[1:]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        start = time.monotonic()
        try:
            check(name in SAMPLES, f"no such sample; known are {' '.join(SAMPLES)}")
            verdict, detail = "passed", try_sample(name)
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
