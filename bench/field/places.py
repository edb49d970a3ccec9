"""Sets a case up: its two checkouts, built by its setup.sh, and the tools that its hunts need. Done once; a stamp says with what."""

import collections
import fcntl
import hashlib
import json
import os
import shutil
import subprocess

from cases import SIDES

GOTESTSUM = "gotest.tools/gotestsum@v1.13.0"
CONSOLE = "junit-platform-console-standalone-1.11.4.jar"
# What a set-up leaves in a checkout and a project ignores or would ignore: no part of the code that is tested.
LEFT_BY_SETUP = (".venv/", "node_modules/", "target/", "cp.txt")

# mirror: folder of <owner>+<name>/repo git directories. work: where cases live. tools: shared by them.
Places = collections.namedtuple("Places", "mirror work tools")


class NotSetUp(Exception):
    """A case that cannot be set up, and why."""


def last_lines(path, count=8):
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-count:])


def logged(argv, log, **options):
    """Runs argv with its output in the file log, added at the end."""
    with open(log, "ab") as output:
        output.write(f"$ {argv}\n".encode())
        output.flush()
        try:
            code = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False,
                                  **options).returncode
        except OSError as error:
            raise NotSetUp(f"cannot start {argv[0]}: {error.strerror}") from error
    if code != 0:
        raise NotSetUp(f"{argv[0]} ended with {code}; the end of {log}:\n{last_lines(log)}")


def git_directory(mirror, repository):
    folder = mirror / repository.replace("/", "+") / "repo"
    for candidate in (folder / ".git", folder):
        if (candidate / "objects").is_dir():
            return candidate
    raise NotSetUp(f"no snapshot of {repository}: {folder} is no git directory")


def has_commit(git, commit):
    return subprocess.run(["git", f"--git-dir={git}", "cat-file", "-e", commit + "^{tree}"], stdin=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def python311():
    """The path of the interpreter that the Python cases were measured with; None where there is none."""
    for name in ("python3.11", "python3"):
        said = subprocess.run([name, "-c", "import sys; print(sys.version_info[:2] == (3, 11), sys.executable)"], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True) if shutil.which(name) else None
        if said and said.returncode == 0 and said.stdout.startswith("True "):
            return said.stdout.split(" ", 1)[1].strip()
    return None


def set_up_environment(places):
    environment = {**os.environ, "MIRROR": str(places.mirror), "TOOLS": str(places.tools), "GOTOOLCHAIN": "local"}
    python = python311()
    if python:
        environment.setdefault("PY", python)
    return environment


def install_tools(case, places, log):
    """gotestsum; the console launcher is brought by the Java cases' own setup.sh, into the same folder."""
    places.tools.mkdir(parents=True, exist_ok=True)
    if "gotestsum" in case.tools and not (places.tools / "gotestsum").exists():
        logged(["go", "install", GOTESTSUM], log, env={**set_up_environment(places), "GOBIN": str(places.tools)})


def make_checkout(folder, git, commit, log):
    """Makes an unpacked tree a checkout of that commit, with the snapshot's objects: hunts then know the code, as a user's do."""
    own = folder / ".git"
    shutil.rmtree(own, ignore_errors=True)
    logged(["git", "init", "--quiet", "--initial-branch=main", str(folder)], log)
    (own / "objects" / "info" / "alternates").write_text(f"{git.resolve() / 'objects'}\n")
    if (git / "shallow").exists():
        shutil.copyfile(git / "shallow", own / "shallow")
    with open(own / "info" / "exclude", "a", encoding="utf-8") as exclude:
        exclude.writelines(f"{name}\n" for name in LEFT_BY_SETUP)
    logged(["git", "-C", str(folder), "update-ref", "refs/heads/main", commit], log)
    logged(["git", "-C", str(folder), "reset", "--quiet"], log)


def lock(folder):
    """Keeps other calls of the bench away from that case for as long as the returned file is open. Raises NotSetUp."""
    folder.mkdir(parents=True, exist_ok=True)
    held = open(folder / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        held.close()
        raise NotSetUp(f"another call works on it (lock: {folder / 'lock'})") from error
    return held


def wanted_stamp(case):
    script = hashlib.sha256(case.script.read_bytes()).hexdigest()
    return {"setup.sh": script, "commits": case.commits, "repository": case.repository}


def read_stamp(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def set_up(case, places, say):
    """The folder of the case, which is locked, with before/ and after/ ready to run. Raises NotSetUp."""
    folder = places.work / case.name
    stamp, log = folder / "set-up.json", folder / "set-up.log"
    if not case.script.exists():
        raise NotSetUp(f"{case.script} is missing")
    wanted = wanted_stamp(case)
    missing_tool = "gotestsum" in case.tools and not (places.tools / "gotestsum").exists()
    missing_tool |= "junit-console" in case.tools and not (places.tools / CONSOLE).exists()
    if read_stamp(stamp) == wanted and not missing_tool:
        return folder
    stamp.unlink(missing_ok=True)
    log.unlink(missing_ok=True)
    git = git_directory(places.mirror, case.repository)
    for side in SIDES:
        if not has_commit(git, case.commits[side]):
            raise NotSetUp(f"the snapshot of {case.repository} has no commit {case.commits[side]} ({side} the fix)")
    say(f"{case.name}: setting up (log: {log})")
    install_tools(case, places, log)
    logged(["bash", str(case.script.resolve()), case.name, str(folder.resolve())], log, env=set_up_environment(places))
    for side in SIDES:
        make_checkout(folder / side, git, case.commits[side], log)
    stamp.write_text(json.dumps(wanted))
    return folder
