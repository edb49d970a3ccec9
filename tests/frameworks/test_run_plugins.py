"""`flakestat run` with the real pytest and what people use beside it: test_run_plugins.py 7|8|9 [UNITTEST ARGUMENTS].

Each number is a major version of pytest with its plugins, installed by scripts/frameworks.sh; FLAKESTAT_PLUGIN_PYTHON names another Python
that has them instead. Needs FLAKESTAT, the binary.
"""
import json
import os
import subprocess
import sys
import unittest

import run_projects
from run_projects import ROOT, RunTest

MAJOR = 9
MANY = """
    import pytest
    @pytest.mark.parametrize("n", range(8))
    def test_many(n): pass
"""
FLAKY = """
    import os, pytest
    def first(name):
        path = os.path.join(os.path.dirname(__file__), "seen-" + name)
        if os.path.exists(path):
            return False
        open(path, "w").close()
        return True
"""


class Coverage(RunTest):
    plugins = ("cov",)

    def setUp(self):
        super().setUp()
        self.write("lib.py", """
            def sign(x):
                if x > 0:
                    return "plus"
                if x < 0:
                    return "minus"
                return "zero"
            def never():
                return 1
        """)
        self.write("test_a.py", "import lib\ndef test_plus(): assert lib.sign(1) == 'plus'\n", MANY)
        self.write("test_b.py", "import lib\ndef test_minus(): assert lib.sign(-1) == 'minus'\n", MANY)

    def covered(self, done):
        data = json.loads(done.read("cov.json"))["files"]["lib.py"]
        return data["executed_lines"], data["missing_lines"], data.get("executed_branches"), data["summary"]["percent_covered"]

    def check(self, *args):
        found = self.same("--cov=lib", "--cov-report=json:cov.json", "--cov-report=term-missing", *args)
        for done in found[1:]:
            self.assertEqual(self.covered(done), self.covered(found[0]), done)
            self.assert_said(r"lib\.py +\d+ +\d", done)
        return found

    def test_a_coverage_that_is_too_low_fails_the_run(self):
        for done in self.check("--cov-fail-under=99"):
            self.assertEqual(done.code, 1, done)
            self.assert_said("(?i)required test coverage of 99", done)


class Async(RunTest):
    plugins = ("asyncio",)

    def test_coroutines_run_as_in_plain_pytest(self):
        self.write("pytest.ini", "[pytest]\nasyncio_mode = auto\n")
        self.write("test_asyncio.py", """
            import asyncio, pytest
            @pytest.fixture
            async def value():
                await asyncio.sleep(0)
                yield 3
                await asyncio.sleep(0)
            async def test_passes(value): assert value == 3
            async def test_fails(value): assert value == 4
            class TestClass:
                async def test_method(self): await asyncio.sleep(0)
        """)
        self.same()

    def test_a_rerun_has_a_loop_that_is_open(self):
        self.write("test_a.py", FLAKY, """
            import asyncio
            @pytest.mark.asyncio
            async def test_once():
                await asyncio.sleep(0)
                assert not first("once")
        """)
        for how in ("0", "2"):
            done = self.run_project(how, flags=("--reruns", "1"))
            self.assertEqual(done.code, 0, done)
            self.assert_said("1 flaky", done)


class Timeout(RunTest):
    def write_slow(self):
        self.write("test_a.py", FLAKY, """
            import time
            def test_slow_once():
                if first("slow"):
                    time.sleep(20)
            def test_quick(): pass
        """)

    def test_a_signal_ends_an_attempt_and_the_next_has_the_whole_time_again(self):
        self.write_slow()
        for how in ("0", "2"):
            done = self.run_project(how, "--timeout=1", "--timeout-method=signal", flags=("--reruns", "1"))
            self.assertEqual(done.code, 0, done)
            self.assert_said("1 flaky", done)

    def test_a_thread_ends_the_process_and_only_its_test_fails(self):
        self.write_slow()
        done = self.run_project("2", "--timeout=1", "--timeout-method=thread")
        self.assertEqual(done.code, 1, done)
        kinds = done.kinds()
        self.assertNotEqual(kinds["test_slow_once"], ["passed"], done)
        self.assertEqual(kinds["test_quick"], ["passed"], done)

    def test_both_kinds_of_plain_failures_are_the_same(self):
        self.write("test_a.py", "import time\ndef test_slow(): time.sleep(9)\n", MANY)
        self.same("--timeout=1")


