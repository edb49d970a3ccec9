"""Runs of a hunt that are made again, what failing runs leave, and how an interrupted hunt ends."""
import json
import os
import re
import signal
import subprocess
import sys
import time

from _scenario import BINARY, Scenario, main

# Says what it got; fails in the runs that are named in FAIL (comma-separated), with a report when a path is given.
PROBE = r'''
import json, os, sys
run = os.environ["FLAKESTAT_RUN"]
failed = run in os.environ.get("FAIL", "2").split(",")
seen = {"run": run, "argv": sys.argv[1:], "cwd": os.getcwd(), "seed": os.environ.get("SEED"),
        "empty": os.environ.get("EMPTY")}
with open(os.environ["SEEN"], "a") as out:
    out.write(json.dumps(seen) + "\n")
for argument in sys.argv[1:]:
    if argument.startswith("--out="):
        body = "<failure message='no'/>" if failed else ""
        end = "</testsuite>" if os.environ.get("CUT") != run else ""
        open(argument[6:], "w").write('<testsuite name="s"><testcase classname="C" name="a">%s</testcase>%s' % (body, end))
print("this is run", run, flush=True)
sys.exit(3 if failed else 0)
'''


class Probed(Scenario):
    def setUp(self):
        super().setUp()
        self.write("probe.py", PROBE)
        self.seen_path = self.root / "seen.ndjson"
        self.env["SEEN"] = str(self.seen_path)

    def seen(self):
        return [json.loads(line) for line in self.seen_path.read_text().splitlines()]

    def command(self, *args):
        return ["--", sys.executable, "probe.py", *args]

    def hunt(self, *args, **kwargs):
        return json.loads(self.flakestat("hunt", "--format", "json", *args, **kwargs))

    def record(self):
        files = list((self.root / ".flakestat/hunts").iterdir())
        self.assertEqual(len(files), 1)
        return json.loads(files[0].read_text())


