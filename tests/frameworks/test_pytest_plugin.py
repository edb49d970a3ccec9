"""The pytest plugin, with flakestat played by plugin_driver.py: test_pytest_plugin.py 7|8|9 [UNITTEST ARGUMENTS].

Each number is a major version of pytest with the plugins that people use beside it, installed by scripts/frameworks.sh;
FLAKESTAT_PLUGIN_PYTHON names another Python that has them instead.
"""
import difflib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from plugin_driver import Gone, Pytest, is_failure, rerun_up_to, run_single, settle

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("FLAKESTAT_PLUGIN_PYTHON", sys.executable)
MAJOR = 9
QUIET = ["-p", "no:randomly", "-p", "no:django"]
ONCE = """
    import pytest
    seen = {}
    def once(name, times=1):
        seen[name] = seen.get(name, 0) + 1
        assert seen[name] > times, name
"""


class PluginTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="flakestat-plugin-"))
        self.addCleanup(shutil.rmtree, self.root, True)

    def write(self, name, *parts):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(textwrap.dedent(part) for part in parts), encoding="utf-8")

    def start(self, mode="worker", *args, **setup):
        pytest = Pytest(PYTHON, self.root, mode, [*QUIET, *args], **setup)
        self.addCleanup(pytest.close)
        return pytest

    def worker(self, *args, verdict=None, order=None, **setup):
        pytest = self.start("worker", *args, **setup)
        pytest.code = pytest.run_all(verdict, order)
        return pytest

    def single(self, *args, verdict=None, order=None, **setup):
        pytest, code = run_single(PYTHON, self.root, [*QUIET, *args], verdict, order, **setup)
        pytest.code, pytest.text = code, pytest.output["stdout"].decode()
        return pytest

    def names(self, pytest):
        return [one.split("::", 1)[1] for one in pytest.of("collected")[0]["ids"]]

    def attempts(self, pytest):
        """{test: ["setup:failed", "passed", ...], one entry an attempt}"""
        found, names = {}, self.names(pytest)
        for done in pytest.of("done"):
            parts = [f"{part['w']}:{part['o']}" for part in done.get("r", [])]
            attempts = found.setdefault(names[done["i"]], [])
            self.assertEqual(done["a"], len(attempts))
            attempts.append(" ".join(parts) or "passed")
        return found


