"""Checks that no test is left out: check_tests_built.py BUILD_DIR CTEST.

Every *_test.cpp of src/ must be compiled in the build, and every test suite it names must be known to ctest.
"""

import json
import pathlib
import re
import subprocess
import sys

SUITE = re.compile(r"^\s*(?:TYPED_TEST|TYPED_TEST_P|TEST|TEST_F|TEST_P)\(\s*(\w+)\s*,\s*(\w+)", re.M)


def compiled(build):
    commands = json.loads((build / "compile_commands.json").read_text())
    return {pathlib.Path(command["directory"], command["file"]).resolve() for command in commands}


def known_to_ctest(build, ctest):
    shown = subprocess.run([ctest, "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
    return [test["name"] for test in json.loads(shown.stdout)["tests"]]


def suites_of(source):
    """The suites of a file that are not all disabled."""
    tests = SUITE.findall(source.read_text())
    return {suite for suite, name in tests if not name.startswith("DISABLED_")}


def missing(src, files, names):
    """Complaints: files that are not compiled, suites that ctest does not list."""
    words = {word for name in names for word in re.split(r"[./]", name)}
    for source in sorted(src.rglob("*_test.cpp")):
        if source.resolve() not in files:
            yield f"{source}: is in no test binary"
        for suite in sorted(suites_of(source) - words):
            yield f"{source}: ctest does not know the suite '{suite}'"


def main():
    build, ctest = pathlib.Path(sys.argv[1]), sys.argv[2]
    src = pathlib.Path(__file__).resolve().parent.parent / "src"
    complaints = list(missing(src, compiled(build), known_to_ctest(build, ctest)))
    count = len(list(src.rglob("*_test.cpp")))
    print(*complaints, sep="\n")
    print(f"check_tests_built: {count} test files, {len(complaints)} complaints")
    sys.exit(1 if complaints or count == 0 else 0)


if __name__ == "__main__":
    main()