class Replay(Probed):
    def test_replay_runs_exactly_that_command(self):
        odd = ["--out={junit}", "seed-{run}", "two words", "it's", "$HOME", "new\nline", "\x1b[31m", "", "{other}"]
        self.hunt("--runs", "3", "--junit", "r/{run}.xml", *self.command(*odd))
        self.flakestat("hunt", "--replay", "2", code=3)
        seen = self.seen()
        self.assertEqual(seen[3], seen[1])
        self.assertEqual(seen[3]["argv"][:2], [f"--out={self.root}/r/2.xml", "seed-2"])
        self.assertIn("this is run 2", self.talk)
        self.assertIn("exit 3, as then", self.talk)
        self.assertEqual(len(self.log()), 3, "a replay stores nothing")

    def test_printed_command_is_exact_for_a_shell(self):
        odd = ["two words", "it's", "$HOME `id` \\", "new\nline", "\x1b[31m\u202e", "", "*"]
        self.hunt("--runs", "2", "--record-env", "SEED", *self.command(*odd), env={"SEED": "a 'b'\n"})
        self.flakestat("hunt", "--replay", "2", code=3)
        line = next(line for line in self.talk.splitlines() if line.startswith("  cd -- "))
        self.assertTrue(line.isprintable(), line)
        done = subprocess.run(["bash", "-c", line], env=self.env, cwd="/", stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.seen()[-1], self.seen()[1])

    def test_bytes_that_are_no_text_come_back(self):
        self.hunt("--runs", "1", *self.command(b"\xff\xfe"), env={"FAIL": ""})
        self.flakestat("hunt", "--replay", "1", env={"FAIL": ""})
        self.assertEqual(self.seen()[0]["argv"], self.seen()[1]["argv"])
        self.assertEqual(self.seen()[0]["argv"], ["\udcff\udcfe"])

    def test_named_variables_are_as_they_were_and_others_are_not_recorded(self):
        self.hunt("--runs", "2", "--record-env", "SEED", "--record-env", "EMPTY", "--record-env", "NEVER_SET",
                  *self.command(), env={"SEED": "one", "EMPTY": "", "SECRET_TOKEN": "hush-hush"})
        self.flakestat("hunt", "--replay", "2", code=3, env={"SEED": "two", "NEVER_SET": "now"})
        self.assertEqual(self.seen()[2], self.seen()[1])
        record = self.record()
        self.assertEqual(record["variables"], [{"name": "FLAKESTAT_RUN", "value": "{run}"}])
        self.assertEqual(record["recorded"], [{"name": "SEED", "value": "one"}, {"name": "EMPTY", "value": ""},
                                              {"name": "NEVER_SET", "value": None}])
        self.assertNotIn("hush-hush", json.dumps(record))

    def test_what_is_no_variable_is_refused(self):
        self.flakestat("hunt", "--record-env", "A=b", *self.command(), code=64)
        self.flakestat("hunt", "--record-env", "FLAKESTAT_RUN", *self.command(), code=64)

    def test_runs_and_hunts_are_found_by_number_and_prefix(self):
        self.hunt("--runs", "2", "--run-id", "job-1", *self.command("first"))
        self.hunt("--runs", "2", "--run-id", "job-2", *self.command("second"))
        self.flakestat("hunt", "--replay", "1")
        self.assertEqual(self.seen()[-1]["argv"], ["second"])
        self.flakestat("hunt", "--replay", "job-1:1")
        self.assertEqual(self.seen()[-1]["argv"], ["first"])
        self.flakestat("hunt", "--replay", "job:1", code=64)
        self.assertIn("job-1, job-2", self.talk)
        self.flakestat("hunt", "--replay", "job-2:9", code=66)
        self.assertIn("there is no run 9 of hunt job-2: it recorded 2, up to run 2", self.talk)
        self.flakestat("hunt", "--replay", "other:1", code=66)
        self.flakestat("hunt", "--replay", "zero", code=64)
        self.flakestat("hunt", "--replay", "0", code=64)

    def test_no_hunt_and_no_directory_are_said(self):
        self.flakestat("hunt", "--replay", "1", code=66)
        self.assertIn("no hunt is recorded in .flakestat/hunts", self.talk)
        away = self.root / "away"
        away.mkdir()
        self.flakestat("hunt", "--dir", "../state", "--runs", "1", "--", "true", cwd=away)
        away.rmdir()
        self.flakestat("hunt", "--dir", "state", "--replay", "1", code=66)
        self.assertIn("away, which is not there any more", self.talk)

    def test_replay_takes_no_command_and_no_flag_that_measures(self):
        self.hunt("--runs", "1", *self.command())
        self.flakestat("hunt", "--replay", "1", *self.command(), code=64)
        self.flakestat("hunt", "--replay", "1", "--runs", "5", code=64)
        self.flakestat("hunt", "--replay", "1", "--format", "json", code=64)

    def test_other_code_than_then_is_warned_of_with_both(self):
        self.git("init", "-q", "-b", "main")
        self.git("add", "probe.py")
        self.git("commit", "-q", "-m", "c")
        self.hunt("--runs", "1", *self.command())
        self.flakestat("hunt", "--replay", "1")
        self.assertNotIn("warning", self.talk)
        before = self.record()["code"]
        self.write("probe.py", PROBE + "\n")
        self.flakestat("hunt", "--replay", "1")
        self.assertRegex(self.talk, r"warning: the code is another one than then: now [0-9a-f]+\+[0-9a-f]+, then " +
                         re.escape(before))

    def test_exit_code_is_the_commands(self):
        script = 'case $FLAKESTAT_RUN in 1) exit 7;; 2) kill -9 $$;; 3) sleep 600;; esac'
        self.hunt("--runs", "3", "--timeout", "1s", "--", "sh", "-c", script)
        self.flakestat("hunt", "--replay", "1", code=7)
        self.flakestat("hunt", "--replay", "2", code=128 + 9)
        self.flakestat("hunt", "--replay", "3", code=124)
        self.assertIn("timed out, as then", self.talk)

    def test_output_is_streamed_and_harmless(self):
        self.hunt("--runs", "1", "--", "sh", "-c", r"printf 'one\n\033]0;title\007two\n\033[2Jthree'")
        self.flakestat("hunt", "--replay", "1")
        self.assertNotIn("\x1b", self.talk)
        self.assertIn("one\ntwo\nthree\n", self.talk)

    def test_a_disagreement_names_its_replay_at_the_end(self):
        out = self.flakestat("hunt", "--runs", "4", "--run-id", "r", "--junit", "r.xml", *self.command("--out={junit}"))
        self.assertIn("to make a failing run again:\n  flakestat hunt --replay r:2   (C::a failed)\n", out)
        document = self.hunt("--runs", "3", "--run-id", "q", "--dir", "my state", *self.command())
        self.assertEqual([(each["run"], each["command"]) for each in document["again"]],
                         [(2, "flakestat hunt --dir 'my state' --replay q:2")])
        self.assertEqual(self.hunt("--runs", "3", *self.command(), env={"FAIL": ""})["again"], [])

    def test_records_older_than_ninety_days_go(self):
        folder = self.root / ".flakestat/hunts"
        folder.mkdir(parents=True)
        for number in range(130):
            (folder / f"old-{number}.json").write_text("{}")
            os.utime(folder / f"old-{number}.json", (1_000_000_000 + number,) * 2)
        self.hunt("--runs", "1", *self.command())
        self.assertEqual(len(list(folder.iterdir())), 1)

    def test_kill_minus_nine_loses_little_of_the_record(self):
        process = subprocess.Popen([BINARY, "hunt", "--runs", "500", "--", "sh", "-c", "exit 1"], cwd=self.root,
                                   env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        folder = self.root / ".flakestat/hunts"
        deadline = time.monotonic() + 50
        while time.monotonic() < deadline and not (folder.exists() and list(folder.glob("*.json"))):
            time.sleep(0.02)
        process.kill()
        process.wait()
        record = self.record()
        self.assertFalse(record["ended"])
        self.assertGreaterEqual(len(record["runs"]), 1)
        self.flakestat("hunt", "--replay", "1", code=1)


class Failures(Probed):
    def folders(self):
        folder = self.root / ".flakestat/failures"
        return sorted(each.name for each in folder.iterdir()) if folder.exists() else []

    def until_fail(self, *args, env=None):
        return self.hunt("--until-fail", "--run-id", "r", *args, env=env)

    def test_output_report_and_command_of_the_failing_run_are_kept(self):
        document = self.until_fail("--runs", "9", "--junit", "r.xml", *self.command("--out={junit}"))
        self.assertEqual(document["kept_failure"], {"run": 2, "folder": ".flakestat/failures/r-run-2"})
        kept = self.root / ".flakestat/failures/r-run-2"
        self.assertEqual(sorted(each.name for each in kept.iterdir()), ["command.txt", "output.txt", "report.xml"])
        self.assertEqual((kept / "output.txt").read_text(), "this is run 2\n")
        self.assertIn("<failure", (kept / "report.xml").read_text())
        command = (kept / "command.txt").read_text()
        self.assertIn("# again: flakestat hunt --replay r:2\n", command)
        self.assertEqual(subprocess.run(["bash", str(kept / "command.txt")], env=self.env,
                                        stdout=subprocess.DEVNULL).returncode, 3)

    def test_the_run_that_failed_is_kept_also_when_the_pass_came_later(self):
        document = self.until_fail("--runs", "9", *self.command(), env={"FAIL": "1"})
        self.assertEqual(document["finished_runs"], 2)
        self.assertEqual(document["kept_failure"]["run"], 1)
        self.assertEqual(self.folders(), ["r-run-1"])

    def test_a_partial_report_is_kept(self):
        self.until_fail("--runs", "9", "--junit", "r.xml", *self.command("--out={junit}"), env={"CUT": "2"})
        report = self.root / ".flakestat/failures/r-run-2/report.xml"
        self.assertTrue(report.read_text().startswith("<testsuite"))
        self.assertNotIn("</testsuite>", report.read_text())

    def test_the_report_of_a_copy_in_a_tree_of_its_own_is_kept(self):
        document = self.until_fail("--runs", "12", "--parallel", "2", "--verify", "0", "--junit", "r.xml",
                                   *self.command("--out={junit}"), env={"FAIL": "3"})
        if document["isolation"] in (None, "none"):
            self.skipTest("copies cannot be isolated here: " + self.talk)
        report = self.root / ".flakestat/failures/r-run-3/report.xml"
        self.assertIn("<failure", report.read_text())
        self.flakestat("hunt", "--replay", "3", code=3, env={"FAIL": "3"})
        self.assertIn("then it ran beside other copies", self.talk)

    def test_without_a_disagreement_nothing_is_kept(self):
        document = self.until_fail("--runs", "3", *self.command(), env={"FAIL": "1,2,3"})
        self.assertIsNone(document["kept_failure"])
        self.assertEqual(self.folders(), [])

    def test_without_until_fail_nothing_is_kept(self):
        self.hunt("--runs", "3", *self.command())
        self.assertEqual(self.folders(), [])

    def test_the_place_is_said_at_the_end(self):
        out = self.flakestat("hunt", "--runs", "9", "--until-fail", "--run-id", "r", *self.command())
        self.assertIn("output and report of run 2 are kept in .flakestat/failures/r-run-2\n", out)

    def test_output_limit_keeps_head_and_tail(self):
        script = "head -c 100000 /dev/zero | tr '\\0' x; echo; echo end; test $FLAKESTAT_RUN != 2"
        self.until_fail("--runs", "3", "--output-limit", "1K", "--", "sh", "-c", script)
        text = (self.root / ".flakestat/failures/r-run-2/output.txt").read_text()
        self.assertLess(len(text), 1200)
        self.assertIn("bytes left out", text)
        self.assertTrue(text.endswith("end\n"))
        self.flakestat("hunt", "--output-limit", "much", "--", "true", code=64)
        self.write(".flakestat.json", '{"output_limit": "x"}')
        self.flakestat("hunt", "--", "true", code=78)


class Interrupted(Probed):
    def interrupted(self, number, *args):
        before = len(self.log())
        process = subprocess.Popen([BINARY, "hunt", "--runs", "500", *args], cwd=self.root, env=self.env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        log = self.root / ".flakestat/runs.ndjson"
        deadline = time.monotonic() + 50
        while time.monotonic() < deadline and (not log.exists() or log.read_bytes().count(b"\n") < before + 3):
            time.sleep(0.02)
        process.send_signal(number)
        out, talk = process.communicate(timeout=50)
        return process.returncode, out.decode(), talk.decode()

    def test_a_signal_shows_what_there_is_and_exits_with_128_and_its_number(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code, out, talk = self.interrupted(number, "--fail-on-flaky", *self.command())
            self.assertEqual(code, 128 + number, talk)
            self.assertIn("(interrupted)", out)
            self.assertIn("95 %", out)
            self.assertTrue(self.log())

    def test_an_interrupted_hunt_can_be_replayed(self):
        self.interrupted(signal.SIGINT, *self.command())
        self.assertTrue(self.record()["ended"])
        self.flakestat("hunt", "--replay", "2", code=3)

    def test_an_interrupted_replay_ends_the_command(self):
        marker = "300.%d" % os.getpid()
        self.hunt("--runs", "1", "--timeout", "1s", "--", "sh", "-c", f"echo here; sleep {marker}; true")
        process = subprocess.Popen([BINARY, "hunt", "--replay", "1", "--timeout", "5m"], cwd=self.root, env=self.env,
                                   stderr=subprocess.PIPE)
        for line in process.stderr:
            if line == b"here\n":
                break
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=50)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"sleep {marker}"], stdout=subprocess.PIPE).stdout, b"")


if __name__ == "__main__":
    main()
