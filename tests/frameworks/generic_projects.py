"""Small suites of real frameworks for `test_run_generic.py`, and how each is run, selected and reported.

In all of them `flaky` and the oddly named test fail in the first run only (FLAKESTAT_RUN is 1); what SCENE names happens, too:
`broken` (a test that always fails), `exit0` (a test ends the process with 0), `crash` (one ends it by a signal), `build` (a part of
the suite does not build or load).
"""
import dataclasses

ODD = "a(b)[c]+$"

GO = """package shop

import (
	"os"
	"syscall"
	"testing"
)

func fails(t *testing.T, when bool) {
	if when {
		t.Fatal("failed")
	}
}

func scene(name string) bool { return os.Getenv("SCENE") == name }

func TestSteady(t *testing.T) {}
func TestFlaky(t *testing.T)  { fails(t, os.Getenv("FLAKESTAT_RUN") == "1") }
func TestOdd(t *testing.T) {
	t.Run("a(b)[c]+$", func(t *testing.T) { fails(t, os.Getenv("FLAKESTAT_RUN") == "1") })
	t.Run("aab", func(t *testing.T) {})
}
func TestBroken(t *testing.T) { fails(t, scene("broken")) }
func TestExits(t *testing.T) {
	if scene("exit0") {
		os.Exit(0)
	}
}
func TestCrashes(t *testing.T) {
	if scene("crash") {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
}
"""
GO_UNBUILT = "package other\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) { undefined() }\n"

JEST = """const scene = process.env.SCENE;
const first = process.env.FLAKESTAT_RUN === '1';
describe('shop', () => {
  test('steady', () => {});
  test('flaky', () => expect(first).toBe(false));
  test('a(b)[c]+$', () => expect(first).toBe(false));
  test('broken', () => expect(scene).not.toBe('broken'));
  test('exits', () => { if (scene === 'exit0') process.exit(0); });
  test('crashes', () => { if (scene === 'crash') process.kill(process.pid, 'SIGSEGV'); });
});
"""
JEST_COMMAND = ("env JEST_JUNIT_OUTPUT_FILE={junit} JEST_JUNIT_SUITE_NAME={filepath} JEST_JUNIT_CLASSNAME={classname} "
                "JEST_JUNIT_TITLE={title} \"JEST_JUNIT_ANCESTOR_SEPARATOR= > \" JEST_JUNIT_ADD_FILE_ATTRIBUTE=true "
                "JEST_JUNIT_REPORT_TEST_SUITE_ERRORS=true npx jest --ci -i --reporters=default --reporters=jest-junit")

NODE = """const test = require('node:test');
const assert = require('node:assert');
const scene = process.env.SCENE;
const first = process.env.FLAKESTAT_RUN === '1';
test('steady', () => {});
test('flaky', () => assert.ok(!first));
test('a(b)[c]+$', () => assert.ok(!first));
test('broken', () => assert.notStrictEqual(scene, 'broken'));
test('exits', () => { if (scene === 'exit0') process.exit(0); });
test('crashes', () => { if (scene === 'crash') process.kill(process.pid, 'SIGKILL'); });
"""

PYTEST = """import os
import signal

import pytest

SCENE = os.environ.get("SCENE")
FIRST = os.environ.get("FLAKESTAT_RUN") == "1"


def test_steady():
    pass


def test_flaky():
    assert not FIRST


@pytest.mark.parametrize("value", ["a(b)[c]+$", "aab"])
def test_odd(value):
    assert not FIRST or value == "aab"


def test_broken():
    assert SCENE != "broken"


def test_exits():
    if SCENE == "exit0":
        os._exit(0)


def test_crashes():
    if SCENE == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
"""

GTEST = """#include <gtest/gtest.h>
#include <csignal>
#include <cstdlib>
#include <string>
static bool is(const char* name, const char* value) { const char* v = std::getenv(name); return v && std::string(v) == value; }
TEST(Shop, Steady) {}
TEST(Shop, Flaky) { EXPECT_FALSE(is("FLAKESTAT_RUN", "1")); }
class Values : public ::testing::TestWithParam<int> {};
TEST_P(Values, Odd) { EXPECT_FALSE(GetParam() == 1 && is("FLAKESTAT_RUN", "1")); }
INSTANTIATE_TEST_SUITE_P(In, Values, ::testing::Values(1, 10));
TEST(Shop, Broken) { EXPECT_FALSE(is("SCENE", "broken")); }
TEST(Shop, Exits) { if (is("SCENE", "exit0")) std::exit(0); }
TEST(Shop, Crashes) { if (is("SCENE", "crash")) std::raise(SIGSEGV); }
"""

CTEST = """cmake_minimum_required(VERSION 3.20)
project(shop NONE)
enable_testing()
add_test(NAME steady COMMAND true)
add_test(NAME flaky COMMAND sh -c "test \\"$FLAKESTAT_RUN\\" != 1")
add_test(NAME "a(b)[c]+$" COMMAND sh -c "test \\"$FLAKESTAT_RUN\\" != 1")
add_test(NAME "aab" COMMAND true)
add_test(NAME broken COMMAND sh -c "test \\"$SCENE\\" != broken")
add_test(NAME crashes COMMAND sh -c "test \\"$SCENE\\" != crash || kill -SEGV $$")
if("$ENV{SCENE}" STREQUAL "build")
  add_test(NAME unbuilt COMMAND ${CMAKE_BINARY_DIR}/absent)
endif()
"""

