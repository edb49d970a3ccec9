"""`quarantine` from outside: lists for runners, a committed list kept up to date, a list that is checked."""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from _scenario import FAIL, Scenario, case, main, suite

SCHEMAS = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "docs/schema"

try:
    import jsonschema
except ImportError:
    jsonschema = None


def days_ago(days):
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)


class Quarantine(Scenario):
    def record(self, days, commit, name="pytest", **outcomes):
        """One report of so many days ago: test name -> passes?"""
        cases = [case(test, "" if passed else FAIL, classname="tests.test_a.TestOne", extra=' file="tests/test_a.py"')
                 for test, passed in outcomes.items()]
        stamp = days_ago(days).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.reports = getattr(self, "reports", 0) + 1
        self.write(f"r{self.reports}.xml", suite(*cases, name=name, extra=f' timestamp="{stamp}"'))
        self.flakestat("ingest", f"r{self.reports}.xml", "--commit", commit, "--branch", "main")

    def flaky(self, name="test_flip", days=3, **others):
        self.record(days, "c1", **{name: True}, **others)
        self.record(days - 0.01, "c1", **{name: False}, **others)

    def quarantine(self, *args, **kwargs):
        return self.flakestat("quarantine", *args, **kwargs)

    def today(self, plus=0):
        return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=plus)).isoformat()

    def valid(self, name, document):
        if jsonschema is None:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(document)
        return document


class Emitting(Quarantine):
    def test_flaky_tests_only_unless_broken_ones_are_asked_for(self):
        for i in range(6):
            self.record(9 - i, f"b{i}", test_broken=False, test_good=True)
        self.flaky()
        self.assertEqual(self.quarantine("--format", "pytest"), "tests/test_a.py::TestOne::test_flip\n")
        both = self.quarantine("--format", "pytest", "--include-broken").splitlines()
        self.assertEqual(sorted(both), ["tests/test_a.py::TestOne::test_broken", "tests/test_a.py::TestOne::test_flip"])

    def test_threshold_and_filter_narrow_the_list(self):
        self.flaky()
        self.assertEqual(self.quarantine("--format", "pytest", "--threshold", "0.99"), "")
        self.assertEqual(self.quarantine("--format", "pytest", "--filter", "*nothing*"), "")

    def test_without_a_history_there_is_no_list(self):
        self.assertEqual(self.quarantine("--format", "pytest", code=66), "")
        self.assertIn("no history", self.talk)

    def test_the_form_of_the_configuration_is_the_default(self):
        self.flaky()
        self.assertIn("tests.test_a.TestOne::test_flip\n", self.quarantine())
        self.write(".flakestat.json", '{"version":1,"quarantine":{"format":"pytest"}}')
        self.assertEqual(self.quarantine(), "tests/test_a.py::TestOne::test_flip\n")
        self.write(".flakestat.json", '{"version":1,"quarantine":{"format":"pytset"}}')
        self.quarantine(code=64)
        self.assertIn("pytest", self.talk)

    def test_an_over_broad_list_is_refused_with_every_victim_named(self):
        self.flaky(test_flip_longer=True)
        self.assertEqual(self.quarantine("--format", "pytest", code=1), "")
        self.assertIn("would be skipped too: tests.test_a.TestOne::test_flip_longer (by the entry of "
                      "tests.test_a.TestOne::test_flip)", self.talk)
        self.assertEqual(self.quarantine("--format", "pytest", "--allow-broad"), "tests/test_a.py::TestOne::test_flip\n")

    def test_with_a_file_the_hook_lies_beside_it_and_the_list_is_exact(self):
        self.flaky(test_flip_longer=True)
        self.assertEqual(self.quarantine("--format", "pytest", "--output", "out/q.txt"), "")
        self.assertEqual((self.root / "out/q.txt").read_text(), "tests/test_a.py::TestOne::test_flip\n")
        self.assertIn("def pytest_collection_modifyitems", (self.root / "out/flakestat_quarantine_pytest.py").read_text())
        self.assertIn("FLAKESTAT_QUARANTINE_LIST=out/q.txt", self.talk)

    def test_a_name_that_a_form_cannot_express_is_named(self):
        self.flaky("test_flip[a b]")
        self.assertEqual(self.quarantine("--format", "gtest"), "")
        self.assertIn("not in the list: tests.test_a.TestOne::test_flip[a b]: --gtest_filter cannot name", self.talk)

    def test_an_argument_that_no_system_hands_over_is_an_error(self):
        self.flaky("n" * 140_000)
        self.quarantine("--format", "minitest", code=64)
        self.assertIn("131071", self.talk)

    def test_an_expression_that_ctest_cannot_compile_is_an_error(self):
        self.flaky("n" * 66_000)
        self.assertEqual(self.quarantine("--format", "ctest", "--output", "q.txt", code=64), "")
        self.assertIn("too big for CTest", self.talk)
        self.assertFalse((self.root / "q.txt").exists())

    def test_every_form_is_offered_and_ends_well(self):
        self.flaky()
        shown = self.flakestat("quarantine", "-h")
        forms = re.search(r"--format .*?\{(.*?)\}", shown, re.S)
        names = [name.strip() for name in forms.group(1).split(",")]
        self.assertGreater(len(names), 20)
        for name in names:
            self.quarantine("--format", name, "--output", f"out/{name}", "--allow-broad")
            self.assertTrue((self.root / "out" / name).exists(), name)

    def test_json_and_yaml(self):
        self.flaky()
        document = self.valid("quarantine", json.loads(self.quarantine("--format", "json")))
        self.assertEqual([entry["test"] for entry in document["quarantined"]], ["tests.test_a.TestOne::test_flip"])
        shown = self.quarantine("--format", "yaml")
        self.assertIn('test: "tests.test_a.TestOne::test_flip"\n', shown)