class Randomly(RunTest):
    plugins = ("randomly",)

    def setUp(self):
        super().setUp()
        self.write("test_a.py", """
            import os, random, pytest
            @pytest.mark.parametrize("n", range(12))
            def test_order(n):
                with open(os.environ["ORDER"], "a") as file: file.write("%d %r\\n" % (n, random.random()))
        """)
        self.env = {"ORDER": "{folder}/order.txt"}

    def test_a_seed_gives_the_order_and_the_numbers_that_plain_pytest_has(self):
        plain, single = self.same("-p", "randomly", "-p", "no:xdist", "--randomly-seed=7", how=("0",))
        self.assertEqual(single.read("order.txt"), plain.read("order.txt"))
        both = self.same("--randomly-seed=7", how=("2",))[1]
        self.assertEqual(sorted(both.read("order.txt").split("\n")), sorted(plain.read("order.txt").split("\n")))

    def test_workers_agree_without_a_seed(self):
        self.same(how=("0", "2", "2", "2"))

    def test_it_can_be_left_out(self):
        done = self.same("-p", "no:randomly", how=("0",))[1]
        self.assertEqual([int(line.split()[0]) for line in done.read("order.txt").splitlines()], list(range(12)))


class Hypothesis(RunTest):
    def test_examples_deadlines_and_statistics_are_the_same(self):
        self.write("test_a.py", """
            import time
            from hypothesis import given, settings, strategies as st
            @given(st.integers())
            def test_holds(x): assert x + 0 == x
            @given(st.integers())
            def test_breaks(x): assert x < 100
            @settings(deadline=20)
            @given(st.integers())
            def test_late(x): time.sleep(0.05)
        """)
        self.same()

    def test_its_database_is_kept_and_read_again(self):
        self.write("test_a.py", """
            import os
            from hypothesis import given, strategies as st
            @given(st.integers(min_value=0))
            def test_breaks(x):
                with open(os.environ["SEEN"], "a") as file: file.write("%d\\n" % x)
                assert x < 100
        """)
        self.env = {"SEEN": "{folder}/seen.txt"}
        folder = self.copy()
        self.run_in(folder, "2")
        (folder / "seen.txt").unlink()
        again = self.run_in(folder, "2")
        self.assertEqual(again.read("seen.txt").split()[0], "100", again)


class Reruns(RunTest):
    plugins = ("flaky",)

    def executions(self, *args, flags=(), how="2"):
        self.env = {"TRACE": "{folder}/trace.txt"}
        done = self.run_project(how, *args, flags=flags)
        lines = done.read("trace.txt").split()
        return {name: lines.count(name) for name in lines}, done

    def write_failing(self, mark=""):
        self.write("test_a.py", f"""
            import os, pytest
            def trace(name):
                with open(os.environ["TRACE"], "a") as file: file.write(name + "\\n")
            {mark}
            def test_fails():
                trace("fails")
                assert 0
            def test_passes(): trace("passes")
        """)

    def test_reruns_in_addopts_are_made_once(self):
        self.write_failing()
        self.write("pytest.ini", "[pytest]\naddopts = --reruns 2\n")
        for how in ("0", "2"):
            self.assertEqual(self.executions("-p", "no:flaky", how=how)[0], {"fails": 3, "passes": 1})

    def test_our_own_flag_wins_over_addopts(self):
        self.write_failing()
        self.write("pytest.ini", "[pytest]\naddopts = --reruns 2\n")
        for how in ("0", "2"):
            self.assertEqual(self.executions("-p", "no:flaky", how=how, flags=("--reruns", "1"))[0], {"fails": 2, "passes": 1})

    def test_the_mark_of_rerunfailures_gives_its_reruns_and_no_more(self):
        self.write_failing("@pytest.mark.flaky(reruns=3)")
        for how in ("0", "2"):
            self.assertEqual(self.executions("-p", "no:flaky", how=how, flags=("--reruns", "1"))[0], {"fails": 4, "passes": 1})

    def test_the_decorator_of_the_flaky_plugin_does(self):
        self.write_failing("@__import__('flaky').flaky(max_runs=3)")
        for how in ("0", "2"):
            self.assertEqual(self.executions(how=how)[0], {"fails": 3, "passes": 1})

    def test_the_flaky_plugin_alone_changes_nothing(self):
        self.write_failing()
        self.env = {"TRACE": "{folder}/trace.txt"}
        self.same()


