"""ledger: what is remembered of flaky tests, shown, united, rebuilt, taken over."""
import json
import os
import pathlib
import shutil
import subprocess
import time

from _scenario import BINARY, FAIL, Scenario, case, main, suite

try:
    import jsonschema
except ImportError:
    jsonschema = None
SCHEMAS = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "docs/schema"
DAY = 86400


class Ledger(Scenario):
    def setUp(self):
        super().setUp()
        self.now = int(time.time())

    def entry(self, flaky=0, failed=0, age=0):
        return {"flaky": flaky, "failed": failed, "last_epoch": self.now - age * DAY,
                "last_failed_epoch": self.now - age * DAY if failed else 0}

    def run_file(self, run, tests, directory=".flakestat"):
        self.write(f"{directory}/flakes.d/{run}.json", json.dumps({"version": 1, "runs": {run: tests}}))

    def document(self, *args, schema="ledger-change", **kwargs):
        found = self.json("ledger", *args, **kwargs)
        if jsonschema is not None:
            jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{schema}.schema.json").read_text())).validate(found)
        return found

    def show(self, *args, **kwargs):
        return self.document("show", *args, schema="ledger", **kwargs)

    def counts(self, *args, **kwargs):
        return {t["id"]: (t["flaky"], t["failed"]) for t in self.show(*args, **kwargs)["tests"]}

    def files(self):
        return {str(p): (p.read_bytes(), p.stat().st_mtime_ns) for p in self.root.rglob("*") if p.is_file()}

    def observation(self, run, name, attempt, status, **more):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.now - 100 + attempt))
        return json.dumps({"ts": stamp, "run_id": run, "source": "run", "attempt": attempt,
                           "test_id": f"{abs(hash(name)) % 16**16:016x}", "suite": "pytest", "class": "tests.test_a",
                           "name": name, "status": status, "file": "tests/test_a.py", **more}) + "\n"


class Show(Ledger):
    def test_an_empty_ledger_says_so_and_makes_nothing(self):
        self.assertEqual(self.flakestat("ledger", "show"), "")
        self.assertIn("is empty", self.talk)
        self.assertEqual(self.show()["tests"], [])
        self.assertEqual(self.files(), {})

    def test_the_flakiest_stand_first(self):
        self.write(".flakestat/flakes.json", json.dumps({
            "tests/test_b.py::hard": self.entry(failed=9), "tests/test_a.py::x[1]": self.entry(flaky=7, failed=2),
            "tests/test_a.py::once": self.entry(flaky=1), "old": self.entry(flaky=50, age=91)}))
        self.assertEqual([t["id"] for t in self.show()["tests"]],
                         ["tests/test_a.py::x[1]", "tests/test_a.py::once", "tests/test_b.py::hard"])
        lines = self.flakestat("ledger", "show").splitlines()
        self.assertEqual(lines[0].split(), ["FLAKY", "FAILED", "LAST", "SEEN", "LAST", "FAILED", "TEST"])
        self.assertEqual(lines[1].split()[:2] + lines[1].split()[-1:], ["7", "2", "tests/test_a.py::x[1]"])
        self.assertEqual(lines[-1], "3 tests; forgotten 90 days after the last time")

    def test_top_and_filter(self):
        self.write(".flakestat/flakes.json", json.dumps({f"t{i}": self.entry(flaky=i + 1) for i in range(9)}))
        found = self.show("--top", "2")
        self.assertEqual(([t["id"] for t in found["tests"]], found["total"]), (["t8", "t7"], 9))
        self.assertEqual(list(self.counts("--filter", "t[34]")), ["t4", "t3"])
        self.assertEqual(self.show("--filter", "none")["total"], 0)
        self.assertIn("--filter selects none", self.talk)
        self.flakestat("ledger", "show", "--top", "0", code=64)

    def test_the_retention_can_be_set_and_switched_off(self):
        self.write(".flakestat/flakes.json", json.dumps({"a": self.entry(flaky=1, age=100),
                                                         "b": self.entry(flaky=1, age=20)}))
        self.assertEqual(list(self.counts()), ["b"])
        for name in ("FLAKESTAT_FLAKE_RETENTION_DAYS", "RSTEST_FLAKE_RETENTION_DAYS"):
            self.assertEqual(sorted(self.counts(env={name: "0"})), ["a", "b"])
            self.assertEqual(sorted(self.counts(env={name: "10"})), [])
            self.flakestat("ledger", "show", env={name: "soon"}, code=78)
            self.assertIn(name, self.talk)
        self.counts(env={"FLAKESTAT_FLAKE_RETENTION_DAYS": "5"})
        self.assertNotIn("not known", self.talk)

    def test_a_damaged_ledger_is_named_with_its_mend_and_left_alone(self):
        self.write(".flakestat/flakes.json", '{"a":{"flaky":')
        before = self.files()
        self.flakestat("ledger", "show", code=65)
        self.assertIn("flakes.json", self.talk)
        self.assertIn("flakestat ledger rebuild", self.talk)
        self.assertEqual(self.files(), before)

    def test_hostile_ids_reach_no_terminal(self):
        self.write(".flakestat/flakes.json", json.dumps({"\x1b[31mred\n::error::x": self.entry(flaky=1)}))
        for form in ("table", "json"):
            out = self.flakestat("ledger", "show", "--format", form)
            self.assertNotIn("\x1b", out)
            self.assertFalse([line for line in out.splitlines() if line.startswith("::")])

    def test_copied_files_count_before_anybody_writes(self):
        self.run_file("r1", {"a": self.entry(flaky=1)})
        self.run_file("r2", {"a": self.entry(flaky=1)})
        self.assertEqual(self.counts(), {"a": (2, 0)})