class FromAList(Quarantine):
    def test_when_must_hold_where_the_tests_will_run(self):
        self.record(1, "c1", t=True)
        self.write("q.txt", "tests.test_a.TestOne::t # when=os=linux\n")
        emit = ["--format", "pytest", "--from", "q.txt"]
        self.assertEqual(self.quarantine(*emit, "--dimension", "os=linux"), "tests/test_a.py::TestOne::t\n")
        self.assertEqual(self.quarantine(*emit, "--dimension", "os=mac"), "")
        self.assertEqual(self.quarantine(*emit), "")

    def test_stale_and_expired_entries_do_not_reach_the_runner(self):
        self.record(1, "c1", t=True, u=True)
        self.write("q.txt", f"C::gone\ntests.test_a.TestOne::t # expires={self.today(-1)}\ntests.test_a.TestOne::u\n")
        self.assertEqual(self.quarantine("--format", "pytest", "--from", "q.txt"), "tests/test_a.py::TestOne::u\n")
        self.assertIn("q.txt:1: C::gone: names no known test", self.talk)
        self.assertIn("q.txt:2: tests.test_a.TestOne::t: expired", self.talk)

    def test_a_list_that_cannot_be_read_is_an_error(self):
        self.record(1, "c1", t=True)
        self.quarantine("--format", "pytest", "--from", "q.txt", code=66)
        self.write("q.txt", "tests.test_a.TestOne::t # until=2027-01-01\n")
        self.quarantine("--format", "pytest", "--from", "q.txt", code=78)
        self.assertIn("q.txt: line 1: ", self.talk)

    def test_an_expiry_beyond_a_year_is_refused_where_the_list_is_used(self):
        self.record(1, "c1", t=True)
        self.write("q.txt", "tests.test_a.TestOne::t # expires=2099-01-01\n")
        self.quarantine("--format", "pytest", "--from", "q.txt", code=78)
        self.assertIn("expires=2099-01-01 is more than a year away", self.talk)


class Yaml(Quarantine):
    def test_what_is_written_is_read(self):
        self.flaky("test_x[\u65e5 a: 'b']")
        self.quarantine("--format", "yaml", "--output", "q.yaml")
        self.assertEqual(self.quarantine("--format", "pytest", "--from", "q.yaml"),
                         "tests/test_a.py::TestOne::test_x[\u65e5 a: 'b']\n")
        self.quarantine("--validate", "q.yaml")
        self.quarantine("--update", "q.yaml", code=64)
        self.quarantine("--from", "q.yaml", "--format", "flakestat", "--output", "q.txt")
        self.assertIn("tests.test_a.TestOne::test_x[\u65e5 a: 'b']\n", (self.root / "q.txt").read_text())

    def test_a_broken_one_is_an_error(self):
        self.record(1, "c1", t=True)
        self.write("q.yaml", "version: 1\nquarantined:\n- name: x\n")
        self.quarantine("--format", "pytest", "--from", "q.yaml", code=78)
        self.assertIn("q.yaml: line 3", self.talk)