class Xdist(RunTest):
    def test_workers_in_addopts_are_ours(self):
        self.write("pytest.ini", "[pytest]\naddopts = -n 2 --dist loadfile\n")
        self.write("test_a.py", """
            import os
            def test_worker():
                assert b"flakestat" in open("/proc/%d/cmdline" % os.getppid(), "rb").read()
                with open(os.environ["WHO"], "a") as file: file.write(os.environ.get("PYTEST_XDIST_WORKER", "none"))
        """, MANY)
        self.env = {"WHO": "{folder}/who.txt"}
        for how, who in ((None, "gw"), ("2", "gw"), ("0", "none")):
            done = self.run_project(how)
            self.assertEqual((done.code, sum(done.outcomes.values())), (0, 9), done)
            self.assertTrue(done.read("who.txt").startswith(who), done)

    def test_workers_on_the_command_line_are_ours(self):
        self.write("test_a.py", """
            import os
            def test_worker():
                assert "flakestat" in open("/proc/%d/cmdline" % os.getppid()).read()
        """, MANY)
        folder = self.copy()
        done = self.run_in(folder, "2", "-n", "4")
        self.assertEqual(done.code, 0, done)

    def test_fixtures_of_xdist_are_there(self):
        self.write("test_a.py", "def test_worker(worker_id): assert worker_id\n", MANY)
        self.same()

    def test_a_folder_that_the_workers_share(self):
        self.write("conftest.py", """
            import os, pytest
            @pytest.fixture(scope="session")
            def shared(tmp_path_factory, worker_id):
                if worker_id == "master":
                    root = tmp_path_factory.mktemp("all")
                else:
                    root = tmp_path_factory.getbasetemp().parent
                for _ in range(500):
                    try:
                        os.mkdir(root / "lock")
                        break
                    except FileExistsError:
                        import time
                        time.sleep(0.01)
                count = root / "count"
                if not count.exists():
                    count.write_text(os.environ["PYTEST_CURRENT_TEST"] + "\\n")
                    with open(os.environ["MADE"], "a") as file: file.write("made\\n")
                os.rmdir(root / "lock")
                return count.read_text()
        """)
        self.write("test_a.py", "import pytest\n@pytest.mark.parametrize('n', range(20))\ndef test_shared(shared, n): assert shared\n")
        self.env = {"MADE": "{folder}/made.txt"}
        for done in self.same():
            self.assertEqual(done.read("made.txt"), "made\n")

    def test_basetemp_is_the_users(self):
        self.write("test_a.py", """
            import os, pytest
            @pytest.mark.parametrize("n", range(4))
            def test_there(tmp_path, n):
                assert os.environ["BASE"] in str(tmp_path)
        """)
        self.env = {"BASE": "/base/"}
        self.same("--basetemp=base", files=False)