class Worker(PluginTest):
    def test_every_phase_is_told_and_a_passing_test_costs_one_short_message(self):
        self.write("test_a.py", """
            import pytest
            @pytest.fixture
            def broken(): raise ValueError("in setup")
            @pytest.fixture
            def leaky():
                yield
                raise ValueError("in teardown")
            def test_passes(): pass
            def test_fails(): print("said"); assert 1 == 2, "two words"
            def test_setup(broken): pass
            def test_teardown(leaky): pass
            def test_both(leaky): assert 0
            def test_skipped(): pytest.skip("no time")
            @pytest.mark.xfail(reason="known")
            def test_xfailed(): assert 0
            @pytest.mark.xfail
            def test_xpassed(): pass
            @pytest.mark.xfail(strict=True)
            def test_strict(): pass
        """)
        pytest = self.worker()
        self.assertEqual(self.attempts(pytest), {
            "test_passes": ["passed"], "test_fails": ["call:failed"], "test_setup": ["setup:failed"],
            "test_teardown": ["teardown:failed"], "test_both": ["call:failed teardown:failed"],
            "test_skipped": ["call:skipped"], "test_xfailed": ["call:xfailed"], "test_xpassed": ["call:xpassed"],
            "test_strict": ["call:failed"]})
        done = {self.names(pytest)[one["i"]]: one for one in pytest.of("done")}
        self.assertEqual(set(done["test_passes"]), {"e", "i", "a", "t", "d"})
        self.assertIsNone(done["test_setup"]["d"][1])
        failed = done["test_fails"]["r"][0]
        self.assertIn("two words", failed["m"])
        self.assertNotIn("\n", failed["m"])
        self.assertIn("def test_fails", failed["x"])
        self.assertEqual(done["test_fails"]["c"], [["Captured stdout call", "said\n"]])
        self.assertEqual(done["test_skipped"]["r"][0]["m"], "no time")
        self.assertEqual(done["test_xfailed"]["r"][0]["m"], "known")
        self.assertEqual([message["e"] for message in pytest.messages][:2], ["hello", "collected"])
        self.assertEqual(pytest.messages[-1]["e"], "bye")
        self.assertEqual(pytest.output["stdout"], b"")

    def test_what_failed_once_passes_on_its_second_attempt_wherever_it_failed(self):
        self.write("test_a.py", ONCE, """
            @pytest.fixture
            def f(): once("f")
            @pytest.fixture
            def f_end():
                yield
                once("f_end")
            @pytest.fixture(scope="class")
            def c(): once("c")
            @pytest.fixture(scope="module")
            def m(): once("m"); yield "module"
            @pytest.fixture(scope="session")
            def s(): once("s"); yield "session"
            @pytest.fixture(scope="module")
            def above(s): return s
            def test_setup(f): pass
            def test_call(): once("call")
            def test_teardown(f_end): pass
            def test_module(m): assert m == "module"
            def test_session(above): assert above == "session"
            class TestC:
                def test_class(self, c): pass
                def test_fresh_object(self):
                    assert not hasattr(self, "used")
                    self.used = True
                    once("object")
            def test_folder(tmp_path):
                assert not list(tmp_path.iterdir())
                (tmp_path / "x").write_text("")
                once("folder")
            def test_properties(record_property, capsys):
                record_property("k", 1)
                print("again")
                once("properties")
        """)
        pytest = self.worker(verdict=rerun_up_to(2))
        for name, attempts in self.attempts(pytest).items():
            self.assertEqual(len(attempts), 2, (name, attempts))
            self.assertIn("failed", attempts[0])
            self.assertEqual(attempts[1], "passed", name)
        self.assertEqual(pytest.of("done")[-1]["p"], [["k", "1"]])
        self.assertEqual(pytest.code, 0)

    def test_fixtures_of_a_module_that_fail_at_its_end_are_rerun_too(self):
        self.write("test_a.py", ONCE, """
            @pytest.fixture(scope="module", autouse=True)
            def m():
                yield
                once("end")
            def test_1(): pass
            def test_2(): pass
        """)
        self.write("test_b.py", "def test_3(): pass\n")
        pytest = self.worker(verdict=rerun_up_to(1))
        self.assertEqual(self.attempts(pytest), {"test_1": ["passed"], "test_2": ["teardown:failed", "passed"], "test_3": ["passed"]})

    def test_setup_functions_of_module_and_class_are_called_again_after_they_failed(self):
        self.write("test_a.py", ONCE, """
            import unittest
            def setup_module(): once("module")
            class TestA:
                @classmethod
                def setup_class(cls): once("class")
                def setup_method(self): once("method")
                def test_a(self): pass
            class TestU(unittest.TestCase):
                @classmethod
                def setUpClass(cls): once("uclass")
                def setUp(self):
                    assert not hasattr(self, "used")
                    self.used = True
                    once("setUp")
                def test_u(self): once("u")
        """)
        pytest = self.worker(verdict=rerun_up_to(9))
        self.assertEqual([len(attempts) for attempts in self.attempts(pytest).values()], [4, 4])
        self.assertTrue(all(attempts[-1] == "passed" for attempts in self.attempts(pytest).values()))

    def test_what_a_failed_fixture_had_registered_is_cleaned_up_before_the_next_attempt(self):
        self.write("test_a.py", ONCE, """
            open_now = []
            @pytest.fixture(scope="session")
            def resource(request):
                assert not open_now
                open_now.append(1)
                request.addfinalizer(open_now.pop)
                once("resource")
            def test_a(resource): assert open_now == [1]
            def test_b(): assert open_now == [1]
        """)
        pytest = self.worker(verdict=rerun_up_to(1))
        self.assertEqual(self.attempts(pytest), {"test_a": ["setup:failed", "passed"], "test_b": ["passed"]})

    def test_a_doctest_starts_afresh(self):
        self.write("test_a.py", '''
            """
            >>> import builtins
            >>> builtins.tries = getattr(builtins, "tries", 0) + 1
            >>> "left" in globals()
            False
            >>> left = 1
            >>> builtins.tries
            2
            """
        ''')
        pytest = self.worker("--doctest-modules", verdict=rerun_up_to(1))
        self.assertEqual(self.attempts(pytest), {"test_a": ["call:failed", "passed"]})

    def test_a_mark_added_by_one_attempt_does_not_excuse_the_next(self):
        self.write("test_a.py", """
            import pytest
            def test_a(request):
                request.node.add_marker(pytest.mark.skip(reason="left over"))
                assert 0
        """)
        pytest = self.worker(verdict=rerun_up_to(1))
        self.assertEqual(self.attempts(pytest), {"test_a": ["call:failed", "call:failed"]})

    def test_subtests_are_told_one_by_one_and_fail_their_test(self):
        self.write("test_a.py", """
            import unittest
            tries = []
            class TestU(unittest.TestCase):
                def test_u(self):
                    tries.append(1)
                    for i in range(3):
                        with self.subTest("part", i=i):
                            assert i != 1 or len(tries) > 1
            def test_s(subtests):
                with subtests.test(msg="one"): assert 0
                with subtests.test(msg="two"): pass
        """)
        pytest = self.worker(verdict=rerun_up_to(1))
        attempts = self.attempts(pytest)
        self.assertEqual(len(attempts["TestU::test_u"]), 2)
        self.assertEqual(attempts["TestU::test_u"][1], "passed")
        self.assertEqual(len(attempts["test_s"]), 2)
        first = [one for one in pytest.of("done") if one.get("r")][0]["r"]
        self.assertRegex(first[0]["s"], r"\[part\] \(i='?1'?\)")
        if MAJOR >= 9:
            self.assertEqual(first[-1]["m"], "contains 1 failed subtest")

    def test_it_is_an_xdist_worker_to_everybody_and_nobody_else_reruns_or_distributes(self):
        self.write("pytest.ini", "[pytest]\naddopts = -n 4 --dist loadfile --reruns 5 --maxfail 1 -p no:django\n")
        self.write("conftest.py", """
            import os
            assert os.environ["PYTEST_XDIST_WORKER"] == "gw3"
            def pytest_configure(config):
                assert config.workerinput["workerid"] == "gw3"
                config.workeroutput["said"] = [1]
        """)
        self.write("test_a.py", ONCE, """
            import os
            from flaky import flaky
            def test_fails(): assert 0
            def test_also(): assert 0
            @flaky
            def test_decorated(): once("decorated")
            @pytest.mark.flaky(reruns=2)
            def test_marked(): once("marked")
            def test_ids(worker_id, testrun_uid, request, tmp_path_factory):
                assert (worker_id, testrun_uid) == ("gw3", "uid0")
                assert request.config.workerinput["workercount"] == 5
                assert os.environ["PYTEST_XDIST_WORKER_COUNT"] == "5"
                assert os.environ["PYTEST_XDIST_TESTRUNUID"] == "uid0"
                assert tmp_path_factory.getbasetemp().name == "popen-gw3"
                assert "FLAKESTAT_RUN_SETUP" not in os.environ
        """)
        pytest = self.worker(worker="gw3", workers=5, basetemp=str(self.root / "temp"))
        self.assertEqual(self.attempts(pytest), {
            "test_fails": ["call:failed"], "test_also": ["call:failed"], "test_decorated": ["call:failed"],
            "test_marked": ["call:failed"], "test_ids": ["passed"]})
        options = pytest.of("hello")[0]["options"]
        self.assertEqual((options["numprocesses"], options["dist"], options["maxfail"], options["reruns"]), (4, "loadfile", 1, 5))
        self.assertEqual(pytest.of("bye")[0]["output"]["said"], [1])
        self.assertEqual(pytest.of("collected")[0]["marks"], {
            "2": {"flaky": {"reruns": 1, "reruns_delay": 0.0}}, "3": {"flaky": {"reruns": 2, "reruns_delay": 0.0}}})

    def test_the_wrappers_of_other_plugins_are_around_every_attempt(self):
        self.write("conftest.py", """
            import pytest
            @pytest.hookimpl(hookwrapper=True)
            def pytest_runtest_protocol(item):
                item.session.config.workeroutput.setdefault("calls", []).append("before")
                yield
                item.session.config.workeroutput["calls"].append("after")
        """)
        self.write("test_a.py", "import warnings\ndef test_a():\n    warnings.warn('seen')\n    assert 0\n")
        pytest = self.worker(verdict=rerun_up_to(1))
        self.assertEqual(pytest.of("bye")[0]["output"]["calls"], ["before", "after"] * 2)
        self.assertEqual([one["message"] for one in pytest.of("warning")], ["seen"] * 2)
        self.assertEqual(pytest.of("warning")[0]["location"], "test_a.py:3")

    def test_a_plugin_that_runs_the_tests_itself_is_asked_first_and_still_told(self):
        self.write("conftest.py", """
            import pytest
            from _pytest.runner import runtestprotocol
            def pytest_runtest_protocol(item, nextitem):
                item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
                runtestprotocol(item, nextitem=nextitem)
                item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
                return True
        """)
        self.write("test_a.py", ONCE, """
            def test_a(): once("a")
            def test_b(): pass
        """)
        pytest = self.worker(verdict=rerun_up_to(1))
        self.assertEqual(self.attempts(pytest), {"test_a": ["call:failed", "passed"], "test_b": ["passed"]})

    def test_tests_may_break_everything_that_we_use(self):
        self.write("test_a.py", ONCE, """
            import builtins, json, os, signal, socket, struct, sys, threading, time
            from freezegun import freeze_time
            @freeze_time("2001-01-01")
            def test_frozen(): once("frozen")
            @pytest.fixture
            def frozen(freezer=None):
                with freeze_time("2001-01-01"): yield
            def test_frozen_all_through(frozen): once("through")
            def test_patched(monkeypatch):
                for module, name in ((time, "time"), (time, "sleep"), (json, "dumps"), (os, "getpid"), (os, "write"), (struct, "pack_into")):
                    monkeypatch.setattr(module, name, None)
                once("patched")
            def test_environment(monkeypatch):
                os.chdir("/")
                sys.stdout = sys.stderr = None
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                socket.setdefaulttimeout(0.001)
                once("environment")
            def test_deep():
                def down(): down()
                down()
            def test_thread():
                thread = threading.Thread(target=lambda: 1 / 0)
                thread.start(); thread.join()
                once("thread")
            def test_low_descriptors():
                os.closerange(3, 300)
        """)
        pytest = self.worker("--capture=sys", verdict=rerun_up_to(1))
        attempts = self.attempts(pytest)
        self.assertEqual({name: len(found) for name, found in attempts.items()}, {
            "test_frozen": 2, "test_frozen_all_through": 2, "test_patched": 2, "test_environment": 2, "test_deep": 2,
            "test_thread": 2, "test_low_descriptors": 1})
        self.assertTrue(all(one["t"] > 1.6e9 for one in pytest.of("done")))
        self.assertEqual(pytest.state()["index"], -1)

    def test_texts_of_any_kind_arrive(self):
        self.write("test_a.py", r'''
            import pytest
            class Bad(Exception):
                def __str__(self): raise RuntimeError("no")
                __repr__ = __str__
            def test_bad(): raise Bad()
            def test_surrogate(): raise ValueError("a\ud800b\x00c\x1b[31m")
            def test_long():
                print("x" * 3000000)
                raise ValueError("line\n" * 500000)
            class Odd:
                def __str__(self): raise RuntimeError("no")
            def test_properties(record_property): record_property("k", Odd()); record_property("e", "\udcff")
            @pytest.mark.parametrize("x", ["\n", "\x1b]0;x", "a::b[c]", "é"])
            def test_names(x): pass
        ''')
        pytest = self.worker()
        done = {self.names(pytest)[one["i"]]: one for one in pytest.of("done")}
        self.assertIn("a\\ud800b", done["test_surrogate"]["r"][0]["m"])
        self.assertIn("left out", done["test_long"]["r"][0]["x"])
        self.assertLess(len(done["test_long"]["r"][0]["x"]), 1 << 20)
        self.assertIn("left out", done["test_long"]["c"][0][1])
        self.assertEqual(done["test_properties"]["p"][1], ["e", "\\udcff"])
        self.assertEqual(len(done), 8)

    def test_reports_of_marks_and_places(self):
        self.write("sub/test_b.py", """
            import pytest
            pytestmark = pytest.mark.xdist_group("module")
            @pytest.mark.serial
            def test_serial(): pass
            @pytest.mark.xdist_group(name="own")
            @pytest.mark.flaky(reruns=3, reruns_delay=2, only_rerun=[ValueError, "a|b"], rerun_except="c", condition="1 == 1")
            def test_flaky(): pass
            @pytest.mark.flaky(reruns=3, condition=False)
            def test_condition(): pass
            @pytest.mark.flaky(reruns=3, condition=lambda error: isinstance(error, ValueError))
            def test_callable(): pass
            @pytest.mark.flaky
            class TestC:
                def test_inherits(self): pass
                @pytest.mark.flaky(max_runs=5)
                def test_nearest(self): pass
        """)
        collected = self.worker().of("collected")[0]
        self.assertEqual(set(collected["files"]), {"sub/test_b.py"})
        self.assertEqual(collected["marks"], {
            "0": {"serial": True, "group": "module"},
            "1": {"flaky": {"reruns": 3, "reruns_delay": 2.0, "only_rerun": ["ValueError", "a|b"], "rerun_except": ["c"]}, "group": "own"},
            "2": {"group": "module"}, "3": {"group": "module"},
            "4": {"flaky": {"reruns": 1, "reruns_delay": 0.0}, "group": "module"},
            "5": {"flaky": {"reruns": 4, "reruns_delay": 0.0}, "group": "module"}})

    def test_places_are_those_of_pytest(self):
        self.write("helper.py", """
            import functools
            def decorate(function):
                @functools.wraps(function)
                def inner(): function()
                return inner
            def test_elsewhere(): pass
        """)
        self.write("test_a.py", """
            import unittest
            from helper import decorate, test_elsewhere
            @decorate
            def test_a(): pass
            def test_b(): pass
            class TestU(unittest.TestCase):
                def test_u(self): pass
        """)
        self.write("conftest.py", """
            def pytest_collection_finish(session):
                session.config.workeroutput["places"] = [item.location[:2] for item in session.items]
        """)
        pytest = self.worker()
        collected = pytest.of("collected")[0]
        self.assertEqual([[file, line - 1] for file, line in zip(collected["files"], collected["lines"])],
                         pytest.of("bye")[0]["output"]["places"])

    def test_only_the_digest_is_sent_by_others_than_the_leader_until_asked(self):
        self.write("test_a.py", "def test_a(): pass\ndef test_b(): pass\n")
        full = self.worker().of("collected")[0]
        pytest = self.start(leader=False, identities=False)
        short = pytest.until("collected")
        self.assertEqual(set(short), {"e", "count", "hash", "deselected"})
        self.assertEqual(short["hash"], full["hash"])
        pytest.send("ids")
        self.assertEqual(pytest.until("collected"), full)
        pytest.send("quit")
        self.assertEqual(pytest.finish(), 0)
        self.assertEqual(pytest.of("done"), [])

    def test_after_nothing_follows_the_next_test_may_still_come(self):
        self.write("test_a.py", """
            import pytest
            @pytest.fixture(scope="module")
            def m(): return []
            def test_a(m): assert not m; m.append(1)
            def test_b(m): assert not m
        """)
        pytest = self.start()
        pytest.until("collected")
        pytest.send("go")
        for packet in ("T 0 0", "E"):
            pytest.give(packet)
        self.assertEqual(pytest.until("done")["i"], 0)
        for packet in ("T 1 4", "Q"):
            pytest.give(packet)
        done = pytest.until("done")
        self.assertEqual((done["i"], done["a"], is_failure(done)), (1, 4, False))
        pytest.send("verdict", **settle(done))
        self.assertEqual(pytest.finish(), 0)

    def test_a_rerun_is_answered_whatever_its_outcome(self):
        self.write("test_a.py", """
            import pytest
            seen = []
            def test_a():
                seen.append(1)
                assert len(seen) != 1
                if len(seen) == 2: pytest.skip("not now")
            def test_b(): pass
        """)
        pytest = self.worker(verdict=lambda done: {"rerun": done["a"] < 3, "delay": 0} if done["a"] < 3 else settle(done))
        self.assertEqual([(one["i"], one["a"]) for one in pytest.of("done")], [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)])

    def test_a_delay_and_a_reason_to_stop_are_obeyed(self):
        self.write("test_a.py", "def test_a(): assert 0\ndef test_b(): pass\n")
        pytest = self.worker(verdict=lambda done: {"rerun": True, "delay": 0.3} if not done["a"] else
                             {"rerun": False, "fate": "failed", "stop": "enough of it"})
        first, second = pytest.of("done")
        self.assertGreater(second["t"] - first["t"], 0.3)
        self.assertEqual([one["why"] for one in pytest.of("stop")], ["enough of it"])

    def test_the_page_says_what_is_running(self):
        self.write("test_a.py", """
            import pytest, time
            @pytest.fixture
            def slow():
                yield
                time.sleep(30)
            def test_a(): pass
            def test_b(slow): pass
        """)
        pytest = self.start()
        pytest.until("collected")
        self.assertEqual(pytest.state()["index"], -1)
        pytest.send("go")
        for packet in ("T 0 0", "T 1 2", "Q"):
            pytest.give(packet)
        pytest.until("done")
        for _ in range(200):
            time.sleep(0.02)
            if pytest.state()["phase"] == 3:
                break
        state = pytest.state()
        self.assertEqual((state["index"], state["attempt"], state["phase"], state["writes"] % 2), (1, 2, 3, 0))
        self.assertLess(abs(time.time() - state["start"]), 20)
        pytest.process.kill()
        pytest.finish()
        self.assertEqual(pytest.state()["index"], 1)


