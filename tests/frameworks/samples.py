"""The sample projects: which folder, which framework, what has to happen before the first hunt; and a fresh copy of one."""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAKESTAT = os.path.abspath(os.environ.get("FLAKESTAT", ROOT / "build/dev/flakestat"))
CMAKE_BUILD = [["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]]


@dataclasses.dataclass
class Sample:
    folder: str  # beside this file
    installed: str = ""  # the recipe of scripts/frameworks.sh; empty: nothing is put on the PATH
    framework: str = ""  # what `init` must choose
    prepare: list = dataclasses.field(default_factory=list)  # commands
    command: list = None  # hunted by itself, where `init` knows no command
    lacks: list = None  # what `init` must name as missing: the commands that install it
    mend: bool = False  # run those commands; nothing may be missing then
    hidden: str = ""  # a program that must not be on the PATH
    begins: str = ""  # how the command of `init` must begin
    exit_codes_only: bool = False  # no report: the whole suite is what is flaky
    quarantine: bool = True


def plain(name, **more):
    return Sample(name, installed=name, framework=name, **more)


SAMPLES = {
    "pytest": plain("pytest"),
    "unittest": plain("unittest"),
    "go": plain("go"),
    "jest": plain("jest"),
    "vitest": plain("vitest"),
    "ctest": plain("ctest", prepare=CMAKE_BUILD),
    "gtest": Sample("ctest", installed="ctest", prepare=CMAKE_BUILD,
                    command=["build/shop_test", "--gtest_output=xml:{junit}"]),
    "mocha": plain("mocha"),
    "node-test": plain("node-test"),
    "playwright": plain("playwright"),
    "nextest": plain("nextest", prepare=[["cargo", "test", "--no-run", "-q"]]),
    "maven": plain("maven"),
    "rspec": plain("rspec"),
    "minitest": plain("minitest", exit_codes_only=True, lacks=["gem install minitest-junit, then init again"]),
    "phpunit": plain("phpunit"),
    "bats": plain("bats"),
    "catch2": Sample("catch2", installed="catch2", prepare=[["g++", "-o", "shop_test", "shop_test.cpp"]],
                     command=["./shop_test", "-r", "junit", "-o", "{junit}"]),
    # With less on the machine: what init then writes works, and what it says is missing mends it.
    "go-run": Sample("go", framework="go", hidden="gotestsum", begins="go run gotest.tools/gotestsum@", quarantine=False),
    "cargo": Sample("nextest", framework="cargo", hidden="cargo-nextest", exit_codes_only=True, quarantine=False,
                    lacks=["cargo install cargo-nextest --locked, then init again"]),
    "maven-modules": Sample("maven-modules", installed="maven", framework="maven", quarantine=False),
    "pytest-mended": Sample("pytest", framework="pytest", prepare=[["python3", "-m", "venv", ".venv"]], quarantine=False,
                            begins=".venv/bin/python", lacks=[".venv/bin/python -m pip install pytest"], mend=True),
    "jest-mended": Sample("jest", framework="jest", quarantine=False, mend=True,
                          prepare=[["npm", "pkg", "delete", "devDependencies.jest-junit"]],
                          lacks=["npm install", "npm install --save-dev jest-junit"]),
}


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Project:
    """A fresh copy of a sample project, with its framework on the PATH."""

    def __init__(self, name, folder):
        self.name = name
        self.sample = SAMPLES[name]
        self.folder = folder
        shutil.copytree(HERE / self.sample.folder, folder)
        installed = ROOT / ".deps/frameworks" / (self.sample.installed or "none")
        if (installed / "node_modules").is_dir():
            (folder / "node_modules").symlink_to(installed / "node_modules")
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("FLAKESTAT_")}
        path = [str(installed / "bin"), *self.env["PATH"].split(":")]
        if self.sample.hidden:
            path = [one for one in path if not os.path.exists(os.path.join(one, self.sample.hidden))]
        self.env["PATH"] = ":".join(path)
        self.env["NO_COLOR"] = "1"
        for command in self.sample.prepare:
            self.run(command)

    def start(self, command, codes=(0,), env=None):
        done = subprocess.run(command, cwd=self.folder, env={**self.env, **(env or {})}, capture_output=True,
                              timeout=900, stdin=subprocess.DEVNULL)
        check(done.returncode in codes, f"{command} ended with {done.returncode}\n{done.stdout.decode()[-3000:]}\n"
                                        f"{done.stderr.decode()[-3000:]}")
        return done

    def run(self, command, **options):
        return self.start(command, **options).stdout.decode()

    def flakestat(self, *args):
        return self.run([FLAKESTAT, *args])

    def json(self, subcommand, *args):
        return json.loads(self.flakestat(subcommand, "--format", "json", *args))

    def talk(self, *args):
        return self.start([FLAKESTAT, *args]).stderr.decode()
