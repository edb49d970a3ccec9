"""What a hunt says while it goes: the live block on a terminal, lines in a log, events for tools."""
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import time

from _scenario import BINARY, Scenario, main

SCHEMAS = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "docs/schema"

# argv: report path, then names; every test but the first fails in even runs. Names are as hostile as XML allows.
RUNNER = r'''
import os, sys, time
from xml.sax.saxutils import quoteattr
run = int(os.environ["FLAKESTAT_RUN"])
bad = run % 2 == 0
cases = []
for place, name in enumerate(sys.argv[2:]):
    body = "<failure message='no'/>" if bad and place > 0 else ""
    cases.append("<testcase classname='C' name=%s>%s</testcase>" % (quoteattr(name), body))
open(sys.argv[1], "w").write("<testsuite name='s'>%s</testsuite>" % "".join(cases))
time.sleep(float(os.environ.get("PAUSE", "0")))
sys.exit(1 if bad and len(sys.argv) > 3 else 0)
'''


class Screen:
    """As much of a terminal as the block needs: lines, wrapping, and the sequences that it may use. Others fail."""

    def __init__(self, columns):
        self.columns, self.lines, self.row, self.column, self.seen = columns, [""], 0, 0, []
        self.widest = 0

    def put(self, text):
        for part in re.split(r"(\r|\n|\x1b\[[0-9]*[A-Za-z])", text):
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append("")
            elif part == "\x1b[K":
                self.lines[self.row] = self.lines[self.row][:self.column]
            elif part == "\x1b[J":
                self.lines[self.row] = self.lines[self.row][:self.column]
                del self.lines[self.row + 1:]
            elif re.fullmatch(r"\x1b\[\d+A", part):
                self.row -= int(part[2:-1])
                assert self.row >= 0, "moved above the block"
            elif part:
                assert "\x1b" not in part, repr(part)
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[:self.column] + part + line[self.column + len(part):]
                self.column += len(part)
                self.widest = max(self.widest, self.column)
        self.seen.append("\n".join(self.lines))