class Updating(Quarantine):
    def test_adds_with_owner_reason_and_dates_and_keeps_every_other_byte(self):
        self.flaky()
        self.write(".github/CODEOWNERS", "* @all\n/tests/ @qa @lead\n")
        before = "# ours\r\n\r\nC::other   # owner=@x\r\nthis # is no entry\r\n"
        self.write("q.txt", before)
        self.quarantine("--update", "q.txt", code=65)
        after = (self.root / "q.txt").read_bytes().decode()
        self.assertEqual(after, before + "tests.test_a.TestOne::test_flip # owner=@qa,@lead "
                         f"added={self.today()} expires={self.today(90)} reason=flaky: 1 of 2 executions failed\r\n")
        self.assertIn("q.txt:4: unreadable", self.talk)

    def test_a_second_update_changes_nothing(self):
        self.flaky()
        self.quarantine("--update", "q.txt", "--expires", "30d")
        first = (self.root / "q.txt").read_bytes()
        self.assertIn(f"expires={self.today(30)}".encode(), first)
        self.quarantine("--update", "q.txt")
        self.assertEqual((self.root / "q.txt").read_bytes(), first)
        self.assertIn("nothing to add", self.talk)
        self.quarantine("--validate", "q.txt")

    def test_an_entry_may_last_a_year_at_most(self):
        self.flaky()
        for length in ("2y", "400d", "0d", "soon"):
            self.quarantine("--update", "q.txt", "--expires", length, code=64)
        self.assertFalse((self.root / "q.txt").exists())

    def test_the_list_of_the_configuration(self):
        self.flaky()
        self.quarantine("--update", code=64)
        self.write(".flakestat.json", '{"version":1,"quarantine":{"file":"lists/q.txt"}}')
        self.write("lists/q.txt", "")
        self.quarantine("--update")
        self.assertIn("test_flip", (self.root / "lists/q.txt").read_text())

    def test_a_name_that_cannot_stand_in_a_list_is_listed_by_its_id(self):
        self.flaky("test_x[a*b]", **{"test_x[a1b]": True})
        self.quarantine("--update", "q.txt")
        lines = (self.root / "q.txt").read_text().splitlines()
        self.assertIn("# tests.test_a.TestOne::test_x[a*b]", lines)
        self.assertRegex(lines[-1], r"^[0-9a-f]{16} # added=")
        self.assertEqual(self.quarantine("--format", "pytest", "--from", "q.txt"), "tests/test_a.py::TestOne::test_x[a*b]\n")

    def test_recovered_entries_are_reported_and_removed_on_demand(self):
        for i in range(11):
            self.record(100 - 10 * i, f"c{i}", t=True)
        self.write("q.txt", "# why\ntests.test_a.TestOne::t\nC::gone\n")
        self.quarantine("--update", "q.txt")
        self.assertIn("q.txt:2: tests.test_a.TestOne::t: recovered", self.talk)
        self.assertIn("q.txt:3: C::gone: unknown", self.talk)
        self.assertEqual((self.root / "q.txt").read_text(), "# why\ntests.test_a.TestOne::t\nC::gone\n")
        self.quarantine("--update", "q.txt", "--prune")
        self.assertEqual((self.root / "q.txt").read_text(), "# why\nC::gone\n")

    def test_one_green_run_is_reported_but_is_no_recovery(self):
        self.record(0.1, "c1", t=True)
        self.write("q.txt", "tests.test_a.TestOne::t\n")
        self.quarantine("--update", "q.txt", "--prune")
        self.assertIn("q.txt:1: tests.test_a.TestOne::t: passing: has passed since", self.talk)
        self.assertEqual((self.root / "q.txt").read_text(), "tests.test_a.TestOne::t\n")
        self.quarantine("--update", "q.txt", "--prune", "--retention", "0")
        self.assertEqual((self.root / "q.txt").read_text(), "")

    def test_the_retention_of_the_environment(self):
        for i in range(3):
            self.record(10 - 5 * i, f"c{i}", t=True)
        self.write("q.txt", "tests.test_a.TestOne::t\n")
        for days, kind in (("9", "recovered"), ("11", "passing"), ("0", "passing")):
            self.quarantine("--update", "q.txt", env={"FLAKESTAT_FLAKE_RETENTION_DAYS": days})
            self.assertIn(f"tests.test_a.TestOne::t: {kind}", self.talk)
        self.quarantine("--update", "q.txt", env={"FLAKESTAT_FLAKE_RETENTION_DAYS": "many"}, code=78)

    def test_a_test_that_does_not_run_is_not_healthy(self):
        for i in range(10):
            self.record(200 - 18 * i, f"c{i}", t=True, u=True)
        self.record(0.1, "c99", u=True)
        self.write("q.txt", "tests.test_a.TestOne::t\n")
        self.flakestat("compact") if "compact" in self.flakestat("-h") else None
        self.quarantine("--update", "q.txt", "--prune")
        self.assertIn("q.txt:1: tests.test_a.TestOne::t: not-run: has not run since", self.talk)
        self.assertEqual((self.root / "q.txt").read_text(), "tests.test_a.TestOne::t\n")

    def test_the_file_behind_a_link_is_edited(self):
        self.flaky()
        self.write("real.txt", "# mine\n")
        os.symlink("real.txt", self.root / "q.txt")
        self.quarantine("--update", "q.txt")
        self.assertTrue((self.root / "q.txt").is_symlink())
        self.assertIn("test_flip", (self.root / "real.txt").read_text())

    def test_a_name_that_is_another_tests_by_its_framework_is_listed_by_test_id(self):
        # `Outer::x` has a test `y`, and `Outer` one called `x.y`: both are `Outer::x.y` to some framework.
        for i, failure in enumerate(("", FAIL)):
            stamp = days_ago(3 - 0.01 * i).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.write(f"r{i}.xml", suite(case("x.y", failure, classname="Outer"), case("y", classname="Outer::x"),
                                          extra=f' timestamp="{stamp}"'))
            self.flakestat("ingest", f"r{i}.xml", "--commit", "c1", "--branch", "main")
        self.quarantine("--update", "q.txt")
        self.assertRegex((self.root / "q.txt").read_text(), "# Outer::x.y\n[0-9a-f]{16} # added=")

    def test_a_list_keeps_its_permissions(self):
        self.flaky()
        self.write("q.txt", "# mine\n")
        os.chmod(self.root / "q.txt", 0o640)
        self.quarantine("--update", "q.txt")
        self.assertEqual(os.stat(self.root / "q.txt").st_mode & 0o777, 0o640)

    def test_a_nested_class_is_not_named_by_its_outer_suite(self):
        for i, failure in enumerate(("", FAIL)):
            stamp = days_ago(3 - 0.01 * i).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.write(f"r{i}.xml", suite(case("same", failure, classname="p.Five"), case("same", classname="p.Five$In"),
                                          name="p.Five", extra=f' timestamp="{stamp}"'))
            self.flakestat("ingest", f"r{i}.xml", "--commit", "c1", "--branch", "main")
        self.quarantine("--update", "q.txt")
        self.assertEqual(self.quarantine("--from", "q.txt", "--format", "maven"), "p.Five#same\n")

    def test_json(self):
        self.flaky()
        self.write("q.txt", "C::gone\n")
        document = self.valid("quarantine-update", json.loads(self.quarantine("--update", "q.txt", "--format", "json")))
        self.assertTrue(document["changed"])
        self.assertEqual([one["entry"] for one in document["added"]], ["tests.test_a.TestOne::test_flip"])
        self.assertEqual([(one["line"], one["kind"]) for one in document["findings"]], [(1, "unknown")])


