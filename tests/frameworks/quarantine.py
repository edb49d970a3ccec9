"""`flakestat quarantine`: each runner is given its list as the command says, and its report compared with the whole one."""
import json
import pathlib
import re
import shlex


class NoForm(Exception):
    """The framework has no form that this project can prove; the text says why."""


# Where the runner's own words end in the command that `init` wrote: what follows makes the report.
LAST_OWN_WORD = {"pytest": "pytest", "jest": "jest", "vitest": "run", "mocha": "mocha", "playwright": "test",
                 "ctest": "ctest", "nextest": "run", "rspec": "rspec", "phpunit": "phpunit", "maven": "mvn",
                 "gtest": "shop_test", "catch2": "shop_test"}
WITHOUT_FORM = {"node-test": "Node 20 has no flag that skips by name", "bats": "bats 1.8 has no flag that skips"}


def cases(project, *reports):
    """Identity -> status of every case in the reports."""
    document = json.loads(project.flakestat("inspect", "--format", "json", *map(str, reports)))
    found = {}
    for case in (case for file in document["files"] for case in file["cases"]):
        found.setdefault((case["suite"], case["class"], case["name"]), []).append(case["status"])
    return found


def split_command(config, report):
    """The environment and the words of a command that `init` wrote, for one report."""
    words = [word.replace("{junit}", str(report)).replace("{run}", "2") for word in config["command"]]
    env = {}
    if words[0] == "env":
        words.pop(0)
        while "=" in words[0]:
            name, value = words.pop(0).split("=", 1)
            env[name] = value
    return env, words


def reports_of(project, config, report):
    """Where a run left its reports: the place that was named, or the pattern of the config."""
    if any("{junit}" in word for word in config["command"]):
        return [report]
    return sorted(project.folder.glob(config["junit"]))


def run_and_read(project, config, command, env, report):
    for old in reports_of(project, config, report):
        old.unlink(missing_ok=True)
    project.run(command, env={**env, "FLAKESTAT_RUN": "2"})
    return cases(project, *reports_of(project, config, report))


def with_list(project, config, usage, report):
    """The emitted instruction as a command, with what makes the report behind it."""
    name = project.name
    env, words = split_command(config, report)
    if name == "unittest":
        start = words.index("discover")
        return env, ["bash", "-c", usage.replace("-m unittest discover", "-m xmlrunner " + shlex.join(words[start:]))]
    last = [index for index, word in enumerate(words) if pathlib.Path(word).name == LAST_OWN_WORD[name]][0]
    extra = [word for word in words[last + 1:] if word != "test"]
    usage = usage.replace(" (an absolute path)", "").replace("PATTERN", '"$(cat quarantine/list)"')
    usage = usage.replace("one argument a line: ", "").replace("./the_tests", words[0])
    return env, ["bash", "-c", usage + ' "$@"', "bash", *extra]


def go_packages(project, config, listed):
    """One call a package, as the instruction says."""
    patterns = dict(line.split("\t") for line in listed.read_text().splitlines())
    found = {}
    for number, package in enumerate(project.run(["go", "list", "./..."]).split()):
        report = project.folder / f"package-{number}.xml"
        _, words = split_command(config, report)
        words[-1:] = (["-skip", patterns[package]] if package in patterns else []) + [package]
        found.update(run_and_read(project, config, words, {}, report))
    return found


def emit(project, form, results):
    """The list and the instruction that `quarantine` printed."""
    committed = project.folder / "committed.txt"
    committed.write_text("".join(f"{result['test_id']}\n" for result in results))
    listed = project.folder / "quarantine" / "list"
    talk = project.talk("quarantine", "--format", form, "--from", str(committed), "--output",
                        str(listed) if form == "nextest" else "quarantine/list")
    if "not in the list" in talk:
        raise AssertionError(talk)
    return listed, talk.split("use it: ", 1)[1].splitlines()[0]