class Progress(Scenario):
    def setUp(self):
        super().setUp()
        self.write("runner.py", RUNNER)

    def command(self, *names):
        return ["--junit", "r.xml", "--", sys.executable, "runner.py", "{junit}", *names]

    def on_a_terminal(self, *args, columns=80, rows=24, env=None, stdout_too=False):
        """stderr is a terminal; returns the screen, everything that was written there, and stdout."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        process = subprocess.Popen([BINARY, "hunt", *args], cwd=self.root, stdin=subprocess.DEVNULL,
                                   stdout=follower if stdout_too else subprocess.PIPE, stderr=follower,
                                   env={**self.env, "TERM": "xterm", **(env or {})})
        os.close(follower)
        screen, written = Screen(columns), b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            written += piece
            if not stdout_too:
                screen.put(piece.decode("utf-8", "replace"))
        os.close(leader)
        out = b""
        if not stdout_too:
            with process.stdout as stream:
                out = stream.read()
        self.assertEqual(process.wait(), 0, written)
        return screen, written.decode(), out.decode()

    def test_live_block_shows_runs_time_and_disagreeing_tests_and_is_erased(self):
        screen, _, out = self.on_a_terminal("--runs", "6", *self.command("steady", "a", "b"), env={"PAUSE": "0.3"})
        blocks = [seen for seen in screen.seen if "run 4/6" in seen]
        self.assertTrue(blocks, screen.seen)
        self.assertRegex(blocks[-1], r"run 4/6  2 failing  ETA \d+s  \(\d+ms a run\)\s*\n  C::a  2 P 2 F\s*\n  C::b  2 P 2 F")
        self.assertNotIn("steady", "".join(screen.seen))
        self.assertNotRegex("\n".join(screen.lines), r"run \d/6|P \d F")
        self.assertIn("6 runs of", out)

    def test_live_block_fits_the_terminal(self):
        names = ["steady"] + ["a_very_long_name_of_a_test_number_%d_%s" % (i, "x" * 60) for i in range(9)]
        screen, _, _ = self.on_a_terminal("--runs", "4", *self.command(*names), columns=40, rows=5)
        self.assertTrue(any("more" in seen for seen in screen.seen))
        self.assertLessEqual(max(len([line for line in seen.splitlines() if re.match(r"run \d|  ", line)])
                                 for seen in screen.seen), 5)
        blocks = [line for seen in screen.seen for line in seen.splitlines() if re.match(r"run \d|  C", line)]
        self.assertLessEqual(max(map(len, blocks)), 40)

    def test_hostile_names_and_talk_cannot_steer_the_terminal(self):
        hostile = "evil\u009b2J\u202e" + "x"
        _, written, _ = self.on_a_terminal("--runs", "4", *self.command("steady", hostile))
        self.assertIn("evil", written)
        self.assertNotIn("\u009b", written)
        self.assertNotIn("\u202e", written)

    def test_no_color_quiet_and_dumb_terminals_have_no_block(self):
        for env, args in (({"NO_COLOR": "1"}, []), ({"TERM": "dumb"}, []), ({}, ["--quiet"])):
            _, written, _ = self.on_a_terminal("--runs", "2", *args, *self.command("steady", "a"), env=env)
            self.assertNotIn("\x1b", written)
            self.assertEqual("run 1: exit 0" in written, not args, written)

    def test_a_log_has_one_line_a_run(self):
        self.flakestat("hunt", "--runs", "4", *self.command("steady", "a", "b"))
        lines = [line for line in self.talk.splitlines() if re.match(r"run \d", line)]
        self.assertEqual([re.sub(r"\d+ms$|[\d.]+s$", "TIME", line) for line in lines],
                         ["run 1: exit 0, 0 failed of 3, TIME", "run 2: exit 1, 2 failed of 3, TIME",
                          "run 3: exit 0, 0 failed of 3, TIME", "run 4: exit 1, 2 failed of 3, TIME"])
        self.flakestat("hunt", "--runs", "2", "--quiet", *self.command("steady"))
        self.assertEqual(self.talk, "")

    def test_a_long_hunt_thins_its_lines_but_not_its_failures(self):
        self.flakestat("hunt", "--runs", "60", "--", "sh", "-c", "test $FLAKESTAT_RUN != 30")
        lines = [line for line in self.talk.splitlines() if re.match(r"run \d", line)]
        self.assertLess(len(lines), 60)
        self.assertTrue(any(line.startswith("run 30: exit 1") for line in lines), lines)

    def validate(self, schema, documents):
        paths = [self.write(f"documents/{schema}-{i}.json", json.dumps(document))
                 for i, document in enumerate(documents)]
        tool = SCHEMAS.parent.parent / "tools/validate_schema.py"
        done = subprocess.run([sys.executable, str(tool), str(SCHEMAS / f"{schema}.schema.json"), *paths],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 77:
            self.skipTest("python3-jsonschema is not installed")
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def events(self, *args, **kwargs):
        return [json.loads(line) for line in self.flakestat("hunt", "--format", "ndjson", *args, **kwargs).splitlines()]

    def test_events_are_valid_and_in_order(self):
        events = self.events("--runs", "4", *self.command("steady", "a", "b\nc"))
        self.assertEqual([event["event"] for event in events],
                         ["plan", "run", "run", "disagreement", "disagreement", "run", "run", "end"])
        self.assertEqual([event["name"] for event in events if event["event"] == "disagreement"], ["a", "b\nc"])
        self.assertEqual([(event["run"], event["passes"], event["fails"]) for event in events[3:5]], [(2, 1, 1)] * 2)
        self.assertEqual([event["failed"] for event in events if event["event"] == "run"], [False, True, False, True])
        self.assertEqual(events[-1]["hunt"]["finished_runs"], 4)
        self.validate("hunt-events", events)
        self.validate("hunt", [events[-1]["hunt"]])

    def test_events_by_exit_codes_and_in_parallel_are_valid(self):
        script = "test $FLAKESTAT_RUN != 3"
        self.validate("hunt-events", self.events("--runs", "4", "--", "sh", "-c", script))
        self.validate("hunt-events", self.events("--runs", "4", "--parallel", "2", "--", "sh", "-c", script))

    def test_events_come_as_they_happen(self):
        process = subprocess.Popen([BINARY, "hunt", "--format", "ndjson", "--runs", "2", "--", "sh", "-c",
                                    "test $FLAKESTAT_RUN = 1 || while test ! -e go; do sleep 0.05; done"],
                                   cwd=self.root, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual(json.loads(process.stdout.readline())["event"], "plan")
        first = json.loads(process.stdout.readline())
        self.assertEqual((first["event"], first["run"]), ("run", 1))
        self.write("go", "")
        with process.stdout as stream:
            rest = [json.loads(line)["event"] for line in stream]
        self.assertEqual(rest, ["run", "end"])
        self.assertEqual(process.wait(), 0)

    def test_a_reader_that_goes_away_loses_nothing_of_the_log(self):
        process = subprocess.Popen([BINARY, "hunt", "--format", "ndjson", "--runs", "5", "--", "sleep", "0.05"],
                                   cwd=self.root, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        with process.stderr as stream:
            talk = stream.read().decode()
        self.assertEqual(process.wait(), 74, talk)
        self.assertEqual(len(self.log()), 5)

    def test_events_on_a_terminal_stand_without_a_block(self):
        _, written, _ = self.on_a_terminal("--format", "ndjson", "--runs", "2", *self.command("steady"), stdout_too=True)
        self.assertNotIn("\x1b[", written)
        self.assertIn('"event":"end"', written)


if __name__ == "__main__":
    main()