class Validating(Quarantine):
    def test_each_mistake_is_named_by_its_line(self):
        self.record(1, "c1", t=True)
        self.write("q.txt", f"""# fine
tests.test_a.TestOne::t # expires={self.today(30)}
tests.test_a.TestOne::t
tests.test_a.TestOne::t # when=os=mac
tests.test_a.TestOne::* # expires={self.today(-1)}
tests/test_a.py::* # expires=2099-01-01
C::gone
x # flaky
""")
        document = json.loads(self.quarantine("--validate", "q.txt", "--format", "json", code=1))
        self.assertEqual([(one["line"], one["kind"]) for one in document["problems"]],
                         [(3, "duplicate"), (5, "expired"), (6, "too-long"), (7, "unknown"), (8, "unreadable")])
        for number in (3, 5, 6, 7, 8):
            self.assertIn(f"q.txt:{number}: ", self.talk)
        self.valid("quarantine-validate", document)

    def test_a_good_list(self):
        self.record(1, "c1", t=True)
        self.write("q.txt", "# fine\ntests/test_a.py::TestOne::t # reason=JIRA-1\n")
        self.quarantine("--validate", "q.txt")
        self.assertIn("1 entry, nothing wrong", self.talk)

    def test_without_a_history_the_text_is_still_checked(self):
        self.write("q.txt", "C::t\n")
        self.quarantine("--validate", "q.txt")
        self.assertIn("was not checked", self.talk)
        self.write("q.txt", "C::t\nC::t\n")
        self.quarantine("--validate", "q.txt", code=1)

    def test_a_list_that_is_not_there(self):
        self.quarantine("--validate", "q.txt", code=66)


    def test_flags_that_say_nothing_here_are_refused(self):
        self.flaky()
        self.write("q.txt", "")
        for flags in (["--prune"], ["--expires", "30d"], ["--retention", "9d"], ["--dimension", "os=mac"],
                      ["--update", "q.txt", "--output", "x"], ["--validate", "q.txt", "--allow-broad"],
                      ["--update", "q.txt", "--validate", "q.txt"], ["--update", "q.txt", "--from", "q.txt"],
                      ["--update", "q.txt", "--format", "pytest"]):
            self.quarantine(*flags, code=64)
        self.assertEqual((self.root / "q.txt").read_text(), "")


