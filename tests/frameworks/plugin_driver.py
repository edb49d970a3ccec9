"""Plays flakestat for the pytest plugin (src/hooks/flakestat_run_pytest.py): starts it as the binary does and speaks its protocol.

docs/design/pytest-protocol.md is the contract. The bootstrap is taken from the plugin's own header, so it is tested too.
"""
import json
import mmap
import os
import pathlib
import re
import select
import socket
import struct
import subprocess
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "src/hooks/flakestat_run_pytest.py"
PAGE = struct.Struct("<qiidQ")


def bootstrap():
    text = PLUGIN.read_text(encoding="utf-8")
    return textwrap.dedent(re.search(r"\n( {4}import sys\n.*?sys\.exit\(_flakestat\(\)\)\n)", text, re.S).group(1))


def memory_file(name, content):
    descriptor = os.memfd_create(name, 0)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.set_inheritable(descriptor, True)
    return descriptor


class Gone(Exception):
    """The process ended while a message was awaited; `messages` are those that it has sent."""


class Pytest:
    """One pytest process with the plugin in it."""

    def __init__(self, python, folder, mode, args=(), env=None, timeout=60, **setup):
        self.messages, self._buffer, self.deadline = [], b"", time.monotonic() + timeout
        self.channel, theirs = socket.socketpair()
        self.feed, their_feed = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        state = os.memfd_create("state", 0)
        os.ftruncate(state, mmap.PAGESIZE)
        self.page = mmap.mmap(state, mmap.PAGESIZE)
        values = {
            "protocol": 1, "mode": mode, "args": list(args), "argv0": "pytest", "path0": "", "channel": theirs.fileno(),
            "feed": their_feed.fileno(), "state": state, "worker": "gw0", "workers": 1, "testrun_uid": "uid0",
            "basetemp": "", "randomly_seed": 1234, "leader": True, "identities": True, **setup,
        }
        memory = memory_file("setup", json.dumps(values).encode() + b"\n" + PLUGIN.read_bytes())
        inherited = [theirs.fileno(), their_feed.fileno(), state, memory]
        self.process = subprocess.Popen(
            [python, "-c", bootstrap()], cwd=str(folder), pass_fds=inherited, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {}), "FLAKESTAT_RUN_SETUP": str(memory)},
        )
        for one in (theirs, their_feed):
            one.close()
        os.close(memory)
        os.close(state)
        self.output = {"stdout": b"", "stderr": b""}

    # -- messages

    def _pump(self):
        """Takes what there is to read: messages, and output, so that the process is never stuck on a full pipe."""
        sources = {self.channel: None}
        for name in ("stdout", "stderr"):
            stream = getattr(self.process, name)
            if stream and not stream.closed:
                sources[stream] = name
        left = self.deadline - time.monotonic()
        if left <= 0:
            self.process.kill()
            raise AssertionError("pytest did not answer in time: %r %r" % (self.messages[-3:], self.output))
        for source in select.select(list(sources), [], [], left)[0]:
            name = sources[source]
            if name is None:
                try:
                    data = self.channel.recv(1 << 20)
                except ConnectionResetError:  # it ended without reading what was sent to it; all that it said has been read
                    data = b""
                if not data:
                    return False
                self._buffer += data
            else:
                data = os.read(source.fileno(), 1 << 16)
                self.output[name] += data
                if not data:
                    source.close()
        return True

    def receive(self):
        while b"\n" not in self._buffer:
            if not self._pump():
                raise Gone(self.messages)
        line, self._buffer = self._buffer.split(b"\n", 1)
        message = json.loads(line.decode("utf-8"))
        self.messages.append(message)
        return message

    def until(self, *events):
        while True:
            message = self.receive()
            if message["e"] in events:
                return message

    def send(self, command, **values):
        try:
            self.channel.sendall((json.dumps({"c": command, **values}) + "\n").encode())
        except BrokenPipeError:  # it has ended by itself
            pass

    def give(self, packet):
        try:
            self.feed.send(packet.encode())
        except BrokenPipeError:  # it has ended by itself
            pass

    # -- whole runs

    def finish(self):
        """Everything until the process has ended; its exit code."""
        try:
            while True:
                self.receive()
        except Gone:
            pass
        return self.end()

    def end(self):
        """Waits for the process, whose messages have been read."""
        left = max(0.1, self.deadline - time.monotonic())
        for name in ("stdout", "stderr"):
            stream = getattr(self.process, name)
            while not stream.closed:
                if not select.select([stream], [], [], left)[0]:
                    self.process.kill()
                    raise AssertionError("the process goes on: %r" % self.output)
                data = os.read(stream.fileno(), 1 << 16)
                self.output[name] += data
                if not data:
                    stream.close()
        code = self.process.wait(left)
        self.close()
        return code

    def close(self):
        """Leaves nothing behind, whatever happened."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for one in (self.channel, self.feed, self.process.stdout, self.process.stderr):
            one.close()

    def state(self):
        index, attempt, phase, start, writes = PAGE.unpack_from(self.page, 0)
        return {"index": index, "attempt": attempt, "phase": phase, "start": start, "writes": writes}

    def of(self, event):
        return [message for message in self.messages if message["e"] == event]

    def run_all(self, verdict=None, order=None):
        """A worker that gets every test in order, or `order`; `verdict(done)` answers failures."""
        collected = self.until("collected", "bye")
        if collected["e"] == "bye":
            return self.finish()
        self.send("go")
        for index in range(collected["count"]) if order is None else order:
            self.give("T %d 0" % index)
        self.give("Q")
        return self.answer(verdict)

    def answer(self, verdict=None):
        """Answers failures until the process ends."""
        try:
            while True:
                message = self.receive()
                if message["e"] == "done" and awaits_verdict(message):
                    self.send("verdict", **((verdict or settle)(message)))
        except Gone:
            return self.end()


def is_failure(done):
    return any(part["o"] == "failed" for part in done.get("r", []))


def awaits_verdict(done):
    return done["a"] > 0 or is_failure(done)


def settle(done):
    return {"rerun": False, "fate": "failed" if is_failure(done) else "flaky", "stop": ""}


def rerun_up_to(count, fate="failed"):
    """Reruns failures; what passes then is settled."""
    return lambda done: settle(done) if not is_failure(done) else {"rerun": True, "delay": 0} if done["a"] < count else {"rerun": False, "fate": fate, "stop": ""}


def run_single(python, folder, args=(), verdict=None, order=None, **more):
    pytest = Pytest(python, folder, "single", args, **more)
    if pytest.until("collected", "bye")["e"] == "collected":
        pytest.send("order", order=order)
    code = pytest.answer(verdict)
    return pytest, code