class Neighbours(PluginTest):
    """Other plugins, as far as a worker has to treat them with care."""

    def test_a_time_limit_holds_for_each_attempt_and_not_for_our_answer(self):
        self.write("test_a.py", ONCE, """
            import time
            @pytest.mark.timeout(1)
            def test_slow_once():
                seen[0] = seen.get(0, 0) + 1
                time.sleep(30 if seen[0] == 1 else 0)
            @pytest.mark.timeout(1)
            def test_fails(): once("fails")
        """)

        def verdict(done):
            time.sleep(1.2)
            return rerun_up_to(2)(done)

        pytest = self.worker(verdict=verdict)
        self.assertEqual(self.attempts(pytest), {"test_slow_once": ["call:failed", "passed"], "test_fails": ["call:failed", "passed"]})
        self.assertIn("Timeout", pytest.of("done")[0]["r"][0]["m"])
        self.assertEqual(pytest.of("stop"), [])

    def collection(self, *args, **setup):
        pytest = Pytest(PYTHON, self.root, "worker", ["-p", "no:django", *args], **setup)
        self.addCleanup(pytest.close)
        pytest.run_all(order=[])
        return pytest.of("collected")[0]

    def test_all_workers_shuffle_alike(self):
        self.write("test_a.py", *[f"def test_{number}(): pass\n" for number in range(40)])
        first = self.collection(randomly_seed=7)
        self.assertNotEqual(first["ids"], sorted(first["ids"], key=lambda one: int(one.split("_")[-1])))
        self.assertEqual(self.collection(randomly_seed=7, worker="gw1", leader=False, identities=False)["hash"], first["hash"])
        self.assertNotEqual(self.collection(randomly_seed=8)["hash"], first["hash"])
        self.assertEqual(self.collection("-p", "randomly", "--randomly-seed=7", randomly_seed=8)["hash"], first["hash"])

    def test_a_worker_erases_no_coverage(self):
        self.write(".coveragerc", "[run]\nparallel = true\n")
        self.write("test_a.py", "def test_a(): pass\n")
        for name in (".coverage", ".coverage.other"):
            self.write(name, "kept")
        self.worker("--cov=.", "--cov-report=")
        self.assertEqual({(self.root / name).read_text() for name in (".coverage", ".coverage.other")}, {"kept"})
        self.assertEqual(len(list(self.root.glob(".coverage.*"))), 2)

    def test_a_repeated_test_is_a_test_of_its_own_to_hypothesis_and_asyncio(self):
        self.write("pytest.ini", "[pytest]\nasyncio_mode = auto\n")
        self.write("test_a.py", ONCE, """
            from hypothesis import given, settings, strategies
            @settings(max_examples=5, database=None)
            @given(strategies.integers())
            def test_given(value):
                if not seen.get("given"):
                    raise ValueError("first")
            @pytest.fixture(autouse=True)
            def after(request):
                yield
                seen["given"] = True
            @pytest.fixture
            async def made(): return 3
            async def test_async(made):
                assert made == 3
                once("async")
        """)
        self.assertEqual(self.attempts(self.worker(verdict=rerun_up_to(1))), {
            "test_given": ["call:failed", "passed"], "test_async": ["call:failed", "passed"]})

    def test_a_process_that_a_test_boxes_is_told_by_its_plugin(self):
        """Reports that do not come from our protocol: a part of an unknown name is the call."""
        self.write("conftest.py", """
            import pytest
            @pytest.hookimpl(tryfirst=True)
            def pytest_runtest_protocol(item, nextitem):
                if item.name == "test_a":
                    report = pytest.TestReport(item.nodeid, item.location, {}, "failed", "it crashed", "???")
                    item.ihook.pytest_runtest_logreport(report=report)
                    return True
        """)
        self.write("test_a.py", "def test_a(): pass\ndef test_b(): pass\n")
        self.assertEqual(self.attempts(self.worker()), {"test_a": ["call:failed"], "test_b": ["passed"]})


