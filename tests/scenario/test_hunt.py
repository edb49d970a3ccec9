"""`hunt` against small commands: every outcome a run can have."""
import json
import os
import re
import signal
import subprocess
import sys
import time

from _scenario import BINARY, Scenario, main

# A stand-in for a test runner: argv = report path, then `name:when` specs; `when` decides failure from FLAKESTAT_RUN.
RUNNER = '''
import os, sys
run = int(os.environ["FLAKESTAT_RUN"])
report, specs, failed = sys.argv[1], sys.argv[2:], False
cases = []
for spec in specs:
    name, when = spec.split(":")
    bad = {"never": False, "always": True, "odd": run % 2 == 1, "third": run == 3}[when]
    failed |= bad
    cases.append('<testcase classname="C" name="%s">%s</testcase>' % (name, "<failure message='no'/>" if bad else ""))
os.makedirs(os.path.dirname(report) or ".", exist_ok=True)
open(report, "w").write('<testsuite name="s">%s</testsuite>' % "".join(cases))
print("ran", run)
sys.exit(1 if failed else 0)
'''


class Hunt(Scenario):
    def setUp(self):
        super().setUp()
        self.write("runner.py", RUNNER)

    def hunt(self, *args, **kwargs):
        return json.loads(self.flakestat("hunt", "--format", "json", *args, **kwargs))

    def command(self, *specs, report="{junit}"):
        return ["--", sys.executable, "runner.py", report, *specs]

    def verdicts(self, *args):
        self.hunt(*args)
        return {r["name"]: r["verdict"] for r in self.report()["results"]}

    def test_flaky_broken_and_stable_are_told_apart(self):
        self.hunt("--runs", "6", "--junit", "r-{run}.xml", *self.command("a:odd", "b:always", "c:never"))
        self.assertEqual({r["name"]: r["verdict"] for r in self.report("--min-runs", "2")["results"]},
                         {"a": "flaky", "b": "consistently-failing", "c": "stable"})
        lines = self.log()
        self.assertEqual(len(lines), 18)
        self.assertEqual({line["attempt"] for line in lines}, {1, 2, 3, 4, 5, 6})
        self.assertEqual({line["source"] for line in lines}, {"hunt"})
        self.assertEqual(len({line["exec_key"] for line in lines}), 18)

    def test_table_shows_the_flake_and_what_could_not_be_seen(self):
        out = self.flakestat("hunt", "--runs", "6", "--junit", "r.xml", *self.command("a:odd", "c:never"))
        self.assertIn("flaky", out)
        self.assertIn("95 %", out)

    def test_a_run_that_fails_without_a_failing_case_shows_its_last_output(self):
        out = self.flakestat("hunt", "--runs", "3", "--", "sh", "-c", "echo no such module >&2; exit 3")
        self.assertIn("last output of run 1, the first that failed:\n  | no such module\n", out)
        document = self.hunt("--runs", "2", "--junit", "r.xml", "--", "sh", "-c", "echo gone; exit 3", code=66)
        self.assertEqual(document["failing_output"], {"run": 1, "tail": "gone\n"})

    def test_hunt_exits_zero_unless_asked(self):
        args = ["--runs", "4", "--junit", "r.xml", *self.command("a:odd")]
        self.flakestat("hunt", *args)
        self.flakestat("hunt", "--fail-on-flaky", *args, code=1)

    def test_fixed_report_path_is_read_after_each_run(self):  # B19
        self.hunt("--runs", "5", "--junit", "out.xml", *self.command("a:third", report="out.xml"))
        self.assertEqual(sum(line["status"] == "fail" for line in self.log()), 1)

    def test_stale_report_is_no_report(self):
        self.write("out.xml", '<testsuite name="s"><testcase classname="C" name="stale"/></testsuite>')
        done = self.run_raw("hunt", "--runs", "2", "--junit", "out.xml", "--", "true")
        self.assertNotIn("stale", [line["name"] for line in self.log()])
        self.assertRegex(done.stdout.decode(), "report")
        self.assertNotEqual(done.returncode, 0)

    def test_exit_codes_stand_in_for_reports_with_a_warning(self):
        out = self.flakestat("hunt", "--runs", "4", "--", sys.executable, "-c",
                             "import os,sys; print('said before the end'); sys.exit(int(os.environ['FLAKESTAT_RUN'])%2)")
        self.assertIn("flaky", out)
        self.assertIn("said before the end", out + self.talk)
        self.assertRegex(out, "warning: .*exit code")

    def test_timeout_ends_the_whole_tree(self):  # D02
        marker = "300.%d" % os.getpid()
        out = self.flakestat("hunt", "--runs", "1", "--timeout", "1s", "--", "sh", "-c", f"sleep {marker}; true")
        left = subprocess.run(["pgrep", "-f", f"sleep {marker}"], stdout=subprocess.PIPE).stdout
        self.assertEqual(left, b"")
        self.assertRegex(out, "timed out")

    def test_leaked_child_does_not_hang_the_hunt(self):  # D01
        begin = time.monotonic()
        out = self.flakestat("hunt", "--runs", "2", "--", "sh", "-c", "sleep 600 & exit 0", timeout=50)
        self.assertLess(time.monotonic() - begin, 40)
        self.assertRegex(out, "sleep \\(\\d+\\)")

    def test_missing_command_is_66(self):
        self.flakestat("hunt", "--runs", "1", "--", "no-such-command-here", code=66)
        self.assertIn("no-such-command-here", self.talk)

    def test_no_command_is_a_usage_error(self):
        self.flakestat("hunt", code=64)

    def test_until_fail_stops_at_the_first_disagreement(self):
        self.hunt("--runs", "50", "--until-fail", "--junit", "r.xml", *self.command("a:third", "b:always"))
        self.assertEqual(max(line["attempt"] for line in self.log()), 3)

    def test_interrupt_keeps_what_is_there(self):
        process = subprocess.Popen(
            [BINARY, "hunt", "--runs", "500", "--junit", "r.xml", *self.command("a:never")],
            cwd=self.root, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        log = self.root / ".flakestat/runs.ndjson"
        deadline = time.monotonic() + 50
        while time.monotonic() < deadline and (not log.exists() or log.read_bytes().count(b"\n") < 3):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, talk = process.communicate(timeout=50)
        self.assertGreaterEqual(len(self.log()), 3)
        self.assertIn(b"95 %", out, talk)

    def test_burst_of_hunted_code_in_git_has_its_commit(self):
        self.git("init", "-q", "-b", "main")
        self.git("add", "runner.py")
        self.git("commit", "-q", "-m", "c")
        self.hunt("--runs", "2", "--junit", "r.xml", *self.command("a:never"))
        lines = self.log()
        self.assertTrue(all(re.fullmatch("[0-9a-f]{7,40}", line["commit"]) for line in lines))
        self.assertEqual(len({line.get("code", line["commit"]) for line in lines}), 1)


if __name__ == "__main__":
    main()