JAVA = """package p;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopTest {
  static boolean is(String name, String value) { return value.equals(System.getenv(name)); }
  @Test void steady() {}
  @Test void flaky() { assertFalse(is("FLAKESTAT_RUN", "1")); }
  @ParameterizedTest @ValueSource(strings = {"a(b)[c]+$", "aab"})
  void odd(String value) { assertFalse(is("FLAKESTAT_RUN", "1") && !value.equals("aab")); }
  @Test void broken() { assertFalse(is("SCENE", "broken")); }
  @Test void exits() { if (is("SCENE", "exit0")) System.exit(0); }
  @Test void crashes() { if (is("SCENE", "crash")) Runtime.getRuntime().halt(139); }
}
"""

RUST = """#[cfg(test)]
mod tests {
    fn is(name: &str, value: &str) -> bool { std::env::var(name).map(|v| v == value).unwrap_or(false) }
    #[test]
    fn steady() {}
    #[test]
    fn flaky() { assert!(!is("FLAKESTAT_RUN", "1")); }
    #[test]
    fn flaky_longer() {}
    #[test]
    fn broken() { assert!(!is("SCENE", "broken")); }
    #[test]
    fn crashes() { if is("SCENE", "crash") { std::process::abort(); } }
}
"""


@dataclasses.dataclass
class Suite:
    files: dict  # name: content
    command: str  # split at blanks and quotes, as --select is
    installed: str  # the recipe of scripts/frameworks.sh
    junit: str = "report.xml"
    select: str = ""  # empty: reruns take the whole suite, or the command holds {tests}
    id: str = ""
    prepare: list = dataclasses.field(default_factory=list)  # commands
    unbuilt: dict = dataclasses.field(default_factory=dict)  # files of the scene `build`
    odd: str = ODD  # what the oddly named test's id ends with; empty: names cannot be odd
    rerun: tuple = ("flaky", ODD)  # how ids of tests that recover end
    scenes: tuple = ("", "broken", "exit0", "crash", "build")
    needs_history: tuple = ()  # scenes that only the number of tests of the last run can tell


GO_BASE = "gotestsum --junitfile {junit} -- -count=1"
MAVEN = "mvn -o -q -B test"
NEXTEST = "cargo nextest run --offline --profile report --no-fail-fast"

SUITES = {
    "go": Suite({"go.mod": "module example.com/shop\n\ngo 1.20\n", "shop_test.go": GO}, GO_BASE + " ./...", "go",
                select=GO_BASE + " -run {tests} ./...", id="go", unbuilt={"other/other_test.go": GO_UNBUILT},
                rerun=("TestFlaky", "TestOdd", "TestOdd/" + ODD)),
    "jest": Suite({"package.json": "{\"name\": \"shop\"}", "shop.test.js": JEST}, JEST_COMMAND, "jest",
                  select=JEST_COMMAND + " -t {tests}", id="jest", unbuilt={"unbuilt.test.js": "test('x', () => {"}),
    "node-test": Suite({"test/shop.test.js": NODE},
                       "node --test --test-reporter=junit --test-reporter-destination={junit} test/", "node-test",
                       unbuilt={"test/unbuilt.test.js": "const x = {"}, needs_history=("exit0",)),
    "pytest": Suite({"pytest.ini": "[pytest]\n", "test_shop.py": PYTEST},
                    "pytest -q -o junit_family=xunit1 --continue-on-collection-errors --junitxml={junit} {tests}", "pytest",
                    unbuilt={"test_unbuilt.py": "import absent_module\n"},
                    rerun=("test_flaky", f"test_odd[{ODD}]")),
    "gtest": Suite({"shop_test.cpp": GTEST}, "./shop_test --gtest_output=xml:{junit} --gtest_filter={tests}", "ctest",
                   prepare=[["g++", "-O0", "-o", "shop_test", "shop_test.cpp", "-lgtest", "-lgtest_main", "-pthread"]],
                   rerun=("Flaky", "Odd/0"), scenes=("", "broken", "exit0", "crash")),
    "ctest": Suite({"CMakeLists.txt": CTEST}, "ctest --test-dir build --no-tests=error --output-junit {junit}", "ctest",
                   select="ctest --test-dir build --no-tests=error --output-junit {junit} -R {tests}", id="ctest",
                   prepare=[["cmake", "-S", ".", "-B", "build"]], scenes=("", "broken", "crash", "build")),
    "maven": Suite({"src/test/java/p/ShopTest.java": JAVA}, MAVEN, "maven",
                   junit="target/surefire-reports/TEST-*.xml", select=MAVEN + " -Dtest={tests}", id="maven",
                   prepare=[["mvn", "-q", "-B", "test", "-DskipTests"], ["mvn", "-q", "-B", "test"]],
                   unbuilt={"src/test/java/p/OtherTest.java": "package p; class OtherTest { int x = ; }"},
                   rerun=("flaky", "odd(String)[1]")),
    "nextest": Suite({"Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": RUST,
                      ".config/nextest.toml": "[profile.report.junit]\npath = \"junit.xml\"\n"},
                     NEXTEST, "nextest", junit="target/nextest/report/junit.xml",
                     select=NEXTEST + " -E {tests}", id="nextest",
                     unbuilt={"tests/other.rs": "#[test]\nfn x() { undefined(); }\n"},
                     rerun=("flaky",), scenes=("", "broken", "crash", "build")),
}
