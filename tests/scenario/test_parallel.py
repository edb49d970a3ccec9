"""`hunt --parallel`: suites whose copies disturb each other, with the isolation that helps, and without it."""
import json
import os
import shutil
import socket
import sys
import uuid

from _scenario import Scenario, main

SOAK = bool(os.environ.get("FLAKESTAT_SOAK"))
RUNS = 200 if SOAK else 40

# The fourth way to collide: one SQLite file in the tree. A copy that meets another's row, or a locked file, fails.
SQLITE = '''
import os, sqlite3, sys, time
passed = True
try:
    with sqlite3.connect("shared.db", timeout=0.01, isolation_level=None) as db:
        db.execute("create table if not exists t (run int)")
        db.execute("delete from t")
        db.execute("insert into t values (?)", (int(os.environ["FLAKESTAT_RUN"]),))
        time.sleep(0.02)
        passed = db.execute("select run from t").fetchall() == [(int(os.environ["FLAKESTAT_RUN"]),)]
except sqlite3.Error:
    passed = False
bad = "" if passed else "<failure message='disturbed'/>"
open(sys.argv[1], "w").write(
    "<testsuite name='s'><testcase classname='C' name='shared'>%s</testcase>"
    "<testcase classname='C' name='steady'/></testsuite>" % bad)
sys.exit(0 if passed else 1)
'''


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Parallel(Scenario):
    def setUp(self):
        super().setUp()
        self.env["COLLIDE_NAME"] = uuid.uuid4().hex
        self.env["COLLIDE_PORT"] = str(free_port())
        self.addCleanup(lambda: shutil.rmtree("/tmp/flakestat-collide-" + self.env["COLLIDE_NAME"], True))
        self.write("sqlite.py", SQLITE)
        self.collide = os.path.join(os.environ["FLAKESTAT_BUILD_DIR"], "programs", "collide")

    def command(self, kind):
        if kind == "sqlite":
            return [sys.executable, "sqlite.py", "{junit}"]
        return [self.collide, kind, "{junit}"]

    def hunt(self, kind, isolate, runs=RUNS, *flags, code=0):
        print(f"{kind}, --isolate={isolate}: {runs} runs, 8 at a time", file=sys.stderr)
        out = self.flakestat("hunt", "--format", "json", "--runs", str(runs), "--parallel", "8", f"--isolate={isolate}",
                             "--junit", "r-{run}.xml", *flags, "--", *self.command(kind), code=code, timeout=600)
        return json.loads(out)

    def needs(self, isolate):
        found = self.hunt("tree", isolate, 2)
        if found["isolation"] != isolate:
            self.skipTest(f"this machine cannot isolate {isolate}: {self.talk}")

    def nothing_flaky(self, document):
        self.assertEqual(document["summary"]["flaky"], 0, document["results"])
        later = self.json("report", "--all")
        self.assertEqual(later["summary"]["flaky"], 0, "later reports agree")

    def undisturbed(self, kind, isolate):
        self.needs(isolate)
        document = self.hunt(kind, isolate)
        self.nothing_flaky(document)
        self.assertEqual(document["contended"], [])
        self.assertEqual(document["verifying_runs"], 0)
        self.assertEqual(document["finished_runs"], RUNS)
        self.assertFalse([run for run in document["runs"] if run["failures"]])

    def demoted(self, kind, isolate):
        document = self.hunt(kind, isolate)
        disturbed = sum(run["failures"] for run in document["runs"])
        self.assertGreater(disturbed, 0, "copies have met: without that the test shows nothing")
        self.nothing_flaky(document)
        self.assertEqual([each["name"] for each in document["contended"]], ["shared"])
        self.assertEqual(document["verifying_runs"], 5)
        marked = [line for line in self.log() if line.get("contended")]
        self.assertTrue(marked)
        self.assertEqual({line["name"] for line in marked}, {"shared"})
        shown = {row["name"]: row["verdict"] for row in self.json("report", "--all", "--min-runs", "2")["results"]}
        self.assertEqual(shown, {"shared": "suspect", "steady": "stable"})

    def test_a_fixed_path_in_the_tree_collides_only_without_fs(self):
        self.undisturbed("tree", "fs,tmp,pid")

    def test_a_fixed_path_in_the_tree_is_demoted_without_isolation(self):
        self.demoted("tree", "none")

    def test_a_fixed_file_in_tmp_collides_only_without_tmp(self):
        self.undisturbed("tmp", "fs,tmp,pid")

    def test_a_fixed_file_in_tmp_is_demoted_without_isolation(self):
        self.demoted("tmp", "none")

    def test_a_fixed_port_collides_only_without_net(self):
        self.undisturbed("port", "fs,tmp,pid,net")

    def test_a_fixed_port_is_demoted_where_the_network_is_shared(self):
        self.demoted("port", "fs,tmp,pid")

    def test_without_verification_a_collision_is_no_flake_either(self):
        document = self.hunt("port", "fs,tmp,pid", 30, "--verify", "0")
        self.assertGreater(sum(run["failures"] for run in document["runs"]), 0)
        self.nothing_flaky(document)

    def test_a_shared_sqlite_file_collides_only_without_fs(self):
        self.undisturbed("sqlite", "fs,tmp,pid")

    def test_a_shared_sqlite_file_is_demoted_without_isolation(self):
        self.demoted("sqlite", "none")

    def test_observations_carry_the_isolation_they_had(self):
        self.needs("fs,tmp,pid")
        (self.root / ".flakestat" / "runs.ndjson").unlink()
        self.hunt("tree", "fs,tmp,pid", 4)
        self.assertEqual({line["attempt"]: line.get("isolation") for line in self.log()},
                         {1: None, 2: "fs,tmp,pid", 3: "fs,tmp,pid", 4: "fs,tmp,pid"})

    def test_the_tree_is_left_as_it_was_but_for_run_one(self):
        self.needs("fs,tmp,pid")
        before = sorted(p.name for p in self.root.iterdir())
        self.hunt("tree", "fs,tmp,pid", 4)
        self.assertEqual(sorted(p.name for p in self.root.iterdir()), before)

    def test_keep_hands_files_of_each_copy_back(self):
        self.needs("fs,tmp,pid")
        self.hunt("tree", "fs,tmp,pid", 4, "--keep", "r-{run}.xml")
        self.assertEqual(sorted(p.name for p in self.root.glob("r-*.xml")),
                         ["r-1.xml", "r-2.xml", "r-3.xml", "r-4.xml"])

    def test_isolation_without_parallel_is_a_usage_error(self):
        self.flakestat("hunt", "--isolate=fs", "--", "true", code=64)
        self.assertIn("--parallel", self.talk)

    def test_an_unknown_isolation_is_a_usage_error(self):
        self.flakestat("hunt", "--parallel", "2", "--isolate=all", "--", "true", code=64)
        self.assertIn("fs, tmp, pid", self.talk)

    def test_the_plan_says_what_is_shared(self):
        self.hunt("tree", "fs,tmp,pid", 2)
        self.assertIn("caches outside the tree are shared", self.talk)

    def test_a_real_flake_is_still_found_beside_others(self):
        self.write("flake.py", SQLITE.split("passed = True")[0].replace("sqlite3, ", "") + '''
passed = int(os.environ["FLAKESTAT_RUN"]) % 2 == 0
bad = "" if passed else "<failure message='odd'/>"
open(sys.argv[1], "w").write("<testsuite name='s'><testcase name='odd'>%s</testcase></testsuite>" % bad)
''')
        document = json.loads(self.flakestat(
            "hunt", "--format", "json", "--runs", "12", "--parallel", "4", "--junit", "r-{run}.xml", "--",
            sys.executable, "flake.py", "{junit}"))
        self.assertEqual([row["verdict"] for row in document["results"]], ["flaky"])
        self.assertEqual(document["contended"], [])


if __name__ == "__main__":
    main()