class Merge(Ledger):
    def test_shards_are_united_once_however_often(self):
        self.run_file("base", {"a": self.entry(flaky=1)})
        for shard in ("s1", "s2", "s3"):
            self.run_file("base", {"a": self.entry(flaky=1)}, f"shards/{shard}")
            self.run_file(shard, {"a": self.entry(flaky=1), shard: self.entry(failed=1)}, f"shards/{shard}")
        for arguments in (["shards/s1", "shards/s2/flakes.d", "shards/s3/flakes.d/s3.json"],
                          ["shards/*/flakes.d/*.json"], ["shards/s3", "shards/s1"]):
            found = self.document("merge", *arguments)
            self.assertEqual(found["missing"] + found["rejected"], [])
            self.assertEqual(self.counts(), {"a": (4, 0), "s1": (0, 1), "s2": (0, 1), "s3": (0, 1)})
        self.assertEqual((found["new_runs"], found["changed"]), (0, False))
        self.assertEqual(json.loads((self.root / ".flakestat/flakes.json").read_text())["a"]["flaky"], 4)

    def test_without_a_file_it_counts_what_was_copied_in(self):
        self.run_file("r1", {"a": self.entry(flaky=1)})
        self.assertTrue(self.document("merge")["changed"])
        self.assertEqual(json.loads((self.root / ".flakestat/flakes.json").read_text())["a"]["flaky"], 1)

    def test_without_anything_it_makes_nothing(self):
        self.assertFalse(self.document("merge")["changed"])
        self.assertEqual(self.files(), {})

    def test_the_same_plain_ledger_twice_adds_nothing_and_it_says_what_it_cannot_know(self):
        plain = self.write("other.json", json.dumps({"a": self.entry(flaky=3, failed=1)}))
        for _ in range(2):
            self.assertIn("does not say which runs it counts", self.flakestat("ledger", "merge", plain))
            self.assertEqual(self.counts(), {"a": (3, 1)})
        shutil.copy(plain, self.root / "copy.json")
        self.flakestat("ledger", "merge", "copy.json")
        self.assertEqual(self.counts(), {"a": (3, 1)})

    def test_one_bad_file_never_discards_the_others(self):
        self.run_file("r1", {"a": self.entry(flaky=1)}, "good")
        self.write("bad.json", '{"a":1')
        found = self.document("merge", "bad.json", "good", code=65)
        self.assertEqual((found["rejected"], found["new_runs"]), (["bad.json"], 1))
        found = self.document("merge", "gone.json", "bad.json", "good", code=66)
        self.assertEqual((found["missing"], found["rejected"]), (["gone.json"], ["bad.json"]))
        self.assertEqual(self.counts(), {"a": (1, 0)})

    def test_a_report_is_no_ledger(self):
        self.write("r.xml", suite(case("a", FAIL)))
        self.document("merge", "r.xml", code=65)
        self.assertIn("r.xml: not valid JSON", self.talk)

    def test_a_newer_version_is_refused_by_name(self):
        self.write("new.json", '{"version":2,"runs":{}}')
        self.document("merge", "new.json", code=65)
        self.assertIn("version 2", self.talk)

    def test_many_at_once_lose_nothing(self):
        for i in range(12):
            self.run_file(f"r{i}", {"a": self.entry(flaky=1)}, f"s{i}")
        merges = [subprocess.Popen([BINARY, "ledger", "merge", f"s{i}", "-q"], cwd=self.root, env=self.env,
                                   stdout=subprocess.DEVNULL) for i in range(12)]
        self.assertEqual([merge.wait() for merge in merges], [0] * 12)
        self.assertEqual(json.loads((self.root / ".flakestat/flakes.json").read_text())["a"]["flaky"], 12)


