"""What a hunted command may do to us, and what may be left of it: nothing. Real signals, a real terminal, much output."""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import termios
import time

from _scenario import BINARY, Scenario, main

PROGRAMS = pathlib.Path(os.environ["FLAKESTAT_BUILD_DIR"]) / "programs"
PATIENCE = 50  # seconds: for a slow machine, never a measure

# Odd runs report both tests; even runs die between the end of t1 and the start of t2.
TEARDOWN_CRASH = '''
import os, signal, sys
report = open(sys.argv[1], "w")
report.write('<testsuite name="s"><testcase classname="C" name="t1"/>')
report.flush()
if int(os.environ["FLAKESTAT_RUN"]) % 2 == 0:
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)
report.write('<testcase classname="C" name="t2"/></testsuite>')
'''


def until(condition):
    """Waits for `condition`; False when it never held."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def running(marker):
    return subprocess.run(["pgrep", "-f", marker], stdout=subprocess.PIPE, check=False).stdout.split()


class Supervision(Scenario):
    def setUp(self):
        super().setUp()
        self.marker = f"300.{os.getpid()}"  # an argument of sleep(1) that no other test has

    def hunt(self, *args, **kwargs):
        return json.loads(self.flakestat("hunt", "--format", "json", *args, **kwargs))

    def start(self, *args, **kwargs):
        process = subprocess.Popen([BINARY, "hunt", *args], cwd=self.root, env=self.env, **kwargs)
        self.addCleanup(process.kill)
        return process

    def start_piped(self, *args):
        return self.start(*args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_a_crash_in_teardown_is_charged_to_no_test(self):  # D08
        self.write("suite.py", TEARDOWN_CRASH)
        self.hunt("--runs", "4", "--junit", "r.xml", "--", sys.executable, "suite.py", "r.xml")
        lines = self.log()
        self.assertEqual([line["status"] for line in lines if line["name"] == "t1"], ["pass"] * 4)
        self.assertEqual([line["attempt"] for line in lines if line["name"] == "t2"], [1, 3])
        failed = [line for line in lines if line["status"] == "fail"]
        self.assertEqual([line["attempt"] for line in failed], [2, 4])
        self.assertNotIn("t1", {line["name"] for line in failed})
        self.assertIn("signal 11", failed[0]["message"])

    def test_a_time_out_leaves_an_entry_that_says_so(self):  # D10
        out = self.flakestat("hunt", "--runs", "1", "--timeout", "1", "--", "sleep", self.marker)
        self.assertIn("timed out", out)
        (line,) = self.log()
        self.assertIn(line["status"], ("fail", "error"))
        self.assertIn("timed out", line["message"])
        self.assertEqual(running(f"sleep {self.marker}"), [])

    def test_two_gigabytes_of_output_take_little_memory(self):
        line = f'{PROGRAMS / "child_flood"} 2048; grep VmHWM /proc/$PPID/status >hwm; exit 3'
        self.flakestat("hunt", "--runs", "1", "--", "sh", "-c", line, timeout=600)
        peak_kib = int((self.root / "hwm").read_text().split()[1])
        # The address sanitizer's own memory comes on top; what was printed must never stay.
        sanitized = b"__asan_init" in pathlib.Path(BINARY).read_bytes()
        self.assertLess(peak_kib, (256 if sanitized else 64) * 1024)
        self.assertEqual(self.log()[0]["message"], "exit code 3")

    def test_an_endless_chain_of_forks_is_named_and_does_not_hold_the_hunt_up(self):
        out = self.flakestat("hunt", "--runs", "2", "--", PROGRAMS / "child_chain", "deaf-setsid", f"x{os.getpid()}")
        self.assertRegex(out, rf"x{os.getpid()} \(\d+\)")
        self.assertEqual(running(f"child_chain deaf-setsid x{os.getpid()}"), [])

    def test_a_storm_of_500_that_times_out_is_gone_with_it(self):
        self.flakestat("hunt", "--runs", "1", "--timeout", "2", "--", PROGRAMS / "child_storm", "500", "setsid", self.marker)
        self.assertEqual(running(f"child_storm 500 setsid {self.marker}"), [])

    def interrupted(self, *signals):
        """Hunts a command that ignores SIGTERM from its second run on, and is sent `signals` there."""
        line = f"test $FLAKESTAT_RUN = 1 && exit 0; trap '' TERM INT; touch ready; sleep {self.marker}; sleep {self.marker}"
        process = self.start_piped("--runs", "9", "--", "sh", "-c", line)
        self.assertTrue(until((self.root / "ready").exists))
        for number in signals:
            process.send_signal(number)
            time.sleep(0.05)
        out, talk = process.communicate(timeout=PATIENCE)
        self.assertEqual(running(f"sleep {self.marker}"), [])
        self.assertEqual([line["attempt"] for line in self.log()], [1], talk)
        self.assertRegex(out.decode(), r"^1 of 9 runs .*\(interrupted\)")
        return process.returncode

    def test_ctrl_c_once_keeps_what_is_there(self):
        self.assertEqual(self.interrupted(signal.SIGINT), 128 + signal.SIGINT)

    def test_ctrl_c_twice_stops_now_and_keeps_what_is_there(self):
        self.assertEqual(self.interrupted(signal.SIGINT, signal.SIGINT), 128 + signal.SIGINT)

    def test_sigterm_keeps_what_is_there(self):
        self.assertEqual(self.interrupted(signal.SIGTERM), 128 + signal.SIGTERM)

    def test_the_command_ends_when_flakestat_is_killed_outright(self):
        process = self.start_piped("--runs", "1", "--", "sleep", self.marker)
        self.assertTrue(until(lambda: running(f"^sleep {self.marker}")))
        process.kill()
        process.communicate(timeout=PATIENCE)
        self.assertTrue(until(lambda: not running(f"^sleep {self.marker}")))


class Terminal(Scenario):
    """Flakestat as the leader of a session with a terminal of its own."""

    def setUp(self):
        super().setUp()
        self.env["TERM"] = "xterm"
        self.master, self.slave = pty.openpty()
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, self.slave)
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""

    def start(self, *args):
        # setsid, then the slave is opened: a session's first terminal becomes its own.
        opening = 'import os, sys; os.setsid(); fd = os.open(sys.argv[1], os.O_RDWR); ' \
                  'os.dup2(fd, 0); os.dup2(fd, 1); os.dup2(fd, 2); os.execv(sys.argv[2], sys.argv[2:])'
        process = subprocess.Popen([sys.executable, "-c", opening, os.ttyname(self.slave), BINARY, "hunt", *args],
                                   cwd=self.root, env=self.env)
        self.addCleanup(process.kill)
        return process

    def read(self):
        while select.select([self.master], [], [], 0)[0]:
            self.seen += os.read(self.master, 65536)

    def finish(self, process, code=0):
        def ended():
            self.read()
            return process.poll() is not None
        self.assertTrue(until(ended), self.seen)
        self.read()
        self.assertEqual(process.returncode, code, self.seen)
        self.assertEqual(termios.tcgetattr(self.slave), self.before)
        # The live line is gone and the cursor is at the start of a line.
        self.assertTrue(self.seen.endswith(b"\n"), self.seen[-200:])

    def test_an_interactive_shell_stops_nobody(self):  # D06
        process = self.start("--runs", "2", "--", "bash", "-ic", "read line; exit 0")
        self.finish(process)
        self.assertEqual([line["status"] for line in self.log()], ["pass", "pass"])

    def test_ctrl_c_at_the_terminal_ends_the_hunt_and_leaves_it_as_it_was(self):
        line = "test $FLAKESTAT_RUN = 1 && exit 0; trap 'exit 0' INT; touch ready; while :; do sleep 0.05; done"
        process = self.start("--runs", "9", "--", "sh", "-c", line)

        def ready():
            self.read()
            return (self.root / "ready").exists()
        self.assertTrue(until(ready), self.seen)
        os.write(self.master, b"\x03")
        self.finish(process, 128 + signal.SIGINT)
        # The command did not get the terminal's SIGINT: its run was cut off by us and does not count.
        self.assertEqual([line["attempt"] for line in self.log()], [1])
        self.assertRegex(self.seen.decode(), r"1 of 9 runs .*\(interrupted\)")


if __name__ == "__main__":
    main()
