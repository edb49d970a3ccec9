"""compact: the log shrinks, no verdict changes."""
import os
import stat
import subprocess

from _scenario import BINARY, FAIL, Scenario, case, main, suite


class Compact(Scenario):
    @property
    def path(self):
        return self.root / ".flakestat/runs.ndjson"

    def history(self, directory, commits, start=1):
        """A history of its own folder: one report a commit, some tests wobbling, one that only ran at the beginning."""
        for commit in range(start, start + commits):
            cases = [case("solid"), case("wobbly", FAIL if commit % 3 == 0 else ""),
                     case("broken", FAIL), case("skipped", "<skipped/>")]
            if commit <= 2:
                cases.append(case("early", FAIL if commit == 1 else ""))
            self.write("r.xml", suite(*cases, extra=f' timestamp="2026-08-{commit:02d}T10:00:00Z"'))
            for attempt in ("", '<flakyFailure message="x">x</flakyFailure>'):
                self.write("f.xml", suite(case(f"f{commit}", attempt), name="t",
                                          extra=f' timestamp="2026-08-{commit:02d}T11:00:00Z"'))
            self.ingest("r.xml", "f.xml", "--dir", directory, "--commit", f"c{commit}", "--branch", "main",
                        "--run-id", f"{directory}-{commit}")

    def merged(self):
        """What `cat a b` makes of two logs that have executions in common."""
        self.history("a", 9)
        self.history("b", 6, start=5)
        text = (self.root / "a/runs.ndjson").read_bytes() + (self.root / "b/runs.ndjson").read_bytes()
        self.write(".flakestat/runs.ndjson", text)
        return text

    def verdicts(self):
        found = {model: self.report("--model", model, "--default-branch", "main") for model in ("bayes", "flip-rate")}
        self.dropped = {document.pop("duplicates") for document in found.values()}
        return found

    def test_a_merged_log_has_the_same_verdicts_before_and_after(self):
        self.merged()
        before = self.verdicts()
        lines = len(self.log())
        document = self.json("compact")
        self.assertGreater(document["duplicates"], 10)
        self.assertEqual(self.dropped, {document["duplicates"]})
        self.assertEqual(document["lines"], lines)
        self.assertEqual(document["kept"], len(self.log()))
        self.assertEqual(document["bytes_after"], self.path.stat().st_size)
        self.assertEqual(len({line["exec_key"] for line in self.log()}), len(self.log()))
        self.assertEqual(self.verdicts(), before)
        self.assertEqual(self.dropped, {0})

    def test_tests_that_did_not_run_lately_keep_their_state(self):  # C09
        self.merged()
        early = self.result("early", "--default-branch", "main")
        self.flakestat("compact")
        self.assertEqual(self.result("early", "--default-branch", "main"), early)

    def test_kept_lines_are_copied_byte_for_byte(self):
        text = self.merged().replace(b'"source":"ci"', b'"future":{"deep": [1,2.50]},"source":"ci"')
        self.write(".flakestat/runs.ndjson", text)
        self.flakestat("compact")
        kept = self.path.read_bytes().splitlines(keepends=True)
        self.assertEqual([line for line in kept if line not in set(text.splitlines(keepends=True))], [])
        self.assertTrue(all(b'"future":{"deep": [1,2.50]}' in line for line in kept))

    def test_dry_run_changes_nothing_and_tells_the_same_numbers(self):
        text = self.merged()
        said = self.json("compact", "--dry-run")
        self.assertEqual(self.path.read_bytes(), text)
        self.assertEqual(os.listdir(self.root / ".flakestat"), ["runs.ndjson"])
        self.assertTrue(said.pop("dry_run"))
        done = self.json("compact")
        self.assertFalse(done.pop("dry_run"))
        self.assertEqual(said, done)
        self.assertIn("nothing was changed", self.flakestat("compact", "--dry-run"))

    def test_ingesting_again_after_compaction_adds_nothing(self):
        self.merged()
        self.flakestat("compact")
        before = self.log()
        self.history(".flakestat", 9)
        self.assertEqual(self.log(), before)

    def test_damage_is_refused_with_its_place_unless_salvaged(self):
        text = self.merged()
        damaged = text + b"not a record\n" + text[:40]
        self.write(".flakestat/runs.ndjson", damaged)
        before = self.verdicts()
        self.assertEqual(self.flakestat("compact", "--format", "json", code=65), "")
        self.assertIn(f"13 bytes at offset {len(text)}", self.talk)
        self.assertIn(f"40 bytes at offset {len(text) + 13}", self.talk)
        self.assertIn("--salvage", self.talk)
        self.assertEqual(self.path.read_bytes(), damaged)
        self.assertEqual(self.json("compact", "--salvage")["rejected"], 2)
        self.assertEqual((self.root / ".flakestat/runs.rejected.ndjson").read_bytes(),
                         b"not a record\n" + text[:40] + b"\n")
        self.assertEqual(self.verdicts(), before)
        self.assertNotIn("runs.ndjson", self.talk)  # nothing is damaged any more

    def test_the_cases_of_a_damaged_report_go_when_the_whole_one_came(self):
        whole = suite(case("a"), case("b", FAIL), case("c"), extra=' timestamp="2026-08-17T10:00:00Z"')
        self.write("r.xml", whole[:-30])
        self.flakestat("ingest", "--allow-damaged", "r.xml", "--commit", "c1", "--branch", "main")
        self.write("r.xml", whole)
        self.ingest("r.xml", "--commit", "c1", "--branch", "main")
        before = self.verdicts()
        self.assertEqual(self.json("compact")["superseded"], 2)
        self.assertEqual([line.get("partial") for line in self.log()], [None] * 3)
        self.assertEqual(self.verdicts(), before)

    def test_permissions_stay(self):
        self.merged()
        self.path.chmod(0o660)
        self.flakestat("compact")
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o660)

    def test_without_a_history_it_says_so(self):
        self.assertEqual(self.json("compact")["lines"], 0)
        self.assertIn("nothing to compact", self.talk)
        self.assertFalse((self.root / ".flakestat").exists())

    def test_ingests_beside_compactions_lose_nothing(self):
        text = self.merged()
        before = len({line["exec_key"] for line in self.log()})
        for i in range(8):
            self.write(f"x{i}.xml", suite(*[case(f"x{i}-{j}") for j in range(30)]))
        running = []
        for i in range(8):
            running.append([BINARY, "ingest", f"x{i}.xml"])
            running.append([BINARY, "compact"])
        running = [subprocess.Popen(args, cwd=self.root, env=self.env, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE) for args in running]
        for process in running:
            talk = process.communicate(timeout=120)[1]
            self.assertEqual(process.returncode, 0, talk)
        self.flakestat("compact")
        self.assertEqual(len(self.log()), before + 8 * 30)
        self.assertLess(self.path.stat().st_size, len(text) + 8 * 30 * 600)


if __name__ == "__main__":
    main()