class Rebuild(Ledger):
    def lines(self):
        return "".join([
            self.observation("r1", "flaky", 0, "fail"), self.observation("r1", "flaky", 1, "pass"),
            self.observation("r1", "broken", 0, "fail"), self.observation("r1", "broken", 1, "error", quarantined=True),
            self.observation("r1", "passed", 0, "pass"),
            self.observation("r1", "offline", 0, "skip", raw_status="fail",
                             sanitised={"assumption": "network", "detail": "x"}),
            self.observation("r2", "flaky", 0, "fail"), self.observation("r2", "flaky", 1, "pass"),
            self.observation("r3", "passed", 0, "fail", source="hunt"),
            self.observation("r4", "passed", 0, "pass")])

    def test_the_log_tells_what_the_runs_would_have_recorded(self):
        self.write(".flakestat/runs.ndjson", self.lines())
        found = self.document("rebuild")
        self.assertEqual((found["runs"], found["new_runs"], found["tests"]), (2, 2, 2))
        self.assertEqual(self.counts(), {"tests/test_a.py::flaky": (2, 0), "tests/test_a.py::broken": (0, 1)})
        before = self.files()
        self.assertFalse(self.document("rebuild")["changed"])
        self.assertEqual(self.files(), before)

    def test_what_a_run_recorded_itself_is_not_counted_again(self):
        self.write(".flakestat/runs.ndjson", self.lines())
        self.run_file("r1", {"tests/test_a.py::flaky": self.entry(flaky=1)})
        self.assertEqual(self.document("rebuild")["new_runs"], 1)
        self.assertEqual(self.counts(), {"tests/test_a.py::flaky": (2, 0)})

    def test_a_damaged_ledger_is_kept_under_another_name(self):
        self.write(".flakestat/runs.ndjson", self.lines())
        self.write(".flakestat/flakes.json", "junk")
        found = self.document("rebuild")
        self.assertEqual(found["moved_away"], ".flakestat/flakes.json.damaged-1")
        self.assertEqual((self.root / found["moved_away"]).read_text(), "junk")
        self.assertEqual(self.counts()["tests/test_a.py::flaky"], (2, 0))

    def test_without_runs_it_says_so(self):
        self.write("r.xml", suite(case("a", FAIL)))
        self.ingest("r.xml")
        self.assertEqual(self.document("rebuild")["runs"], 0)
        self.assertIn("no observation of a run", self.talk)
        self.assertFalse((self.root / ".flakestat/flakes.json").exists())


class Import(Ledger):
    def test_the_other_runners_ledger_is_taken_over_and_followed(self):
        self.write(".rstest_cache/flakes.json", json.dumps({"a.py::x": self.entry(flaky=7, failed=2)}))
        for _ in range(2):
            self.document("import")
            self.assertEqual(self.counts(), {"a.py::x": (7, 2)})
        self.run_file("ours", {"a.py::x": self.entry(flaky=1)})
        self.write(".rstest_cache/flakes.json", json.dumps({"a.py::x": self.entry(flaky=8, failed=2)}))
        self.document("import", ".rstest_cache/../.rstest_cache/flakes.json")
        self.assertEqual(self.counts(), {"a.py::x": (9, 2)})

    def test_a_missing_or_damaged_one_changes_nothing(self):
        self.flakestat("ledger", "import", code=66)
        self.assertIn(".rstest_cache/flakes.json", self.talk)
        self.write("bad.json", "[]")
        self.flakestat("ledger", "import", "bad.json", code=65)
        self.assertFalse((self.root / ".flakestat").exists())


class Words(Ledger):
    def test_without_a_word_it_says_which_there_are(self):
        self.flakestat("ledger", code=64)
        text = self.flakestat("ledger", "-h")
        for word in ("show", "merge", "rebuild", "import"):
            self.assertIn(f"  {word}", text)
            self.assertIn(f"flakestat ledger {word}", self.flakestat("ledger", word, "-h"))


if __name__ == "__main__":
    main()