class Ends(PluginTest):
    def test_a_test_that_ends_the_process_leaves_its_index_on_the_page(self):
        self.write("test_a.py", "import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\ndef test_c(): pass\n")
        pytest = self.worker()
        self.assertEqual((pytest.code, pytest.state()["index"], len(pytest.of("done")), pytest.of("bye")), (0, 1, 1, []))

    def test_closed_descriptors_end_the_worker_loudly(self):
        self.write("test_a.py", "import os\ndef test_a(): os.closerange(3, 5000)\ndef test_b(): pass\n")
        pytest = self.worker("--capture=sys")
        self.assertEqual(pytest.code, 70)
        self.assertIn(b"a test closed or replaced a descriptor", pytest.output["stderr"])
        self.assertEqual(pytest.of("done"), [])

    def test_a_copy_of_the_process_does_not_speak_for_it(self):
        self.write("test_a.py", """
            import os, sys
            def test_a():
                pid = os.fork()
                if not pid:
                    sys.exit(0)
                assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1
            def test_b(): pass
        """)
        pytest = self.worker()
        self.assertEqual(self.attempts(pytest), {"test_a": ["passed"], "test_b": ["passed"]})
        self.assertEqual(pytest.code, 0)

    def test_started_processes_inherit_nothing_of_ours(self):
        self.write("test_a.py", """
            import os, subprocess, sys
            def test_a():
                text = subprocess.check_output(["ls", "-l", "/proc/self/fd"], close_fds=False, text=True)
                assert "socket" not in text and "memfd" not in text, text
        """)
        self.assertEqual(self.attempts(self.worker("--capture=sys")), {"test_a": ["passed"]})

    def test_multiprocessing_and_sessions_inside_a_test_work(self):
        self.write("conftest.py", "pytest_plugins = ['pytester']\n")
        self.write("test_a.py", """
            import multiprocessing
            def double(x): return 2 * x
            def test_spawn():
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    assert pool.map(double, [2]) == [4]
            def test_inside(pytester):
                pytester.makepyfile("def test_x(): assert 0")
                result = pytester.runpytest_inprocess("-p", "no:randomly", "-p", "no:django", "-p", "no:xdist", "-p", "no:cov")
                result.assert_outcomes(failed=1)
        """)
        self.assertEqual(self.attempts(self.worker()), {"test_spawn": ["passed"], "test_inside": ["passed"]})

    def test_every_way_to_stop_has_a_reason(self):
        ways = {
            "pytest.exit('enough', 7)": ("exit", "enough", 7, 0),
            "raise KeyboardInterrupt": ("signal", "KeyboardInterrupt", 2, 0),
            "request.session.shouldstop = 'stop it'": ("interrupted", "stop it", 2, None),
            "request.session.shouldfail = 'fail it'": ("shouldfail", "fail it", 1, None),
        }
        for way, (kind, why, code, index) in ways.items():
            self.write("test_a.py", f"import pytest\ndef test_a(request): {way}\ndef test_b(): pass\n")
            pytest = self.worker()
            stop = pytest.of("stop")[0]
            self.assertEqual((stop["kind"], stop["why"], pytest.code, stop.get("i")), (kind, why, code, index), way)
            self.assertEqual(pytest.of("bye")[0]["code"], code)
            self.assertEqual(pytest.state()["index"], -1)
            self.assertEqual(len(pytest.of("done")), 0 if index == 0 else 1)

    def test_an_interrupt_from_outside_tears_down(self):
        self.write("test_a.py", """
            import pytest, time
            @pytest.fixture(scope="session")
            def s():
                yield
                open("torn", "w").close()
            def test_a(s): time.sleep(30)
        """)
        pytest = self.start()
        pytest.until("collected")
        pytest.send("go")
        pytest.give("T 0 0")
        pytest.give("Q")
        while pytest.state()["phase"] != 2:
            time.sleep(0.01)
        time.sleep(0.1)
        pytest.process.send_signal(signal.SIGINT)
        self.assertEqual(pytest.finish(), 2)
        self.assertTrue((self.root / "torn").exists())

    def test_the_session_ends_when_flakestat_is_gone(self):
        self.write("test_a.py", "def test_a(): pass\n")
        pytest = self.start()
        pytest.until("collected")
        pytest.channel.close()
        pytest.feed.close()
        self.assertEqual(pytest.process.wait(20), 70)

    def test_collection_problems_stop_unless_told_otherwise(self):
        self.write("test_a.py", "import nothing_of_this_name\n")
        self.write("test_b.py", "import pytest\npytest.skip('not here', allow_module_level=True)\n")
        self.write("test_c.py", "def test_c(): pass\n")
        pytest = self.start()
        code = pytest.finish()
        self.assertEqual((code, pytest.of("collect_problem")[0]["id"]), (2, "test_a.py"))
        self.assertIn("nothing_of_this_name", pytest.of("collect_problem")[0]["details"])
        self.assertEqual(pytest.of("collect_skip")[0]["id"], "test_b.py")
        self.assertEqual(pytest.of("collect_skip")[0]["reason"], "not here")
        self.assertEqual(pytest.of("stop")[0]["why"], "1 error during collection")
        pytest = self.worker("--continue-on-collection-errors")
        self.assertEqual((self.attempts(pytest), pytest.code), ({"test_c": ["passed"]}, 1))

    def test_usage_errors_and_broken_conftests_have_pytests_exit_codes(self):
        self.assertEqual(self.start("worker", "--no-such-option").finish(), 4)
        self.assertEqual(self.worker("no_such_file.py").code, 4)
        self.write("conftest.py", "raise RuntimeError('broken')\n")
        pytest = self.start()
        self.assertEqual(pytest.finish(), 4)
        self.assertIn(b"broken", pytest.output["stderr"])

    def test_an_internal_error_says_where(self):
        self.write("conftest.py", "def pytest_runtest_logreport(report): raise RuntimeError('plugin bug')\n")
        self.write("test_a.py", "def test_a(): pass\n")
        pytest = self.worker()
        self.assertEqual((pytest.code, pytest.of("stop")[0]["kind"]), (3, "internal"))
        self.assertIn("plugin bug", pytest.of("stop")[0]["x"])

    def test_no_pytest_is_said_in_one_line(self):
        bare = self.root / "bare"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
        pytest = Pytest(str(bare / "bin/python"), self.root, "worker")
        self.addCleanup(pytest.close)
        self.assertEqual(pytest.finish(), 66)
        self.assertRegex(pytest.output["stderr"].decode(), r"^flakestat: no pytest in \S+/bare/bin/python: .*\n$")

    def test_commands_for_one_process_are_named_and_not_carried_out(self):
        self.write("test_a.py", "def test_a(): pass\n")
        for option, word in (("--pdb", "pdb"), ("--collect-only", "collectonly"), ("--fixtures", "showfixtures"), ("--sw", "stepwise"),
                             ("--help", "help"), ("--setup-plan", "setupplan")):
            pytest = self.start("worker", option)
            self.assertEqual(pytest.finish(), 0, option)
            self.assertIn(word, pytest.of("hello")[0]["single"])
            self.assertEqual([one["e"] for one in pytest.messages], ["hello", "bye"])
            self.assertEqual(pytest.output["stdout"], b"")