class HookSources(Scenario):
    """The hooks are real files, so that their own languages can look at them."""

    CHECKS = {".py": [sys.executable, "-B", "-m", "py_compile"], ".cjs": ["node", "--check"], ".mjs": ["node", "--check"],
              ".rb": ["ruby", "-c"]}

    def test_each_is_well_formed(self):
        skipped = []
        for source in sorted((pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "src/hooks").iterdir()):
            if source.suffix not in self.CHECKS:
                continue
            copy = self.write(source.name, source.read_bytes())
            check = self.CHECKS[source.suffix]
            if shutil.which(check[0]) is None:
                skipped.append(source.name)
                continue
            done = subprocess.run([*check, copy], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 0, f"{source.name}: {done.stderr.decode()}")
        if skipped:
            self.skipTest(f"no interpreter for {skipped}")


class Hooks(Quarantine):
    """The hooks whose runner is Python itself are proven here with the real runner; docs/quarantine.md tells of the rest."""

    TESTS = """import unittest
class One(unittest.TestCase):
    def setUp(self): print("ran", self.id())
    def test_a(self): self.fail("listed")
    def test_ab(self): pass
"""

    def test_unittest(self):
        self.write("test_x.py", self.TESTS)
        self.write("q.txt", "test_x.One.test_a\n")
        self.flaky()
        self.quarantine("--format", "unittest", "--output", "out/list")
        done = subprocess.run([sys.executable, "out/flakestat_quarantine_unittest.py", "-m", "unittest", "-v", "test_x"],
                              cwd=self.root, env={**self.env, "FLAKESTAT_QUARANTINE_LIST": "q.txt"},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("skipped 'quarantined: test_x.One.test_a'", done.stderr.decode())
        self.assertEqual(done.stdout.decode().split(), ["ran", "test_x.One.test_ab"])

    def test_unittest_without_a_list_does_not_run_at_all(self):
        self.flaky()
        self.quarantine("--format", "unittest", "--output", "out/list")
        done = subprocess.run([sys.executable, "out/flakestat_quarantine_unittest.py", "-m", "unittest"], cwd=self.root,
                              env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("FLAKESTAT_QUARANTINE_LIST must name", done.stderr.decode())


if __name__ == "__main__":
    main()