def differences(whole, narrowed, wanted):
    """Complaints: tests that are gone or newly skipped without being listed, and listed ones that ran."""
    gone = {test for test, statuses in whole.items() if test not in narrowed or
            (narrowed[test] != statuses and set(narrowed[test]) == {"skip"})}
    yield from (f"skipped, but not listed: {test}" for test in sorted(gone - wanted))
    yield from (f"listed, but ran: {test}" for test in sorted(wanted - gone))
    yield from (f"new: {test}" for test in sorted(narrowed.keys() - whole.keys()))
    yield from (f"{test}: {whole[test]} became {narrowed[test]}" for test in sorted(whole.keys() & narrowed.keys())
                if test not in gone and whole[test] != narrowed[test])


def check_cargo(project, results, is_listed):
    """cargo test with the lines of its form, by what it prints: it writes no report."""
    def names(line):
        out = project.run(["cargo", "test", *line.split()])
        return set(re.findall(r"^test (.*) \.\.\. ok$", out, re.M))

    chosen = [result for result in results if is_listed(result)]
    listed, _ = emit(project, "cargo", chosen)
    gone = set()
    for line in listed.read_text().splitlines():
        target = line.split(" -- ")[0]
        binary = target.split()[-1]
        gone |= {(binary, name) for name in names(target) - names(line)}
    wanted = {(result["suite"].partition("::")[2] or "--lib", result["name"]) for result in chosen}
    if gone != wanted:
        raise AssertionError(f"cargo: {gone} went, {wanted} were listed")
    return f"{len(gone)} skipped, exactly"


# As the gem minitest-junit writes it; minitest by itself writes none.
MINITEST_REPORT = """<testsuite name="OrdersTest"><testcase classname="OrdersTest" name="test_flaky" file="test/orders_test.rb"/>
<testcase classname="OrdersTest" name="test_flaky_steady_longer" file="test/orders_test.rb"/></testsuite>"""


def check_minitest(project):
    """By what minitest prints."""
    def names(*flags):
        return set(re.findall(r"^(\w+#\w+) = ", project.run(["ruby", "-Itest", "test/orders_test.rb", "-v", *flags],
                                                            env={"FLAKESTAT_RUN": "2"}), re.M))

    (project.folder / "report.xml").write_text(MINITEST_REPORT)
    project.flakestat("ingest", "report.xml")
    results = json.loads(project.flakestat("report", "--all", "--format", "json"))["results"]
    listed, _ = emit(project, "minitest", [result for result in results if result["name"] == "test_flaky"])
    gone = names() - names("-e", listed.read_text().strip())
    if gone != {"OrdersTest#test_flaky"}:
        raise AssertionError(f"minitest: {gone} went")
    return "1 of 2 skipped, exactly"


def check(project, config, results, is_listed):
    if project.name in WITHOUT_FORM:
        raise NoForm(WITHOUT_FORM[project.name])
    if project.name == "minitest":
        return check_minitest(project)
    chosen = [result for result in results if is_listed(result)]
    wanted = {(result["suite"], result["class"], result["name"]) for result in chosen}
    if project.name == "go":  # a test whose subtests are listed stays, with its other subtests
        wanted = {test for test in wanted if not any(other[2].startswith(test[2] + "/") for other in wanted)}
    listed, usage = emit(project, project.name, chosen)
    report = project.folder / "whole.xml"
    env, words = split_command(config, report)
    whole = run_and_read(project, config, words, env, report)
    if project.name == "go":
        narrowed = go_packages(project, config, listed)
    else:
        report = project.folder / "narrowed.xml"
        env, words = with_list(project, config, usage, report)
        narrowed = run_and_read(project, config, words, env, report)
    complaints = list(differences(whole, narrowed, wanted))
    if complaints or not wanted:
        raise AssertionError(f"the list of {project.name} is not exact:\n" + "\n".join(complaints))
    return f"{len(wanted)} of {len(whole)} skipped, exactly"
