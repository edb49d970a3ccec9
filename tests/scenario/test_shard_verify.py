"""shard-verify: a suite that several machines ran is whole, or what it lacks is named."""
import hashlib
import json
import os
import pathlib

from _scenario import Scenario, main

SCHEMAS = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "docs/schema"


def hash_of(names):
    """The documented form: each name after its length in bytes and a colon."""
    return hashlib.sha256(b"".join(b"%d:%s" % (len(name.encode()), name.encode()) for name in sorted(names))).hexdigest()


class ShardVerify(Scenario):
    parts = [["a.py::t1", "a.py::t2"], ["b.py::t[é\x1b[31m]"], ["c.py::t1", "c.py::t2", "c.py::t3"]]

    def manifest(self, k, **changes):
        every = [name for part in self.parts for name in part]
        document = {
            "version": 1, "shard": k, "of": len(self.parts), "run_id": f"run-{k}", "started": f"2026-08-17T10:00:0{k}.000Z",
            "commit": "abc", "ci_run": "7", "finished": True, "exit_code": 0, "collected": len(every),
            "collected_hash": hash_of(every), "partition_hash": "f" * 64, "tests": self.parts[k - 1], "not_run": [],
            "elsewhere": [name for name in every if name not in self.parts[k - 1]], **changes}
        return {key: value for key, value in document.items() if value is not None}

    def put(self, k, folder="shards", name=None, **changes):
        name = name or f"run-{k}"
        return self.write(f"{folder}/{name}.json", json.dumps(self.manifest(k, **changes)))

    def verify(self, *args, code=0):
        document = self.json("shard-verify", *args, code=code)
        self.assertEqual(document["ok"], code == 0)
        return document

    def test_a_whole_run_is_ok_wherever_its_manifests_are(self):
        self.put(1, "artifacts/one")
        self.put(2, "artifacts/two/shards")
        third = self.put(3, "elsewhere")
        document = self.verify("artifacts/one", "artifacts/two", third, "--expect", "3")
        self.assertEqual([part["shard"] for part in document["shards"]], [1, 2, 3])
        self.assertEqual((document["collected"], document["run"]), (6, 6))
        for k in (1, 2, 3):
            self.put(k, ".flakestat/shards")
            self.put(k, "other/shards")
        self.assertIn("ok: 6 tests, each run in one of 3 shards", self.flakestat("shard-verify"))
        self.verify("--dir", "other")

    def test_a_missing_shard_is_named_with_its_tests(self):
        self.put(1)
        self.put(3)
        document = self.verify("shards", code=1)
        self.assertEqual(document["missing"], [2])
        self.assertEqual(document["unassigned"], self.parts[1])
        text = self.flakestat("shard-verify", "shards", code=1)
        self.assertIn("missing: shard 2", text)
        self.assertIn("b.py::t[é\\x1b[31m]", text)
        self.assertNotIn("\x1b", text)

    def test_an_expected_shard_that_nobody_knows_of_is_missing(self):
        for k in (1, 2, 3):
            self.put(k)
        self.assertEqual(self.verify("shards", "--expect", "4", code=1)["missing"], [4])
        self.assertTrue(self.verify("shards", "--expect", "2", code=1)["contradictions"])

    def test_tests_that_ran_twice_and_never_are_named(self):
        self.put(1)
        self.put(2, tests=["a.py::t1"], partition_hash="e" * 64)
        self.put(3, not_run=["c.py::t2"])
        document = self.verify("shards", code=1)
        self.assertEqual(document["doubled"], [{"test": "a.py::t1", "shards": [1, 2]}])
        self.assertEqual(document["unassigned"], self.parts[1])
        self.assertEqual(document["not_run"], [{"test": "c.py::t2", "shard": 3}])
        self.assertIn("who runs what", document["contradictions"][0])
        self.assertEqual(document["run"], 4)

    def test_another_suite_is_told(self):
        self.put(1)
        self.put(2, collected=7, collected_hash="e" * 64)
        self.put(3)
        self.assertIn("the suite they collected", self.verify("shards", code=1)["contradictions"][0])

    def test_a_killed_shard_is_told(self):
        self.put(1)
        self.put(2)
        self.put(3, finished=False, not_run=self.parts[2])
        document = self.verify("shards", code=1)
        self.assertIn("shard 3 did not come to its end", document["contradictions"])
        self.assertEqual(len(document["not_run"]), 3)

    def test_manifests_of_an_earlier_run_do_not_stand_in(self):
        self.put(1)
        self.put(2)
        self.put(3, ci_run="6", started="2026-08-17T09:00:00.000Z")
        document = self.verify("shards", code=1)
        self.assertEqual(document["missing"], [3])
        self.assertIn("another CI run", document["set_aside"][0]["reason"])

    def test_a_repeated_job_counts_by_its_newest_manifest(self):
        self.put(1)
        self.put(2)
        self.put(3, finished=False, not_run=self.parts[2])
        self.put(3, name="again", run_id="again", started="2026-08-17T11:00:00.000Z")
        document = self.verify("shards")
        self.assertEqual(document["set_aside"][0]["reason"], "repeated later")

    def test_a_missing_file_is_66_and_a_damaged_one_65_after_the_others_were_checked(self):
        for k in (1, 2, 3):
            self.put(k)
        self.assertEqual(len(self.json("shard-verify", "shards", "none.json", code=66)["shards"]), 3)
        self.assertIn("none.json", self.talk)
        whole = json.dumps(self.manifest(3))
        damaged = self.write("shards/run-3.json", whole[:-20])
        document = self.json("shard-verify", "shards", code=65)
        self.assertEqual(document["missing"], [3])
        self.assertIn(damaged.split("/")[-1], self.talk)
        self.write("empty/x", "")
        self.flakestat("shard-verify", "shards", "empty", code=66)

    def test_without_any_manifest_it_says_how_there_come_to_be_some(self):
        self.assertEqual(self.flakestat("shard-verify", code=66), "")
        self.assertIn("--shard K/N", self.talk)

    def test_a_newer_version_is_a_configuration_error(self):
        self.put(1, version=2)
        self.flakestat("shard-verify", "shards", code=78)
        self.assertIn("version 2", self.talk)

    def test_usage(self):
        self.assertIn("flakestat shard-verify --expect 4 artifacts/*", self.flakestat("shard-verify", "-h"))
        self.flakestat("shard-verify", "--expect", "0", code=64)

    def test_documents_are_valid_by_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((SCHEMAS / "shard-verify.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        self.put(1)
        self.put(2, tests=["a.py::t1"], partition_hash="e" * 64, finished=False)
        self.put(3, "old", ci_run="6", started="2026-08-17T09:00:00.000Z")
        validator.validate(self.verify("shards", "old", code=1))
        self.put(2, name="whole", started="2026-08-17T11:00:00.000Z")
        self.put(3)
        validator.validate(self.verify("shards"))


if __name__ == "__main__":
    main()