class Collection(RunTest):
    def test_doctests(self):
        self.write("lib.py", '''
            def one():
                """
                >>> one()
                1
                """
                return 1
            def two():
                """
                >>> two()
                1
                """
                return 2
        ''')
        self.write("text.txt", ">>> 1 + 1\n2\n")
        self.same("--doctest-modules", "--doctest-glob=*.txt")

    def test_unittest_classes_whose_set_up_fails(self):
        self.write("test_a.py", """
            import unittest
            class Broken(unittest.TestCase):
                @classmethod
                def setUpClass(cls): raise RuntimeError("no")
                def test_one(self): pass
                def test_two(self): pass
            class Leaky(unittest.TestCase):
                @classmethod
                def tearDownClass(cls): raise RuntimeError("no")
                def test_one(self): pass
            class Odd(unittest.TestCase):
                @unittest.skip("not now")
                def test_skipped(self): pass
                @unittest.expectedFailure
                def test_expected(self): self.fail()
                @unittest.expectedFailure
                def test_unexpected(self): pass
                def setUp(self): self.addCleanup(lambda: None)
        """)
        self.same()

    def test_skips_and_expected_failures(self):
        self.write("pytest.ini", "[pytest]\nxfail_strict = true\n")
        self.write("test_a.py", """
            import pytest
            @pytest.mark.xfail
            def test_strict(): pass
            @pytest.mark.xfail(strict=False)
            def test_lax(): pass
            @pytest.mark.xfail(raises=ValueError)
            def test_other(): raise KeyError
            @pytest.mark.xfail(run=False)
            def test_not_run(): raise KeyError
            def test_called(): pytest.xfail("said")
            @pytest.mark.skipif(True, reason="always")
            def test_skipped(): pass
            @pytest.fixture
            def skips(): pytest.skip("from the fixture")
            def test_fixture(skips): pass
        """)
        self.write("test_b.py", "import pytest\npytest.skip('whole', allow_module_level=True)\n")
        self.write("test_c.py", "import pytest\npytest.importorskip('no_such_module')\n")
        self.same()

    def test_captured_output_and_live_logs(self):
        self.write("pytest.ini", "[pytest]\nlog_cli = true\nlog_cli_level = INFO\nlog_file = all.log\n")
        self.write("test_a.py", """
            import logging, os, sys
            def test_sys(capsys):
                print("x")
                assert capsys.readouterr().out == "x\\n"
            def test_fd(capfd):
                os.system("echo y")
                assert capfd.readouterr().out == "y\\n"
            def test_log(caplog):
                logging.getLogger().warning("z")
                assert "z" in caplog.text
            def test_said():
                print("to stdout"); print("to stderr", file=sys.stderr)
                assert 0
        """)
        self.same("-p", "no:randomly", files=False)

    def test_errors_of_collection(self):
        self.write("test_a.py", "import no_such_module\n")
        self.write("test_b.py", MANY)
        self.same("--continue-on-collection-errors")
        for how in ("plain", "0", "2"):
            done = self.run_project(how)
            self.assertEqual((done.code, done.kinds()["test_a"]), (2, ["error"]), done)

    def test_nothing_to_run_and_wrong_arguments(self):
        self.write("test_a.py", MANY)
        for how in ("0", "2"):
            self.assertEqual(self.run_project(how, "-k", "nothing").code, 5)
            self.assertEqual(self.run_project(how, "--no-such-option").code, 4)
            self.assertEqual(self.run_project(how, "no_such_file.py").code, 4)

    def test_selections(self):
        self.write("test_a.py", MANY, "\ndef test_other(): pass\n@pytest.mark.slow\ndef test_slow(): pass\n")
        self.write("pytest.ini", "[pytest]\nmarkers = slow\n")
        self.same("-k", "many and not 3")
        self.same("-m", "not slow")
        self.same("test_a.py::test_other", "test_a.py::test_many[2]")
        self.same("--deselect", "test_a.py::test_other")


