"""bench/field on a made-up case: a repository with a flake and its fix, set up, hunted, judged."""
import fcntl
import json
import os
import pathlib
import subprocess
import sys

from _scenario import BINARY, Scenario, main

DRIVER = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "bench" / "field" / "run.sh"

# A test program: fails `flake` on every second run where the file `flaky` is there, `other` likewise for the file `other`.
PROGRAM = '''
import os, pathlib, sys
odd = int(os.environ["FLAKESTAT_RUN"]) % 2 == 1
cases, bad = "", False
for name in sys.argv[2:] or ("flake", "other", "steady"):
    failed = odd and pathlib.Path(name).exists()
    bad |= failed
    cases += '<testcase classname="toy" name="%s">%s</testcase>' % (name, "<failure/>" if failed else "")
open(sys.argv[1], "w").write('<testsuite name="s">%s</testsuite>' % cases)
sys.exit(bad)
'''
SETUP = '''set -euo pipefail
for side in before after; do
  mkdir -p "$2/$side"
  git --git-dir="$MIRROR/made+up/repo" archive "$(cat "$(dirname "$0")/$side")" | tar -x -C "$2/$side"
done
echo once >>"$2/set-ups"
'''


class Field(Scenario):
    def setUp(self):
        super().setUp()
        self.write("made-up/test.py", PROGRAM)
        self.git("init", "-q", "made-up")
        self.commits = {"before": self.commit(flake=True), "after": self.commit(flake=False)}
        self.hunts = {"toy": {"folder": ".", "hunts": {"plain": {"command": [sys.executable, "test.py", "{junit}"]}}}}
        self.entries = [self.entry()]

    def commit(self, **files):
        """A commit in which the named files are there, or not."""
        repository = self.root / "made-up"
        for name, there in files.items():
            if there:
                (repository / name).write_text("")
            else:
                (repository / name).unlink(missing_ok=True)
        self.git("add", "-A", cwd=repository)
        self.git("commit", "-qm", "c", "--allow-empty", cwd=repository)
        return self.git("rev-parse", "HEAD", cwd=repository)

    def entry(self, name="toy", **changed):
        sides = {"before": {"runs": 40, "fails": 20}, "after": {"runs": 40, "fails": 0}}
        return {"id": name, "repo": "https://github.com/made/up", **self.commits, "seconds_per_run": 0.1,
                "tests": [{"name": "toy::flake", **sides}], **changed}

    def field(self, *args, code=0):
        """Takes the snapshot and calls the driver; returns its JSON, keeps stdout and stderr in self.shown and self.talk."""
        if not (self.root / "mirror").exists():
            self.git("clone", "-q", "--bare", "made-up", "mirror/made+up/repo")
        cases = self.write("field/toy/cases.json", json.dumps(self.entries))
        self.write("field/toy/setup.sh", SETUP)
        for side, commit in self.commits.items():
            self.write(f"field/toy/{side}", commit)
        hunts = self.write("hunts.json", json.dumps(self.hunts))
        done = subprocess.run([DRIVER, "--cases", cases, "--hunts", hunts, "--mirror", "mirror", "--work", "work", "--flakestat", BINARY,
                               "--json", "found.json", "--runs", "10", *args], cwd=self.root, env={**self.env, "PYTHON": sys.executable},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        self.shown, self.talk = done.stdout, done.stderr
        self.assertEqual(done.returncode, code, f"{self.shown}\n{self.talk}")
        found = self.root / "found.json"
        return json.loads(found.read_text()) if found.exists() else None

    def verdicts(self, found):
        rows = [(row["side"], row["measure"], row["judgement"]) for row in found["rows"]]
        return {side: (measure["verdict"], measure["count"]["fails"], judgement["holds"]) for side, measure, judgement in rows}

    def test_both_sides_of_a_fix_are_as_documented(self):
        found = self.field()
        self.assertEqual(self.verdicts(found), {"before": ("flaky", 5, True), "after": ("stable", 0, True)})
        self.assertEqual((found["others"], found["differences"], found["failed"]), ([], [], []))
        self.assertIn("2 as documented", self.shown)

    def test_a_settled_hunt_beside_the_plain_one_makes_fewer_runs(self):
        self.hunts["toy"]["hunts"]["plain"]["command"].append("flake")
        found = self.field("--settle")
        made = {(hunt["hunt"], hunt["side"]): (hunt["runs"], hunt["finished"]) for hunt in found["hunts"]}
        self.assertEqual(made["plain, settled", "before"], (5, 2))
        self.assertEqual(made["plain, settled", "after"], (5, 5))
        self.assertTrue(all(row["judgement"]["holds"] for row in found["rows"]), found["rows"])

    def test_a_checkout_is_known_by_its_commit(self):
        self.field()
        log = self.root / "work" / "toy" / "hunts" / "plain-before" / "state" / "runs.ndjson"
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual({(line["commit"], line.get("code")) for line in lines}, {(self.commits["before"], None)})

    def test_a_flake_that_its_fix_leaves_is_told(self):
        self.commits["after"] = self.commit(flake=True)
        self.entries = [self.entry()]
        self.assertEqual(self.verdicts(self.field(code=1))["after"], ("flaky", 5, False))
        self.assertIn("**NO**", self.shown)

    def test_another_flaky_test_is_listed_for_checking(self):
        self.commits["before"] = self.commit(flake=True, other=True)
        self.entries = [self.entry()]
        self.assertEqual(self.field()["others"], ["toy, plain, before: toy::other is flaky, failed 5 of 10"])

    def test_what_was_done_is_not_done_again_until_asked(self):
        self.field()
        self.field()
        self.assertNotIn("10 runs", self.talk)
        self.assertEqual((self.root / "work" / "toy" / "set-ups").read_text(), "once\n")
        self.field("--fresh")
        self.assertEqual(self.talk.count("10 runs"), 2)

    def test_counts_are_compared_with_a_second_reading_of_the_reports(self):
        self.field()
        report = self.root / "work" / "toy" / "hunts" / "plain-after" / "reports" / "run-3.xml"
        report.write_text(report.read_text().replace('name="steady">', 'name="steady"><failure/>'))
        self.assertEqual(self.field(code=1)["differences"],
                         ["toy, plain, after: toy::steady: flakestat counts [10, 0, 0], the reports hold [9, 1, 0] (passes, fails, skips)"])

    def test_a_missing_commit_is_named_and_the_other_cases_go_on(self):
        self.entries = [self.entry("lost", after="0" * 40), self.entry()]
        self.hunts["lost"] = self.hunts["toy"]
        found = self.field(code=70)
        self.assertEqual(len(found["failed"]), 1)
        self.assertIn("has no commit " + "0" * 40, found["failed"][0])
        self.assertEqual(len(found["rows"]), 2)

    def test_a_case_without_a_hunt_is_not_lost(self):
        self.entries.append(self.entry("stranger"))
        self.assertIn("stranger: no hunt is written down", self.field(code=70)["failed"][0])

    def test_two_calls_never_work_on_one_case(self):
        (self.root / "work" / "toy").mkdir(parents=True)
        with open(self.root / "work" / "toy" / "lock", "w", encoding="utf-8") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            self.assertIn("another call works on it", self.field(code=70)["failed"][0])
        self.field()

    def test_no_shell_sees_a_command(self):
        self.hunts["toy"]["hunts"]["plain"]["command"] += ["flake", "$(touch owned); touch owned"]
        self.field()
        self.assertEqual(list(self.root.rglob("owned")), [])

    def test_names_that_are_no_names_are_refused(self):
        self.entries = [self.entry("../toy")]
        self.hunts["../toy"] = self.hunts["toy"]
        self.assertIsNone(self.field(code=66))
        self.assertIn("case id: '../toy'", self.talk)

    def test_without_a_case_folder_it_says_so(self):
        done = subprocess.run([DRIVER], cwd=self.root, env={**self.env, "PYTHON": sys.executable, "FLAKESTAT_FIELD": str(self.root)},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 66)
        self.assertIn("no case folder", done.stderr)


if __name__ == "__main__":
    main()