class Single(PluginTest):
    def test_reruns_and_quarantine_show_in_pytests_own_output_and_do_not_count(self):
        self.write("test_a.py", ONCE, """
            @pytest.fixture
            def late():
                yield
                once("late")
            def test_pass(): pass
            def test_flaky(): once("flaky")
            def test_late(late): pass
            def test_excused(): assert 0
            def test_excused_setup(nothing): pass
        """)
        excuse = lambda done: rerun_up_to(1, "quarantined")(done)
        pytest = self.single("-v", verdict=excuse)
        self.assertEqual(pytest.code, 0)
        words = re.findall(r"^test_a.py::(\w+) ([A-Z]+)", pytest.text, re.M)
        self.assertEqual(words, [
            ("test_pass", "PASSED"), ("test_flaky", "RERUN"), ("test_flaky", "PASSED"), ("test_late", "PASSED"), ("test_late", "RERUN"),
            ("test_late", "PASSED"), ("test_excused", "RERUN"), ("test_excused", "QUARANTINED"), ("test_excused_setup", "RERUN"),
            ("test_excused_setup", "QUARANTINED")])
        self.assertRegex(pytest.text, r"= 3 passed, .*4 rerun, 2 quarantined in|= 3 passed, .*2 quarantined, 4 rerun in")
        self.assertIn("[100%]", pytest.text)
        self.assertIn(".R.", self.single(verdict=excuse).text.split("test_a.py")[1].split()[0])

    def test_quarantined_failures_do_not_stop_and_are_run_again_by_lf(self):
        self.write("test_a.py", "def test_a(): assert 0\ndef test_b(): pass\ndef test_c(): assert 0\ndef test_d(): pass\n")
        excuse = lambda done: {"rerun": False, "fate": "quarantined" if done["i"] == 0 else "failed", "stop": ""}
        pytest = self.single("-x", verdict=excuse)
        self.assertEqual((pytest.code, len(pytest.of("done"))), (1, 3))
        again = self.single("--lf", verdict=settle)
        self.assertEqual(self.names(again), ["test_a", "test_c"])
        self.assertEqual(again.of("hello")[0]["options"]["lastfailed"], True)

    def test_an_order_is_obeyed_and_the_rest_deselected(self):
        self.write("test_a.py", "def test_a(): pass\ndef test_b(): pass\ndef test_c(): pass\n")
        pytest = self.single("-v", order=[2, 0])
        self.assertEqual([one["i"] for one in pytest.of("done")], [2, 0])
        self.assertIn("2 passed, 1 deselected", pytest.text)
        self.assertEqual(pytest.text.index("test_c PASSED") < pytest.text.index("test_a PASSED"), True)

    def test_the_junit_report_of_pytest_has_one_case_a_test(self):
        self.write("test_a.py", ONCE, """
            @pytest.fixture
            def late():
                yield
                once("late")
            def test_a(): once("a")
            def test_b(): assert 0
            def test_c(): assert 0
            def test_late(late): pass
        """)
        verdict = lambda done: rerun_up_to(1, "quarantined" if done["i"] == 2 else "failed")(done)
        self.single("--junitxml=r.xml", verdict=verdict)
        text = (self.root / "r.xml").read_text()
        self.assertEqual(text.count("<testcase "), 4)
        self.assertRegex(text, r'failures="1" skipped="1" tests="4"')

    def test_plain_output_is_pytests_own(self):
        self.write("test_a.py", """
            import pytest
            def test_a(): pass
            def test_b(): print("b"); assert 0
            @pytest.mark.parametrize("x", range(80))
            def test_c(x): pass
        """)
        for args in (["-v"], ["-q"], ["-x", "-rA"], ["--co"], ["-s"], ["--setup-show"]):
            plain = subprocess.run([PYTHON, "-m", "pytest", *QUIET, "-p", "no:cacheprovider", *args], cwd=self.root, capture_output=True)
            ours = self.single("-p", "no:cacheprovider", *args)
            scrub = lambda text: re.sub(r"\d+\.\d\ds|=+|0x[0-9a-f]+", "", text)
            self.assertEqual(scrub(ours.text), scrub(plain.stdout.decode()), args)
            self.assertEqual(ours.code, plain.returncode)

    def test_a_test_inside_the_command_line_tools_folder_is_found_like_in_the_command(self):
        self.write("tests/test_a.py", "import sys, helper\ndef test_a():\n    assert sys.argv == ['some/pytest', *sys.argv[1:]] and sys.argv[-1] == 'tests'\n")
        self.write("scripts/helper.py", "")
        pytest = self.single("tests", path0=str(self.root / "scripts"), argv0="some/pytest")
        self.assertEqual(pytest.code, 0)