class Layout(RunTest):
    def test_importlib_and_a_source_folder(self):
        self.write("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["src"]\naddopts = "--import-mode=importlib"\ntestpaths = ["tests"]\n')
        self.write("src/pack/__init__.py", "VALUE = 1\n")
        self.write("tests/test_a.py", "import pack\ndef test_value(): assert pack.VALUE == 1\n", MANY)
        self.write("tests/other/test_a.py", MANY)
        self.same()

    def test_the_ini_is_in_a_folder_above(self):
        self.write("pytest.ini", "[pytest]\n")
        self.write("conftest.py", "import pytest\n@pytest.fixture\ndef above(): return 1\n")
        self.write("part/tests/test_a.py", "def test_above(above): assert above\n", MANY)
        self.below = "part"
        self.same()
        self.same("tests/test_a.py")

    def test_what_can_be_imported_depends_on_how_pytest_is_started(self):
        self.write("helper.py", "")
        self.write("tests/test_a.py", """
            import sys, os
            def test_path():
                with open(os.environ["PATHS"], "w") as file: file.write("\\n".join(sys.path).replace(os.getcwd(), "HERE"))
            def test_helper(): import helper
            def test_argv(): assert sys.argv[0].endswith(os.environ["ARGV0"]), sys.argv
        """)
        self.env = {"PATHS": "{folder}/paths.txt", "PYTHONPATH": "/nonexistent/a:/nonexistent/b"}
        for launch, argv0 in ((["-m", "pytest"], "pytest/__main__.py"), (["script"], "bin/pytest")):
            self.launch, self.env["ARGV0"] = launch, argv0
            plain, *ours = self.same()
            for done in ours:
                self.assertEqual(done.read("paths.txt"), plain.read("paths.txt"))

    def test_no_cache_and_one_that_cannot_be_written(self):
        self.write("test_a.py", "def test_fails(): assert 0\n", MANY)
        self.same("-p", "no:cacheprovider")
        self.write(".pytest_cache", "a file in the way")
        self.same()

    def test_last_failed_is_remembered_for_plain_pytest_and_for_us(self):
        self.write("test_a.py", "def test_fails(): assert 0\n", MANY)
        folder = self.copy()
        self.run_in(folder, "2")
        self.assertEqual(len(self.run_in(folder, "plain", "--lf").outcomes), 1)
        self.assertEqual(len(self.run_in(folder, "2", "--lf").outcomes), 1)


class Conftest(RunTest):
    def test_hooks_are_called_where_xdist_calls_them(self):
        self.write("conftest.py", """
            import os
            def where(config):
                return "worker" if hasattr(config, "workerinput") else "main"
            def put(*words):
                with open(os.environ["CALLS"], "a") as file: file.write(" ".join(map(str, words)) + "\\n")
            CONFIG = []
            def pytest_configure(config): CONFIG.append(config); put(where(config), "configure")
            def pytest_sessionstart(session): put(where(session.config), "sessionstart")
            def pytest_sessionfinish(session, exitstatus): put(where(session.config), "sessionfinish", int(exitstatus), session.testsfailed)
            def pytest_unconfigure(config): put(where(config), "unconfigure")
            def pytest_runtest_logreport(report): put(where(CONFIG[0]), "report", report.nodeid, report.when, report.outcome)
            def pytest_terminal_summary(terminalreporter, exitstatus, config):
                put(where(config), "summary", int(exitstatus), len(terminalreporter.stats.get("failed", [])), len(terminalreporter.stats.get("passed", [])))
                terminalreporter.write_line("MY OWN SUMMARY")
        """)
        self.write("test_a.py", "def test_fails(): assert 0\n", MANY)
        self.env = {"CALLS": "{folder}/calls.txt"}
        plain = self.run_project("plain")
        single = self.run_project("0")
        self.assertEqual(single.read("calls.txt"), plain.read("calls.txt"), single)
        two, xdist = self.run_project("2"), self.run_project("xdist")
        main = [sorted(line for line in done.read("calls.txt").splitlines() if line.startswith("main")) for done in (two, xdist)]
        self.assertEqual(main[0], main[1], two)
        for name in ("configure", "sessionstart", "report", "sessionfinish"):
            self.assertIn(f"worker {name}", two.read("calls.txt"))
            self.assertIn(f"worker {name}", xdist.read("calls.txt"))
        self.assert_said("MY OWN SUMMARY", two)
        self.assertEqual(two.code, 1, two)


def main():
    global MAJOR
    if len(sys.argv) < 2 or sys.argv[1] not in ("7", "8", "9"):
        sys.exit(__doc__)
    MAJOR = int(sys.argv.pop(1))
    if "FLAKESTAT_PLUGIN_PYTHON" not in os.environ:
        installed = subprocess.run([ROOT / "scripts/frameworks.sh", f"pytest{MAJOR}"], stderr=subprocess.PIPE, text=True)
        if installed.returncode:
            sys.stderr.write(installed.stderr)
            sys.exit(installed.returncode)
        run_projects.PYTHON = str(ROOT / f".deps/frameworks/pytest{MAJOR}/bin/python")
    unittest.main()


if __name__ == "__main__":
    main()
