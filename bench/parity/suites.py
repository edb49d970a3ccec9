"""Real test suites, from the source distributions of released packages: suites.py [--cache DIR] [NAME...]

Each suite is pinned and set up once: its source unpacked, an environment of its own with the package, what its tests need, and pytest.
Nothing is written into the repository. Without names, every suite is set up and listed.
"""

import argparse
import dataclasses
import fcntl
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile

# What the others of the speed table need; kept apart, so that the suites see it only there.
PEERS = ["pytest-xdist==3.8.0", "execnet==2.1.2", "rstest==0.9.0", "msgpack==1.2.4"]


@dataclasses.dataclass(frozen=True)
class Suite:
    """A released package, what its tests need beside it, and how its tests are called."""

    package: str
    version: str
    needs: tuple = ()
    args: tuple = ()
    pytest: str = "9.2.0"  # older ones where the suite asks for it, or does not mind: all that are in use are to be covered
    small: bool = False  # quick enough for every run of ours

    @property
    def name(self):
        return self.package


# `args` leaves out only what cannot run everywhere: without a network, or without file events.
SUITES = [
    Suite("anyio", "4.16.0", ("anyio[trio]==4.16.0", "blockbuster", "hypothesis", "psutil", "pytest-mock", "pytest-timeout", "trustme",
                              "truststore", "uvloop"), ("-m", "not network")),
    Suite("attrs", "26.1.0", ("cloudpickle", "hypothesis", "pympler")),
    Suite("boltons", "26.2.0"),
    Suite("cachetools", "8.0.2", small=True),
    Suite("click", "8.5.1"),
    Suite("flask", "3.1.3", ("asgiref", "greenlet", "python-dotenv"), pytest="8.4.2", small=True),
    Suite("h11", "0.16.0", pytest="7.4.4"),
    Suite("humanize", "4.17.0", ("freezegun",)),
    Suite("idna", "3.20", ("hypothesis",)),
    Suite("jinja2", "3.1.6", ("trio",)),
    Suite("jsonschema", "4.26.0", ("virtue", "jsonpath-ng")),
    Suite("marshmallow", "4.4.0", ("simplejson",), pytest="8.4.2"),
    Suite("more-itertools", "11.2.1"),
    Suite("packaging", "26.4", ("hypothesis", "pretend", "tomli_w", "pip")),
    Suite("parso", "0.8.7", pytest="7.4.4"),
    Suite("pluggy", "1.7.0", small=True),
    Suite("structlog", "26.1.0", ("pytest-asyncio", "pytest-randomly", "simplejson", "time-machine")),
    Suite("tenacity", "9.2.1", ("tornado", "trio")),
    Suite("werkzeug", "3.1.9", ("cffi", "cryptography", "ephemeral-port-reserve", "pytest-timeout", "watchdog"),
          ("-m", "not dev_server")),  # servers that reload wait for file events for ever where there are none
]


class NotAvailable(Exception):
    """A suite that cannot be set up here, and why."""


@dataclasses.dataclass(frozen=True)
class Ready:
    """A suite that was set up: where its source is, and its interpreter."""

    suite: Suite
    source: pathlib.Path
    python: pathlib.Path


def default_cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("FLAKESTAT_PARITY_CACHE") or pathlib.Path(base) / "flakestat-parity")


def own_cache(cache):
    """Environments are of one interpreter: callers with different ones must not rebuild each other's."""
    return cache / f"python-{platform.python_version()}"


def named(names):
    known = {suite.name: suite for suite in SUITES}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such suite: {', '.join(unknown)}; there are: {', '.join(known)}")
    return [known[name] for name in names] or SUITES


def run(argv, cwd, log):
    with open(log, "ab") as out:
        done = subprocess.run([str(part) for part in argv], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False)
    if done.returncode:
        said = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        raise NotAvailable(f"{pathlib.Path(argv[0]).name} {' '.join(map(str, argv[1:4]))} ended with {done.returncode}: "
                           f"{said[-1] if said else 'it said nothing'} ({log})")


def python_for_environments():
    return os.environ.get("PYTHON") or sys.executable


def make_environment(folder, requirements, log):
    run([python_for_environments(), "-m", "venv", folder], None, log)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "5"]
    run([*pip, "--upgrade", "pip"], None, log)
    run([*pip, *requirements], None, log)


def unpack(archive, target):
    """The one folder of a source distribution, without its name and version."""
    # The filter refuses paths that lead elsewhere; the oldest interpreters have none.
    safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    with tarfile.open(archive) as tar:
        tar.extractall(target.parent / "unpacked", **safe)
    (only,) = (target.parent / "unpacked").iterdir()
    only.rename(target)


def fetch_source(suite, folder, log):
    # `download` builds the metadata, for which the newest pip is needed: the environment's own.
    pip = [folder / "venv" / "bin" / "python", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
           "--no-binary", suite.package, "--dest", folder / "sdist", f"{suite.package}=={suite.version}"]
    run(pip, folder, log)
    archives = sorted((folder / "sdist").glob("*.tar.gz"))
    if len(archives) != 1:
        raise NotAvailable(f"{suite.name} has no source distribution")
    unpack(archives[0], folder / "source")


def set_up(suite, cache):
    """The suite, set up when it is not yet. Two callers at once wait for each other."""
    cache = own_cache(cache)
    folder = cache / suite.name
    recipe = json.dumps([dataclasses.asdict(suite), sys.version])
    ready = Ready(suite, folder / "source", folder / "venv" / "bin" / "python")
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / f"{suite.name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "stamp"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == recipe:
            return ready
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        log = cache / f"{suite.name}.log"
        log.unlink(missing_ok=True)
        print(f"parity: setting up {suite.name} {suite.version}", file=sys.stderr)
        make_environment(folder / "venv", [f"pytest=={suite.pytest}", f"{suite.package}=={suite.version}", *suite.needs], log)
        fetch_source(suite, folder, log)
        stamp.write_text(recipe, encoding="utf-8")
    return ready


def set_up_peers(cache):
    """A folder for PYTHONPATH with the other runners, and the path of rstest's program."""
    cache = own_cache(cache)
    folder = cache / "peers"
    recipe = json.dumps([PEERS, sys.version])
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "peers.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "stamp"
        if not (stamp.exists() and stamp.read_text(encoding="utf-8") == recipe):
            shutil.rmtree(folder, ignore_errors=True)
            log = cache / "peers.log"
            log.unlink(missing_ok=True)
            run([python_for_environments(), "-m", "venv", folder / "venv"], None, log)
            run([folder / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--target", folder / "packages", *PEERS], None, log)
            stamp.write_text(recipe, encoding="utf-8")
    return folder / "packages", folder / "packages" / "bin" / "rstest"


def clean_environment(extra=None):
    """Of the caller's environment only what starting programs needs: no CI variables, no pytest options, no Python paths."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
    return {"LANG": "C.UTF-8", **kept, "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}


def versions(ready):
    """`name version` of what is installed, to be printed beside results."""
    listed = subprocess.run([ready.python, "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check"],
                            stdout=subprocess.PIPE, check=True, text=True, env=clean_environment()).stdout
    return [line for line in listed.splitlines() if re.match(r"(pytest|pluggy|xdist)", line)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache())
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    code = 0
    for suite in named(options.names):
        try:
            ready = set_up(suite, options.cache.resolve())
            print(f"{suite.name} {suite.version}: {ready.source}")
        except NotAvailable as why:
            print(f"{suite.name} {suite.version}: not available: {why}")
            code = 1
    sys.exit(code)


if __name__ == "__main__":
    main()