class Controller(PluginTest):
    SUITE = ("""
        import mod
        def test_a(): assert mod.used(1) == 1
    """, """
        import mod
        def test_b(): assert mod.used(0) == 2
        def test_c(): assert 0
    """)

    def both(self, *args, code=0):
        """Two workers and a controller; what the controller says at the end."""
        controller = self.start("controller", *args, workers=2)
        inputs = {}
        while len(inputs) < 2:
            message = controller.until("workerinput")
            inputs[message["id"]] = message["data"]
        for number in range(2):
            name = f"gw{number}"
            worker = self.start("worker", *args, worker=name, workers=2, workerinput=inputs[name], reports=True, leader=not number)
            count = worker.until("collected")["count"]
            controller.send("collected", count=count)
            worker.send("go")
            for index in range(number, count, 2):
                worker.give(f"T {index} 0")
            worker.give("Q")
            worker.answer(rerun_up_to(1))
            for one in worker.of("report"):
                controller.send("report", worker=name, data=one["data"])
            controller.send("worker", id=name, output=worker.of("bye")[0]["output"], error=None)
        controller.send("finish", code=code)
        controller.code = controller.finish()
        return controller

    def write_suite(self):
        self.write("mod.py", "def used(x):\n    if x:\n        return 1\n    return 2\ndef unused():\n    return 3\n")
        self.write("test_a.py", self.SUITE[0])
        self.write("test_b.py", self.SUITE[1])

    def test_coverage_is_combined_as_in_one_process(self):
        self.write_suite()
        pattern = r"^mod\.py .*$"
        args = ["--cov=mod", "--cov-report=term-missing", "--cov-branch"]
        plain = subprocess.run([PYTHON, "-m", "pytest", *QUIET, *args], cwd=self.root, capture_output=True, text=True).stdout
        for more in ([], ["-n", "4"]):
            controller = self.both(*args, *more, code=1)
            self.assertEqual(re.findall(pattern, controller.of("summary")[0]["text"], re.M), re.findall(pattern, plain, re.M))
            self.assertEqual(sorted(path.name for path in self.root.glob(".coverage*")), [".coverage"])
        self.assertEqual(controller.code, 1)
        self.assertIn("_cov", " ".join(controller.of("hello")[0]["controller"]))

    def test_too_little_coverage_is_the_controllers_failure(self):
        self.write_suite()
        (self.root / "test_b.py").unlink()
        controller = self.both("--cov=mod", "--cov-fail-under=99", "--cov-report=")
        self.assertEqual(controller.of("bye")[0]["code"], 1)
        self.assertIn("Required test coverage of 99", controller.of("summary")[0]["text"])

    def test_reports_reach_the_plugins_of_the_controller(self):
        self.write_suite()
        self.write("conftest.py", """
            def pytest_terminal_summary(terminalreporter, config):
                counts = {name: len(reports) for name, reports in sorted(terminalreporter.stats.items()) if name}
                terminalreporter.write_line("counts %s, workers %s" % (counts, sorted({
                    report.node.gateway.id for reports in terminalreporter.stats.values() for report in reports})))
            def pytest_configure_node(node): node.workerinput["token"] = "t-" + node.gateway.id
            def pytest_testnodedown(node, error): print(node.workeroutput)
            def pytest_configure(config):
                if hasattr(config, "workerinput"):
                    assert config.workerinput["token"] == "t-" + config.workerinput["workerid"]
        """)
        controller = self.both("--junitxml=r.xml", "--html=r.html", "--self-contained-html", code=1)
        self.assertIn("counts {'failed': 1, 'passed': 2, 'rerun': 1}, workers ['gw0', 'gw1']", controller.of("summary")[0]["text"])
        text = (self.root / "r.xml").read_text()
        self.assertEqual((text.count("<testcase "), text.count("<failure ")), (3, 1))
        self.assertIn("test_b.py::test_c", (self.root / "r.html").read_text())
        self.assertTrue(any(name.endswith("conftest.py") for name in controller.of("hello")[0]["controller"]))
        self.assertEqual(controller.output["stdout"].decode().count("passed"), 0)


class SuiteMaker:
    """Suites of modules, classes, fixtures of every scope and parameters, where each part may fail or skip; always the same way."""

    SCOPES = ("function", "class", "module", "session")

    def __init__(self, seed):
        self.random = random.Random(seed)

    def outcome(self, name):
        return self.random.choices(
            ["log(%r)" % name, "log(%r); assert 0, %r" % (name, name), "log(%r); pytest.skip(%r)" % (name, name)], [12, 1, 1])[0]

    def fixture(self, name, scope, others):
        wide = self.SCOPES.index(scope)
        wanted = [other for other, its in others if self.SCOPES.index(its) >= wide and self.random.random() < 0.3]
        options = [f"scope={scope!r}"]
        params = self.random.random() < 0.15
        if params:
            options.append("params=[1, 2]")
        if self.random.random() < 0.2:
            options.append("autouse=True")
        lines = [f"@pytest.fixture({', '.join(options)})", f"def {name}(request{''.join(', ' + one for one in wanted)}):"]
        if self.random.random() < 0.2:
            lines.append(f"    request.addfinalizer(lambda: log({name + ' finaliser'!r}))")
        lines.append("    " + self.outcome(name + " up"))
        if self.random.random() < 0.7:
            lines += ["    yield", "    " + self.outcome(name + " down")]
        return lines

    def test(self, name, fixtures, indent="", first=""):
        wanted = [other for other, _ in fixtures if self.random.random() < 0.25]
        lines = []
        if self.random.random() < 0.1:
            lines.append("@pytest.mark.xfail(strict=%s)" % self.random.choice(["True", "False"]))
        if self.random.random() < 0.1:
            lines.append("@pytest.mark.parametrize('p', [1, 2, 3])")
            wanted.append("p")
        arguments = ", ".join(([first] if first else []) + wanted)
        lines += [f"def {name}({arguments}):", "    " + self.outcome(name)]
        return [indent + line for line in lines]

    def fixtures(self, prefix, count, known):
        lines, found = [], []
        for number in range(count):
            scope = self.random.choice(self.SCOPES)
            lines += self.fixture(f"{prefix}{number}", scope, known + found)
            found.append((f"{prefix}{number}", scope))
        return lines, found

    def module(self, prefix, known):
        lines, own = self.fixtures(f"{prefix}_f", self.random.randint(0, 3), known)
        lines = ["import pytest, unittest", "from log import log", *lines]
        if self.random.random() < 0.3:
            lines += [f"def setup_module(): {self.outcome(prefix + ' setup_module')}",
                      f"def teardown_module(): {self.outcome(prefix + ' teardown_module')}"]
        for number in range(self.random.randint(1, 5)):
            lines += self.test(f"test_{prefix}_{number}", known + own)
        for number in range(self.random.randint(0, 2)):
            lines.append(f"class Test{number}:")
            if self.random.random() < 0.3:
                lines += ["    @classmethod", f"    def setup_class(cls): {self.outcome(prefix + ' setup_class')}"]
            for test in range(self.random.randint(1, 4)):
                lines += self.test(f"test_{prefix}_c{number}_{test}", known + own, "    ", "self")
        if self.random.random() < 0.4:
            lines += ["class TestU(unittest.TestCase):",
                      f"    def setUp(self): {self.outcome(prefix + ' setUp')}",
                      f"    def tearDown(self): {self.outcome(prefix + ' tearDown')}",
                      f"    def test_{prefix}_u(self): {self.outcome(prefix + ' u')}",
                      f"    def test_{prefix}_v(self): {self.outcome(prefix + ' v')}"]
        return lines

    def write(self, root):
        (root / "log.py").write_text("def log(text):\n    with open('events', 'a') as file: file.write(text + '\\n')\n")
        lines, known = self.fixtures("k", self.random.randint(1, 5), [])
        report = ["def pytest_runtest_logreport(report):",
                  "    log('%s %s %s %s' % (report.nodeid, report.when, report.outcome, hasattr(report, 'wasxfail')))"]
        (root / "conftest.py").write_text("\n".join(["import pytest", "from log import log", *report, *lines, ""]))
        for number in range(self.random.randint(1, 4)):
            (root / f"test_m{number}.py").write_text("\n".join(self.module(f"m{number}", known) + [""]))


class Differential(PluginTest):
    """Suites made at random: a worker that is fed in order does exactly what plain pytest does."""

    def events(self):
        path = self.root / "events"
        text = path.read_text().splitlines() if path.exists() else []
        path.write_text("")
        return text

    def split(self, events):
        """What the suite did, and what was reported; failures are reported later than by pytest, when their verdict is known."""
        reports = [event for event in events if event.startswith("test_m") and "::" in event]
        return [event for event in events if event not in reports], reports

    def parts(self, events, names):
        """What `done` messages ought to say, from the reports in the log of events."""
        found, names = [], set(names)
        for event in events:
            words = re.fullmatch(r"\S+?::(.+) (setup|call|teardown) (\w+) (True|False)", event)
            if not words or words[1] not in names:
                continue
            if words[2] == "setup":
                found.append((words[1], []))
            outcome = words[3]
            if words[4] == "True" and outcome != "failed":
                outcome = {"skipped": "xfailed", "passed": "xpassed"}[outcome]
            if outcome != "passed":
                found[-1][1].append(f"{words[2]}:{outcome}")
        return found

    def test_a_worker_that_is_fed_in_order_does_what_plain_pytest_does(self):
        seeds = range(int(os.environ.get("FLAKESTAT_FUZZ_SEEDS", "400" if os.environ.get("FLAKESTAT_SOAK") else "12")))
        args = [*QUIET, "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:html"]
        tests = 0
        for seed in seeds:
            for path in self.root.glob("*.py"):
                path.unlink()
            SuiteMaker(seed).write(self.root)
            self.events()
            env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
            plain = subprocess.run([PYTHON, "-m", "pytest", "-q", *args], cwd=self.root, capture_output=True, text=True, env=env)
            expected = self.events()
            self.assertIn(plain.returncode, (0, 1), f"seed {seed}: {plain.stdout}")
            worker = self.start("worker", *args)
            worker.run_all()
            for which, ours, its in zip(("code", "reports"), self.split(self.events()), self.split(expected)):
                self.assertEqual(list(difflib.unified_diff(its, ours, "pytest", "worker", lineterm="")), [], f"seed {seed}, {which}")
            names = self.names(worker)
            told = [(names[one["i"]], [f"{part['w']}:{part['o']}" for part in one.get("r", [])]) for one in worker.of("done")]
            self.assertEqual(told, self.parts(expected, names), f"seed {seed}")
            tests += len(told)
        self.assertGreater(tests, 8 * len(seeds))


def main():
    global PYTHON, MAJOR
    if len(sys.argv) < 2 or sys.argv[1] not in ("7", "8", "9"):
        sys.exit(__doc__)
    MAJOR = int(sys.argv.pop(1))
    if "FLAKESTAT_PLUGIN_PYTHON" not in os.environ:
        installed = subprocess.run([ROOT / "scripts/frameworks.sh", f"pytest{MAJOR}"], stderr=subprocess.PIPE, text=True)
        if installed.returncode:
            sys.stderr.write(installed.stderr)
            sys.exit(installed.returncode)
        PYTHON = str(ROOT / f".deps/frameworks/pytest{MAJOR}/bin/python")
    unittest.main()


if __name__ == "__main__":
    main()
