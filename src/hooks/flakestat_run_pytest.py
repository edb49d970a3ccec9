"""Runs pytest as `flakestat run` wants it: tells what happens, does what it is told, decides nothing.

The contract is docs/design/pytest-protocol.md; this file and src/adapters/ change together. The process is
`PYTHON -c BOOTSTRAP`, and BOOTSTRAP is, without this indentation:

    import sys
    def _flakestat():
        import json, os, types
        with os.fdopen(int(os.environ.pop("FLAKESTAT_RUN_SETUP")), "rb") as file:
            file.seek(0)
            setup, source = json.loads(file.readline().decode()), file.read()
        module = sys.modules["flakestat_run_pytest"] = types.ModuleType("flakestat_run_pytest")
        exec(compile(source, "<flakestat_run_pytest>", "exec"), module.__dict__)
        return module.main(setup)
    sys.exit(_flakestat())

Rules of this file
* Tests are hostile, mostly by accident: they patch time, os and json, close descriptors, fork, exit. What is needed while
  tests run is bound as a default argument or an attribute of an object, where freezegun and monkeypatch do not look.
* Only our own session is touched. A session that a test starts inside the process (pytester) knows nothing of us.
* A passing test costs one message and nothing else that calls the kernel.
"""
import _socket
import hashlib
import json
import mmap
import os
import re
import signal
import struct
import sys
import time

PROTOCOL = 1
TEXT_LIMIT = 1 << 20
WARNING_LIMIT = 10000
EXIT_NO_PYTEST = 66
EXIT_CHANNEL_LOST = 70
PHASES = {"setup": 1, "call": 2, "teardown": 3}
REPLACED_PLUGINS = ("rerunfailures", "pytest_rerunfailures", "flaky", "flaky.flaky_pytest_plugin", "flaky.xdist",
                    "pytest-retry", "pytest_retry.retry_plugin")
ONE_PROCESS_OPTIONS = (
    "usepdb", "trace", "collectonly", "setuponly", "setupplan", "setupshow", "stepwise", "stepwise_skip", "showfixtures",
    "show_fixtures_per_test", "markers", "cacheshow", "help", "version", "looponfail",
)
CONTROLLER_HOOKS = ("pytest_terminal_summary", "pytest_configure_node", "pytest_testnodeready", "pytest_testnodedown")
SESSION_HOOKS = ("pytest_configure", "pytest_sessionstart", "pytest_sessionfinish", "pytest_unconfigure")
# Hooks of these do nothing for a run unless this option is given; where none is named, never.
IDLE_PLUGINS = {"html": "htmlpath", "hypothesispytest": "hypothesis_show_statistics", "metadata": ""}
CONTROLLER_WORDS = {"workerinput", "slaveinput", "PYTEST_XDIST_WORKER", "is_xdist_controller", "is_xdist_master",
                    "is_xdist_worker", "get_xdist_worker_id"}


def hook(**options):
    """pytest.hookimpl, without pytest: that may only be imported after sys.path is what the user's command makes it."""

    def mark(function):
        function.pytest_impl = options
        return function

    return mark


# ---- words and texts


def clean(text):
    """Text that can be written as UTF-8; what cannot is escaped with backslashes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def cut(text, limit=TEXT_LIMIT):
    """At most `limit` bytes of UTF-8, cut in the middle, with a note that says so."""
    text = clean(text)
    if len(text) * 4 <= limit:
        return text
    data = text.encode("utf-8")
    if len(data) <= limit:
        return text
    half = limit // 2 - 64
    head = data[:half].decode("utf-8", "ignore")
    tail = data[-half:].decode("utf-8", "ignore")
    return "%s\n[... %d bytes left out ...]\n%s" % (head, len(data) - 2 * half, tail)


def text_of(value):
    """str(value) of anything; an object that cannot say what it is becomes a note about that."""
    try:
        return str(value)
    except Exception as error:
        return "<%s cannot be shown: %s>" % (type(value).__name__, type(error).__name__)


def first_line(text):
    for line in text[: 1 << 16].splitlines():
        if line.strip():
            return cut(line.strip(), 1 << 14)
    return ""


def failure_text(report):
    try:
        return report.longreprtext
    except Exception:
        return text_of(report.longrepr)


def message_of(report):
    """One line: what failed, or why it was skipped."""
    if hasattr(report, "wasxfail") and report.outcome != "failed":
        return first_line(text_of(report.wasxfail))
    longrepr = report.longrepr
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        reason = text_of(longrepr[2])
        return first_line(reason[9:] if reason.startswith("Skipped: ") else reason)
    crash = getattr(longrepr, "reprcrash", None)
    message = getattr(crash, "message", None)
    if message is not None:
        return first_line(text_of(message))
    lines = failure_text(report).strip().splitlines()
    return first_line(lines[-1] if lines else "")


def details_of(report):
    longrepr = report.longrepr
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        return cut("%s:%s: %s" % tuple(map(text_of, longrepr)))
    return cut(failure_text(report))


def outcome_of(report):
    if hasattr(report, "wasxfail"):
        if report.outcome == "skipped":
            return "xfailed"
        if report.outcome == "passed":
            return "xpassed"
    return report.outcome


def seconds_of(report):
    """The duration; None when a test has bent the clock so far that it is no number of seconds."""
    value = report.duration
    return value if isinstance(value, (int, float)) and -1e9 < value < 1e9 else None


def subtest_of(report):
    """A subtest's description, or None: pytest 9 and pytest-subtests have a report class of their own."""
    if getattr(report, "context", None) is None:
        return None
    for name in ("_sub_test_description", "sub_test_description"):
        describe = getattr(report, name, None)
        if describe is not None:
            return cut(text_of(describe()), 1 << 14)
    return None


# ---- the connection


def close_socket(socket):
    descriptor = socket.detach()
    if descriptor >= 0:
        try:
            os.close(descriptor)
        except OSError:
            pass


class Channel:
    """Lines of JSON, both directions, over one stream socket."""

    def __init__(self, descriptor, encode=json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
                 decode=json.loads, getpid=os.getpid, leave=os._exit, write=os.write):
        self._socket = _socket.socket(-1, -1, -1, descriptor)
        self._flags = getattr(_socket, "MSG_NOSIGNAL", 0)
        self._encode, self._decode = encode, decode
        self._getpid, self._leave, self._write = getpid, leave, write
        self._pid = getpid()
        self._begun = []  # pieces of a line that has not ended yet
        self._lines = []  # whole ones, the next at the end
        self.lost = False

    def is_ours(self):
        return self._getpid() == self._pid

    def end_a_copy(self):
        """A process that a test forked has come back into pytest: it must not go on as if it were the worker."""
        if not self.is_ours():
            self._leave(1)

    def send_line(self, line):
        if self.lost:
            return
        self.end_a_copy()
        try:
            self._socket.sendall(line, self._flags)
        except ConnectionError:
            self.lost = True
        except OSError as error:
            self.die(error)

    def send(self, event, **values):
        line = self._encode(dict({"e": event}, **values)) + "\n"
        self.send_line(line.encode("utf-8", "backslashreplace"))

    def receive(self):
        """The next command, or None when flakestat is gone."""
        while not self._lines:
            data = self._receive_some()
            if not data:
                self.lost = True
                return None
            first, *others = data.split(b"\n")
            self._begun.append(first)
            if others:
                others.insert(0, b"".join(self._begun))
                self._begun = [others.pop()]
                self._lines = others[::-1]
        return self._decode(self._lines.pop().decode("utf-8"))

    def _receive_some(self):
        try:
            return b"" if self.lost else self._socket.recv(1 << 16)
        except ConnectionError:
            return b""
        except OSError as error:
            return self.die(error)

    def die(self, error):
        """A test closed our descriptor: what runs from here on would be lost without a trace."""
        text = "flakestat: a test closed or replaced a descriptor that it did not open (%s); the worker ends\n" % error
        try:
            self._write(2, text.encode("utf-8", "replace"))
        finally:
            self._leave(EXIT_CHANNEL_LOST)

    def close(self):
        close_socket(self._socket)


class Feed:
    """Packets that say what to run: (index, attempt), None for "nothing follows for now", False for "end the session"."""

    def __init__(self, descriptor, channel):
        self._socket = _socket.socket(-1, -1, -1, descriptor)
        self._channel = channel

    def take(self):
        self._channel.end_a_copy()  # it would take what was meant for the worker
        try:
            packet = self._socket.recv(64)
        except ConnectionError:
            packet = b""
        except OSError as error:
            self._channel.die(error)
        if packet[:1] == b"T":
            _, index, attempt = packet.split()
            return int(index), int(attempt)
        return None if packet[:1] == b"E" else False

    def close(self):
        close_socket(self._socket)


class Following:
    """The packet behind the test that runs, taken when the next one must be known: before the teardown, so that another
    worker can have it meanwhile."""

    def __init__(self, feed, items):
        self._feed, self._items = feed, items
        self._taken, self._packet = False, None

    def packet(self):
        if not self._taken:
            self._packet, self._taken = self._feed.take(), True
        return self._packet

    def item(self):
        packet = self.packet()
        return self._items[packet[0]] if packet else None


class Page:
    """What is running now, in memory shared with flakestat, which also reads it when this process is dead."""

    def __init__(self, descriptor, channel, now=time.time):
        self._map = mmap.mmap(descriptor, 0)
        os.close(descriptor)
        self._index = struct.Struct("<qiid").pack_into
        self._phase = struct.Struct("<i").pack_into
        self._count = struct.Struct("<Q").pack_into
        self._writes = 0
        self._is_ours = channel.is_ours
        self._now = now
        self._write(-1, 0, 0.0)

    def _write(self, index, attempt, start):
        self._writes += 2
        self._count(self._map, 24, self._writes - 1)
        self._index(self._map, 0, index, attempt, 0, start)
        self._count(self._map, 24, self._writes)

    def begin(self, index, attempt):
        start = self._now()
        self._write(index, attempt, start)
        return start

    def phase(self, number):
        if self._is_ours():
            self._phase(self._map, 12, number)

    def end(self):
        if self._is_ours():
            self._write(-1, 0, 0.0)


# ---- what is collected


def option(config, name, default=None):
    return getattr(config.option, name, default)


def option_or_ini(config, name):
    value = option(config, name)
    if value is not None:
        return value
    try:
        return config.getini(name) or None
    except (KeyError, ValueError):
        return None


def number(value, kind=int):
    try:
        value = kind(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if -1e9 < value < 1e9 else None


def first_number(config, *names, kind=int):
    """The first of these options, or settings of the same name, that is a number."""
    for name in names:
        value = number(option_or_ini(config, name), kind)
        if value is not None:
            return value
    return None


def pattern_list(value):
    """only_rerun and the like: one regular expression, one class of exceptions, or several."""
    if value is None:
        return []
    values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return [re.escape(one.__name__) if isinstance(one, type) else clean(text_of(one)) for one in values]


def mark_condition(item, condition):
    """Like pytest-rerunfailures. A callable is asked before there is an error; what cannot be decided is false."""
    try:
        if callable(condition):
            try:
                return bool(condition(None))
            except TypeError:
                return bool(condition())
        if isinstance(condition, str):
            import platform

            names = {"os": os, "sys": sys, "platform": platform, "config": item.config, "error": None}
            names.update(getattr(getattr(item, "obj", None), "__globals__", {}))
            return bool(eval(compile(condition, "<flaky condition>", "eval"), names))
        return bool(condition)
    except Exception:
        return False


def flaky_mark(item, mark):
    """The mark as pytest-rerunfailures reads it, pytest-retry (`retries`) or flaky (`max_runs`); None: no rerun wanted."""
    values = mark.kwargs
    if "condition" in values and not mark_condition(item, values["condition"]):
        return None
    reruns = values.get("reruns", values.get("retries", mark.args[0] if mark.args else None))
    if reruns is None:
        runs = number(values.get("max_runs"))
        reruns = 1 if runs is None else runs - 1
    delay = values.get("reruns_delay", values.get("delay", mark.args[1] if len(mark.args) > 1 else 0))
    found = {"reruns": max(0, number(reruns) or 0), "reruns_delay": max(0.0, number(delay, float) or 0.0)}
    for name, other in (("only_rerun", "only_on"), ("rerun_except", "exclude")):
        if name in values or other in values:
            found[name] = pattern_list(values.get(name, values.get(other)))
    return found


def group_name(mark):
    return clean(text_of(mark.args[0] if mark.args else mark.kwargs.get("name", "default")))


class Marks:
    """The marks that matter to a run, found once for each parent."""

    NAMES = frozenset(("flaky", "serial", "xdist_group"))

    def __init__(self):
        self._parents = {}

    def _own(self, node):
        return [mark for mark in getattr(node, "own_markers", ()) if mark.name in self.NAMES]

    def _inherited(self, node):
        if node is None:
            return []
        found = self._parents.get(node)
        if found is None:
            found = self._parents[node] = self._own(node) + self._inherited(node.parent)
        return found

    def of(self, item):
        """Nearest first; the nearest of a kind counts, as get_closest_marker says."""
        marks = (self._own(item) if item.own_markers else []) + self._inherited(item.parent)
        runs = getattr(getattr(item, "function", None), "_flaky_max_runs", None) if not marks else None
        if not marks and runs is None:
            return None
        found = {}
        for mark in marks:
            self._add(item, mark, found)
        if runs is not None:
            found["flaky"] = {"reruns": max(0, (number(runs) or 1) - 1), "reruns_delay": 0.0}
        return {name: value for name, value in found.items() if value is not None}

    def _add(self, item, mark, found):
        if mark.name == "flaky":
            if "flaky" not in found:
                found["flaky"] = flaky_mark(item, mark)
        elif mark.name == "serial":
            found["serial"] = True
        else:
            found.setdefault("group", group_name(mark))


def node_ids(items):
    return [clean(item.nodeid) for item in items]


def digest_of(ids):
    return hashlib.sha256("".join([one + "\n" for one in ids]).encode("utf-8")).hexdigest()


class Places:
    """File and line of each test. item.location finds both from scratch for every test; the file is asked once instead."""

    def __init__(self):
        self._files = {}

    def of(self, item):
        function = getattr(item, "obj", None)
        function = getattr(function, "__func__", function)
        code = getattr(function, "__code__", None)
        if code is None or not function.__dict__.keys().isdisjoint(("__wrapped__", "place_as", "compat_co_firstlineno")):
            return self._asked(item)
        file = self._files.get(code.co_filename)
        if file is None:
            file, line = self._asked(item)
            if line == code.co_firstlineno:
                self._files[code.co_filename] = file
            return file, line
        return file, code.co_firstlineno

    @staticmethod
    def _asked(item):
        try:
            file, line, _ = item.location
        except Exception:
            return "", None
        return clean(text_of(file)), line + 1 if isinstance(line, int) else None


def identities(items, ids):
    marks, found = Marks(), {}
    for index, item in enumerate(items):
        one = marks.of(item)
        if one:
            found[str(index)] = one
    place_of = Places().of
    places = [place_of(item) for item in items]
    return {"ids": ids, "lines": [line for _, line in places], "files": [file for file, _ in places], "marks": found}


# ---- what the configuration says


def cache_folder(config):
    cache = getattr(config, "cache", None)
    return text_of(getattr(cache, "_cachedir", "") or "")


def plugin_names(config):
    try:
        return sorted({clean(text_of(getattr(dist, "project_name", ""))) for _, dist in config.pluginmanager.list_plugin_distinfo()})
    except Exception:
        return []


def one_process_reasons(config):
    found = [name for name in ONE_PROCESS_OPTIONS if option(config, name)]
    return ["pdb" if name == "usepdb" else name for name in found]


def is_pytests_own(plugin):
    name = getattr(plugin, "__name__", None) or type(plugin).__module__
    return name.split(".")[0] in ("_pytest", "pytest", "xdist", "flakestat_run_pytest", "pytest_randomly")


def mentions_worker(function):
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return False
    words = set(code.co_names) | {one for one in code.co_consts if isinstance(one, str)}
    return not words.isdisjoint(CONTROLLER_WORDS)


def is_idle(config, name):
    return name in IDLE_PLUGINS and not option(config, IDLE_PLUGINS[name])


def controller_reasons(config):
    """Plugins and conftests that do something in the process that collects the workers' results, or ask which process it is."""
    manager, found = config.pluginmanager, []
    for name, plugin in manager.list_name_plugin():
        if plugin is None or is_pytests_own(plugin) or is_idle(config, name):
            continue
        hooks = {caller.name for caller in manager.get_hookcallers(plugin) or ()}
        wanted = not hooks.isdisjoint(CONTROLLER_HOOKS)
        if wanted or any(mentions_worker(getattr(plugin, one, None)) for one in hooks.intersection(SESSION_HOOKS)):
            found.append(clean(text_of(name)) if not name.isdigit() else type(plugin).__module__ + "." + type(plugin).__name__)
    return sorted(found)


def shown_options(config, asked):
    found = {
        "maxfail": asked.get("maxfail", option(config, "maxfail")) or 0,
        "reruns": first_number(config, "force_reruns", "reruns", "retries"),
        "reruns_delay": first_number(config, "reruns_delay", "retry_delay", kind=float),
        "only_rerun": pattern_list(option_or_ini(config, "only_rerun")),
        "rerun_except": pattern_list(option_or_ini(config, "rerun_except")),
        "max_suite_reruns": number(option(config, "max_suite_reruns")),
        "numprocesses": asked.get("numprocesses", option(config, "numprocesses")),
        "dist": asked.get("dist", option(config, "dist", "no")),
        "lastfailed": bool(option(config, "lf")),
        "junit_suite_name": option_or_ini(config, "junit_suite_name"),
        "junit_prefix": option(config, "junitprefix"),
        "verbose": option(config, "verbose", 0),
    }
    for name in ("fail_on_flaky", "usepdb", "collectonly", "stepwise", "continue_on_collection_errors", "failedfirst"):
        found[name] = bool(option(config, name))
    for name in ("capture", "xmlpath", "tbstyle", "durations"):
        found[name] = option(config, name)
    return found


def hello_values(config, asked):
    import pytest

    options = {name: clean(value) if isinstance(value, str) else value for name, value in shown_options(config, asked).items()}
    return {
        "protocol": PROTOCOL,
        "pytest": pytest.__version__,
        "python": "%d.%d.%d" % sys.version_info[:3],
        "rootdir": clean(str(config.rootpath)),
        "inifile": clean(str(config.inipath or "")),
        "cachedir": clean(cache_folder(config)),
        "invocation_dir": clean(str(config.invocation_params.dir)),
        "plugins": plugin_names(config),
        "options": options,
        "single": asked.get("single", one_process_reasons(config)),
        "controller": controller_reasons(config),
    }


def plain_values(values):
    """What of a dictionary can be sent as JSON: plugins put anything into workerinput and workeroutput."""
    try:
        return json.loads(json.dumps(values))
    except (TypeError, ValueError, RecursionError):
        pass
    found = {}
    for name, value in values.items():
        try:
            found[clean(str(name))] = json.loads(json.dumps(value))
        except (TypeError, ValueError, RecursionError):
            continue
    return found


# ---- one execution of a test


class Attempt:
    """The reports of one execution, as they come: `held` are those that nobody else has seen yet."""

    __slots__ = ("index", "number", "start", "reports", "held", "others", "logged", "told", "verdict", "own")

    def __init__(self, index, attempt, start):
        self.index, self.number, self.start = index, attempt, start
        self.reports = {}  # by part, from our own protocol
        self.held = []
        self.others = []  # logged by somebody else: subtests, or a plugin that runs tests its own way
        self.logged = []  # what other plugins have seen before the verdict, each with whether it counted as a failure
        self.told = False
        self.verdict = None
        self.own = False  # our own protocol ran it

    def all_reports(self):
        if self.own:
            return self.others + [self.reports[when] for when in ("setup", "call", "teardown") if when in self.reports]
        return self.others

    def durations(self):
        found = {}
        for report in self.all_reports():
            if subtest_of(report) is None:
                found[report.when] = seconds_of(report)
        return [found.get("setup"), found.get("call"), found.get("teardown")]

    def failed(self):
        return any(report.outcome == "failed" for report in self.all_reports())

    def awaits_verdict(self):
        """After a rerun whatever its outcome: a skip, or a pass that is only measured, may not be the last word."""
        return self.number > 0 or self.failed()

    def simply_passed(self, item):
        reports = self.reports
        if self.others or len(reports) != 3 or item.user_properties:
            return False
        for report in reports.values():
            if report.outcome != "passed" or hasattr(report, "wasxfail") or seconds_of(report) is None:
                return False
        return True


def part_entry(report):
    subtest = subtest_of(report)
    entry = {"w": report.when if report.when in PHASES else "call", "o": outcome_of(report), "m": message_of(report)}
    if entry["o"] in ("failed", "skipped"):
        entry["x"] = details_of(report)
    if subtest is not None:
        entry["s"] = subtest
    return entry


def summed_subtests(attempt):
    """pytest 9 fails a passing test with failed subtests only while it shows it: the same words, for those who do not look."""
    call = attempt.reports.get("call")
    failed = sum(1 for one in attempt.others if one.outcome == "failed" and subtest_of(one) is not None)
    if not failed or call is None or call.outcome != "passed" or "_pytest.subtests" not in sys.modules:
        return []
    text = "contains %d failed subtest%s" % (failed, "s" if failed > 1 else "")
    return [{"w": "call", "o": "failed", "m": text, "x": text}]


def captured_sections(attempt):
    """Each report repeats what was captured before it; a subtest has sections of its own."""
    found, seen = [], set()
    for report in reversed(attempt.all_reports()):
        for title, text in report.sections:
            section = (text_of(title), text_of(text))
            if section not in seen and text:
                seen.add(section)
                found.append([clean(section[0]), cut(section[1])])
    return found


def done_values(attempt, item):
    values = {"i": attempt.index, "a": attempt.number, "t": attempt.start, "d": attempt.durations()}
    parts = [part_entry(report) for report in attempt.all_reports() if outcome_of(report) != "passed"]
    parts += summed_subtests(attempt)
    if parts:
        values["r"] = parts
    if attempt.failed():
        values["c"] = captured_sections(attempt)
    if item.user_properties:
        values["p"] = [[clean(text_of(one[0])), cut(text_of(one[1]))] for one in item.user_properties
                       if isinstance(one, (tuple, list)) and len(one) == 2]
    return values


class Fresh:
    """What a test item is like before its first attempt, to give the next one the same start."""

    def __init__(self, item):
        self._markers = list(item.own_markers)
        self._properties = list(item.user_properties)
        globs = getattr(getattr(item, "dtest", None), "globs", None)
        self._globals = None if globs is None else dict(globs)

    def restore(self, item, tell):
        item.own_markers[:] = self._markers
        item.user_properties[:] = self._properties
        del item._report_sections[:]
        item.__dict__.pop("_excinfo", None)
        if self._globals is not None:
            item.dtest.globs.clear()
            item.dtest.globs.update(self._globals)
        drop_instance(item)
        drop_failed_subtests(item)
        drop_failed_fixtures(item, tell)
        drop_failed_collectors(item, tell)


def drop_instance(item):
    """A test method gets a new object of its class for each attempt."""
    bound = getattr(item.__dict__.get("_obj"), "__self__", None)
    has_instance = item.__dict__.get("_instance") is not None
    if not has_instance and (bound is None or not isinstance(bound, getattr(item, "cls", None) or ())):
        return
    item.__dict__.pop("_instance", None)
    item._obj = None


def drop_failed_subtests(item):
    try:
        from _pytest.subtests import failed_subtests_key
    except ImportError:
        return
    counts = item.config.stash.get(failed_subtests_key, {})
    for key in (getattr(item, "id", None), item.nodeid):
        if key is not None:
            counts.pop(key, None)


def let_through(error):
    """pytest.fail and pytest.skip are no Exceptions, pytest.exit is one: only what stops a session may leave a clean-up."""
    from _pytest.outcomes import Exit

    if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, Exit)):
        raise error


def finaliser_of(finalizer, fixture):
    """Whether a finaliser that pytest registered finishes this fixture: a partial in pytest 8 and later, a closure in 7."""
    bound = getattr(getattr(finalizer, "func", None), "__self__", None)
    if bound is fixture:
        return True
    return any(cell.cell_contents is fixture for cell in getattr(finalizer, "__closure__", None) or ())


def finish_fixture(item, fixture, tell):
    """Runs what a fixture registered before it failed, now instead of at the end of its scope."""
    for finalizers, _ in list(item.session._setupstate.stack.values()):
        for finalizer in [one for one in finalizers if finaliser_of(one, fixture)]:
            finalizers.remove(finalizer)
            try:
                finalizer()
            except BaseException as error:
                let_through(error)
                tell("cleaning up fixture '%s' between attempts: %s" % (fixture.argname, first_line(text_of(error))))
    fixture.cached_result = None
    finalizers = getattr(fixture, "_finalizers", None)
    if finalizers:
        del finalizers[:]


def drop_failed_fixtures(item, tell):
    """A fixture of a module or session that failed is remembered as failed: the next attempt has to set it up again."""
    info = getattr(item, "_fixtureinfo", None)
    seen = set()
    for fixtures in list(getattr(info, "name2fixturedefs", {}).values()):
        for fixture in fixtures:
            result = getattr(fixture, "cached_result", None)
            if result is not None and result[2] is not None and id(fixture) not in seen:
                seen.add(id(fixture))
                finish_fixture(item, fixture, tell)


class _ChainOf:
    """Stands for a next test, of which only the collectors above it matter."""

    def __init__(self, chain):
        self._chain = chain

    def listchain(self):
        return self._chain


def drop_failed_collectors(item, tell):
    """A module or class whose set-up failed would fail every attempt the same way: it is torn down as if it were left."""
    state, kept = item.session._setupstate, []
    for node, (_, failure) in state.stack.items():
        if failure:
            break
        kept.append(node)
    else:
        return
    try:
        state.teardown_exact(_ChainOf(kept) if kept else None)
    except BaseException as error:
        let_through(error)
        tell("cleaning up between attempts: %s" % first_line(text_of(error)))


# ---- plugins


class Silence:
    """A stream that takes everything and keeps nothing."""

    encoding = "utf-8"

    def write(self, text):
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


class QuietTerminal:
    """Answers for pytest's terminal reporter to who asks for it, but has no hooks: nobody reads what a worker would print."""

    def __init__(self, reporter):
        self._reporter = reporter

    def __getattr__(self, name):
        return getattr(self._reporter, name)


def silence_terminal(config):
    manager = config.pluginmanager
    reporter = manager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter._tw._file = Silence()
        manager.unregister(reporter)
        manager.register(QuietTerminal(reporter), "terminalreporter")


def remove_replaced_plugins(config):
    """Plugins that rerun tests themselves: their options and marks stay known, their hooks would fight ours."""
    manager = config.pluginmanager
    for name in REPLACED_PLUGINS:
        plugin = manager.get_plugin(name)
        if plugin is not None:
            manager.unregister(plugin)


def junit_writers(config):
    from _pytest.junitxml import LogXML

    return [plugin for plugin in config.pluginmanager.get_plugins() if isinstance(plugin, LogXML)]


def without_junit(config):
    """The hook for reports of superseded attempts: pytest's JUnit report would show each as an empty, passing case."""
    return config.pluginmanager.subset_hook_caller("pytest_runtest_logreport", junit_writers(config))


class Base:
    """What all modes share: who we are, what was collected, why pytest stops."""

    def __init__(self, setup, channel):
        self.setup, self.channel = setup, channel
        self.config = self.session = None
        self.asked = {}
        self.deselected = 0
        self.warned = 0
        self.current = None  # the Attempt that runs
        self.greeted = False

    # -- configuration

    @hook(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_parse(self):
        outcome = yield
        if outcome.excinfo is None:
            self.config = outcome.get_result()
            remove_replaced_plugins(self.config)
            self.configured(self.config)

    def configured(self, config):
        """The options are known, no plugin has been configured: the place where xdist makes a process a worker."""

    @hook(trylast=True)
    def pytest_configure(self, config):
        for line in ("flaky: rerun this test when it fails", "serial: run this test beside no other",
                     "xdist_group: tests of one group run in one worker"):
            config.addinivalue_line("markers", line)
        self.greet(config)

    def greet(self, config):
        if not self.greeted:
            self.greeted = True
            self.channel.send("hello", **hello_values(config, self.asked))

    # -- collection

    def pytest_deselected(self, items):
        self.deselected += len(items)

    def pytest_collectreport(self, report):
        if not self.setup.get("leader") or report.outcome == "passed":
            return
        if self.setup.get("reports"):
            data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
            self.channel.send("report", data=plain_values(data or {}))
        if report.outcome == "failed":
            self.channel.send("collect_problem", id=clean(report.nodeid), details=cut(failure_text(report)))
        elif report.outcome == "skipped":
            self.channel.send("collect_skip", id=clean(report.nodeid), reason=message_of(report))

    @hook(tryfirst=True)
    def pytest_collection_finish(self, session):
        self.session = session
        self.ids = node_ids(session.items)
        self.tell_collected(bool(self.setup.get("leader") or self.setup.get("identities")))

    def tell_collected(self, full):
        values = {"count": len(self.ids), "hash": digest_of(self.ids), "deselected": self.deselected}
        if full:
            values.update(identities(self.session.items, self.ids))
        self.channel.send("collected", **values)

    def command(self, *wanted):
        """Waits for one of these commands; None: flakestat is gone."""
        while True:
            command = self.channel.receive()
            if command is None or command.get("c") in wanted:
                return command
            if command.get("c") == "ids":
                self.tell_collected(True)

    # -- the rest of the session

    def pytest_warning_recorded(self, warning_message, nodeid):
        self.warned += 1
        if self.warned > WARNING_LIMIT:
            return
        file = clean(text_of(warning_message.filename))
        root = str(self.config.rootpath) + os.sep
        self.channel.send(
            "warning",
            id=clean(text_of(nodeid or "")),
            location="%s:%d" % (file[len(root):] if file.startswith(root) else file, warning_message.lineno or 0),
            message=cut(text_of(warning_message.message), 1 << 16),
            category=getattr(warning_message.category, "__name__", ""),
        )

    def stop(self, kind, why, **more):
        if self.current is not None:
            more["i"] = self.current.index
        self.channel.send("stop", kind=kind, why=first_line(text_of(why)) or kind, **more)

    def pytest_keyboard_interrupt(self, excinfo):
        name = type(excinfo.value).__name__
        kind = {"Interrupted": "interrupted", "Exit": "exit"}.get(name, "signal")
        self.stop(kind, getattr(excinfo.value, "msg", None) or text_of(excinfo.value) or name)
        self.current = None

    def pytest_internalerror(self, excrepr):
        text = text_of(excrepr)
        lines = text.strip().splitlines()
        self.stop("internal", "internal error: %s" % (lines[-1].strip() if lines else ""), x=cut(text))
        self.current = None

    def bye_values(self):
        return {}


class Runner(Base):
    """Runs tests: each attempt is one call of pytest_runtest_protocol, so that every plugin's wrapper is around each."""

    def __init__(self, setup, channel):
        Base.__init__(self, setup, channel)
        self.page = Page(setup["state"], channel)
        self.index_of = {}
        self._following = None
        self._others = None
        self._logging = False
        self._sleep = time.sleep
        self._alarm = signal.setitimer
        self._major = 0

    @hook(trylast=True)
    def pytest_sessionstart(self, session):
        import pytest
        from _pytest import runner

        self.session = session
        self._major = int(pytest.__version__.split(".")[0])
        self._part = runner.call_and_report
        self._show_item = runner.show_test_item
        self._reports = bool(self.setup.get("reports"))
        self._live = bool(option(session.config, "usepdb"))
        self._unseen_by_junit = without_junit(session.config)

    def _ask(self, options):
        for name in ("numprocesses", "dist", "maxfail"):
            if hasattr(options, name):
                value = getattr(options, name)
                self.asked[name] = value if isinstance(value, (int, str, type(None))) else text_of(value)
        if getattr(options, "distload", False):
            self.asked["dist"] = "load"

    # -- one test, all its attempts

    def run_test(self, item, index, attempt, nextitem, following=None):
        fresh = Fresh(item)
        protocol = item.config.hook.pytest_runtest_protocol
        self._following = following
        while True:
            self.begin(index, attempt)
            try:
                protocol(item=item, nextitem=nextitem)
                self.finish(item)
                if self._reports and not self.current.own:
                    self._send_reports(self.current)
            except BaseException:
                self.channel.end_a_copy()
                self.page.end()
                raise
            verdict = self.current.verdict
            self.current = None
            if not self._wants_rerun(verdict):
                self._obey_stop(verdict)
                return
            self._before_rerun(item, fresh, verdict)
            attempt += 1

    def begin(self, index, attempt):
        self.current = Attempt(index, attempt, self.page.begin(index, attempt))

    def _wants_rerun(self, verdict):
        if not verdict or not verdict.get("rerun"):
            return False
        return not (self.session.shouldstop or self.session.shouldfail)

    def _before_rerun(self, item, fresh, verdict):
        delay = verdict.get("delay") or 0
        if delay > 0:
            self._sleep(delay)
        fresh.restore(item, lambda text: self.channel.send("warning", id=clean(item.nodeid), location="", message=clean(text),
                                                           category=""))

    def _obey_stop(self, verdict):
        if verdict and verdict.get("stop") and not self.session.shouldfail:
            self.session.shouldfail = verdict["stop"]

    def pytest_runtest_protocol(self, item, nextitem):
        """The hooks of plugins and conftests are asked before; pytest's own protocol is replaced."""
        if self.current is not None:
            self._one_attempt(item, nextitem)
            return True
        index = self.index_of.get(item)  # somebody else's run loop
        if index is None:
            return None
        fresh, attempt = Fresh(item), 0
        while True:
            self.begin(index, attempt)
            self._one_attempt(item, nextitem)
            verdict, self.current = self.current.verdict, None
            if not self._wants_rerun(verdict):
                self._obey_stop(verdict)
                return True
            self._before_rerun(item, fresh, verdict)
            attempt += 1

    # -- one attempt

    def _one_attempt(self, item, nextitem):
        current, ihook = self.current, item.ihook
        current.own = True
        ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        self._all_parts(item, nextitem)
        self.finish(item)
        self._log_held(item)
        if self._reports:
            self._send_reports(current)
        ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)

    def _all_parts(self, item, nextitem):
        """pytest's runtestprotocol."""
        has_request = hasattr(item, "_request")
        if has_request and not item._request:
            item._initrequest()
        options = item.config.option
        try:
            if self._run_part(item, "setup").passed:
                only = getattr(options, "setuponly", False)
                if getattr(options, "setupshow", False):
                    self._show(item, only)
                if not only:
                    self._run_part(item, "call")
            if self._following is not None:
                nextitem = self._following.item()
            if self._major >= 8 and (self.session.shouldfail or self.session.shouldstop):
                nextitem = None
            self._run_part(item, "teardown", nextitem=nextitem)
        finally:
            if has_request:
                item._request = False
                item.funcargs = None

    def _show(self, item, only):
        try:
            self._show_item(item, add_space=not only)
        except TypeError:  # before pytest 9.2
            self._show_item(item)

    def _run_part(self, item, when, **more):
        """A part that did not fail is reported at once, as ever; a failure waits until it is known what it counts for."""
        current = self.current
        self.page.phase(PHASES[when])
        self._logging = self._live
        try:
            report = self._part(item, when, log=self._live, **more)
        finally:
            self._logging = False
        current.reports[when] = report
        if self._live:
            return report
        if current.held or report.outcome == "failed":
            current.held.append(report)
        else:
            self._log(item, report)
        return report

    def _log(self, item, report):
        self._logging = True
        try:
            item.ihook.pytest_runtest_logreport(report=report)
        finally:
            self._logging = False

    @hook(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        """Reports that did not come from us too: of subtests, and of plugins with a protocol of their own."""
        current = self.current
        if current is None or current.told:
            return
        current.logged.append((report, report.outcome == "failed"))
        if not self._logging or subtest_of(report) is not None:
            current.others.append(report)

    def finish(self, item):
        """Tells the result; after a failure waits for what is to be done about it."""
        current = self.current
        if current.told:
            return
        self.channel.end_a_copy()
        current.told = True
        if current.own and current.number == 0 and current.simply_passed(item):
            reports = current.reports
            self.channel.send_line(b'{"e":"done","i":%d,"a":%d,"t":%.6f,"d":[%.9f,%.9f,%.9f]}\n' % (
                current.index, current.number, current.start, reports["setup"].duration, reports["call"].duration,
                reports["teardown"].duration))
            self.page.end()
            return
        self.channel.send("done", **done_values(current, item))
        self.page.end()
        if current.awaits_verdict():
            current.verdict = self._await_verdict() or {}
            self._apply(item, current)

    def _await_verdict(self):
        """Our time is not the test's: the alarm of pytest-timeout, which rings in here too, stands still."""
        left, interval = self._alarm(signal.ITIMER_REAL, 0)
        try:
            return self.command("verdict")
        finally:
            if left:
                self._alarm(signal.ITIMER_REAL, left, interval)

    # -- what a failure counts for

    def _apply(self, item, current):
        """Failures that do not count are taken back where they have been seen, and get another outcome where not."""
        word = self._superseding_word(current.verdict)
        if word is None:
            return
        for report, counted in current.logged:
            if word == "rerun" or counted or report.outcome == "failed":
                self._forget(report, counted)
        failed = [report for report in current.held + current.others if report.outcome == "failed"]
        if current.own and not any(report.outcome == "failed" for report in current.held):  # only subtests failed
            current.held.append(copy_of(current.reports.get("call") or current.reports["setup"]))
            failed.append(current.held[-1])
        for report in failed:
            relabel(report, word, current.number)

    def _superseding_word(self, verdict):
        if self._wants_rerun(verdict):
            return "rerun"
        fate = (verdict or {}).get("fate")
        if fate == "flaky" and self.current.failed():  # only measured: it had passed before
            return "rerun"
        return "quarantined" if fate == "quarantined" else None

    def _forget(self, report, counted):
        """Takes back what was logged before it was known that it does not count."""
        if counted:
            self.session.testsfailed = max(0, self.session.testsfailed - 1)
        elif report.when == "call" and report.outcome == "passed":
            for writer in junit_writers(self.config):
                writer.stats["passed"] -= 1
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        for reports in getattr(reporter, "stats", {}).values():
            for place in range(len(reports) - 1, max(-1, len(reports) - 64), -1):
                if reports[place] is report:
                    del reports[place]
                    break

    def _remember_failed(self, item):
        """`--lf` shall still run it."""
        plugin = self.config.pluginmanager.get_plugin("lfplugin")
        if plugin is not None and isinstance(getattr(plugin, "lastfailed", None), dict):
            plugin.lastfailed[item.nodeid] = True

    def _log_held(self, item):
        """What waited for the verdict, as it now reads."""
        current = self.current
        word = self._superseding_word(current.verdict) if current.held else None
        for report in current.held:
            if report.outcome == "rerun":
                self._unseen_by_junit(report=report)
            elif word != "rerun":
                self._log(item, report)
        if word == "quarantined":
            self._remember_failed(item)

    def _send_reports(self, current):
        """For the controller: of a superseded attempt only what says so."""
        reports = current.others + [one for one in current.reports.values() if one not in current.held] + current.held
        if self._superseding_word(current.verdict) == "rerun":
            reports = [report for report in reports if report.outcome == "rerun"]
        for report in reports:
            data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
            self.channel.send("report", i=current.index, data=plain_values(data or {}))

    @hook(tryfirst=True)
    def pytest_report_teststatus(self, report):
        return status_word(report)

    def check_stop(self, session):
        """After each test, as pytest's own loop does."""
        if self.channel.lost:
            raise session.Interrupted("flakestat is gone")
        if session.shouldfail:
            self.stop("shouldfail", session.shouldfail)
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)

    def collection_failed(self, session):
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            plural = "s" if session.testsfailed != 1 else ""
            raise session.Interrupted("%d error%s during collection" % (session.testsfailed, plural))


def status_word(report):
    if report.outcome == "rerun":
        return "rerun", "R", ("RERUN", {"yellow": True})
    if getattr(report, "flakestat_quarantined", False):
        return "quarantined", "q", ("QUARANTINED", {"yellow": True})
    return None


def copy_of(report):
    import copy

    return copy.copy(report)


def relabel(report, word, attempt):
    """The outcome that other plugins and the terminal see. A quarantined failure looks like an expected one to them."""
    report.rerun = attempt
    if word == "rerun":
        report.outcome = "rerun"
    else:
        report.outcome = "skipped"
        report.wasxfail = "quarantined"
        report.flakestat_quarantined = True


class Worker(Runner):
    """One of several processes; to plugins and conftests it looks like a worker of pytest-xdist."""

    def __init__(self, setup, channel):
        Runner.__init__(self, setup, channel)
        self.feed = Feed(setup["feed"], channel)
        self.output = {}
        for name, key in (("PYTEST_XDIST_WORKER", "worker"), ("PYTEST_XDIST_WORKER_COUNT", "workers"),
                          ("PYTEST_XDIST_TESTRUNUID", "testrun_uid")):
            os.environ[name] = str(setup[key])

    @hook(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        """pytest-cov starts here, before it can know that this is a worker, and would erase what others have measured."""
        known = early_config.known_args_namespace
        self._ask(known)
        for name, value in (("numprocesses", None), ("dist", "no"), ("distload", False)):
            if hasattr(known, name):
                setattr(known, name, value)
        if hasattr(known, "cov_append"):
            known.cov_append = True
        yield

    def configured(self, config):
        self._ask(config.option)
        self.asked["single"] = one_process_reasons(config)
        self._neutralise_xdist(config.option)
        config.option.maxfail = 0
        config.workerinput = self._worker_input(config)
        config.workeroutput = self.output
        self._own_basetemp(config)

    def _neutralise_xdist(self, options):
        for name, value in (("dist", "no"), ("distload", False), ("numprocesses", None), ("maxprocesses", None),
                            ("looponfail", False), ("tx", [])):
            if hasattr(options, name):
                setattr(options, name, value)

    def _worker_input(self, config):
        setup = self.setup
        seed = option(config, "randomly_seed")
        values = {
            "workerid": setup["worker"],
            "workercount": setup["workers"],
            "testrunuid": setup["testrun_uid"],
            "mainargv": list(sys.argv),
            "randomly_seed": seed if isinstance(seed, int) else setup.get("randomly_seed", 0),
            "cov_master_host": _socket.gethostname(),
            "cov_master_topdir": os.getcwd(),
            "cov_master_rsync_roots": [],
        }
        values.update(setup.get("workerinput") or {})
        return values

    def _own_basetemp(self, config):
        base = option(config, "basetemp") or self.setup.get("basetemp")
        if base:
            os.makedirs(base, mode=0o700, exist_ok=True)
            config.option.basetemp = os.path.join(str(base), "popen-" + self.setup["worker"])

    @hook(tryfirst=True)
    def pytest_cmdline_main(self, config):
        """A command that is not for several processes: say so, do nothing."""
        if self.asked["single"]:
            self.greet(config)
            return 0
        return None

    @hook(trylast=True)
    def pytest_configure(self, config):
        Base.pytest_configure(self, config)
        silence_terminal(config)

    @hook(tryfirst=True)
    def pytest_runtestloop(self, session):
        self.collection_failed(session)
        command = self.command("go", "quit")
        if command is None or command["c"] == "quit":
            return True
        item = self.feed.take()
        while item is not False:
            item = self._run_taken(session, item) if item is not None else self.feed.take()
        return True

    def _run_taken(self, session, taken):
        following = Following(self.feed, session.items)
        item = session.items[taken[0]]
        nextitem = following.item() if self._others_run_tests(item) else None
        self.run_test(item, taken[0], taken[1], nextitem, following)
        self.check_stop(session)
        return following.packet()

    def _others_run_tests(self, item):
        """Another plugin with a protocol of its own must know the next test before this one begins."""
        if self._others is None:
            calls = item.config.hook.pytest_runtest_protocol.get_hookimpls()
            self._others = any(
                not call.hookwrapper and not getattr(call, "wrapper", False) and call.plugin is not self
                and not is_pytests_own(call.plugin) for call in calls)
        return self._others

    @hook(hookwrapper=True)
    def pytest_sessionfinish(self, session, exitstatus):
        self.output.update(exitstatus=int(exitstatus), shouldfail=session.shouldfail, shouldstop=session.shouldstop)
        yield

    def bye_values(self):
        return {"output": plain_values(self.output)}


class Single(Runner):
    """Plain pytest in one process, with its own output. pytest-xdist starts no workers in it: we would see nothing of them."""

    @hook(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        self._ask(early_config.known_args_namespace)
        self._stay_one(early_config.known_args_namespace)
        yield

    def configured(self, config):
        self._ask(config.option)
        self._stay_one(config.option)

    def _stay_one(self, options):
        for name, value in (("dist", "no"), ("distload", False), ("numprocesses", None), ("maxprocesses", None), ("tx", [])):
            if hasattr(options, name):
                setattr(options, name, value)

    @hook(tryfirst=True)
    def pytest_cmdline_main(self, config):
        """The configuration asks for workers: say so, do nothing."""
        wanted = self.asked.get("numprocesses") not in (None, 0, "0")
        if wanted and self.setup.get("adopt_workers") and not one_process_reasons(config):
            self.greet(config)
            return 0
        return None

    def pytest_runtestloop(self, session):
        self.collection_failed(session)
        if session.config.option.collectonly:
            return True
        items = session.items
        for place, item in enumerate(items):
            nextitem = items[place + 1] if place + 1 < len(items) else None
            self.run_test(item, self.index_of.get(item, -1), 0, nextitem)
            self.check_stop(session)
        return True

    @hook(tryfirst=True)
    def pytest_collection_finish(self, session):
        self.index_of = {item: index for index, item in enumerate(session.items)}
        Base.pytest_collection_finish(self, session)
        self._reorder(session)

    def _reorder(self, session):
        command = self.command("order") or {}
        order = command.get("order")
        if order is None:
            return
        items = list(session.items)
        chosen = [items[index] for index in order if 0 <= index < len(items)]
        kept = set(map(id, chosen))
        left = [item for item in items if id(item) not in kept]
        session.items[:] = chosen
        if left:
            session.config.hook.pytest_deselected(items=left)


class _Gateway:
    """As much of an execnet gateway as plugins of an xdist controller ask for."""

    def __init__(self, name):
        self.id = name
        self.spec = type("Spec", (), {"id": name, "popen": True, "chdir": None, "python": sys.executable})()

    def _rinfo(self):
        return type("RInfo", (), {"platform": sys.platform, "version_info": tuple(sys.version_info), "cwd": os.getcwd(),
                                  "executable": sys.executable, "pid": 0})()


class _Node:
    """A worker as the plugins of an xdist controller know it."""

    def __init__(self, config, name, setup):
        self.config, self.gateway = config, _Gateway(name)
        self.nodemanager = type("Nodes", (), {"roots": [], "config": config, "specs": [], "testrunuid": setup["testrun_uid"]})()
        self.workerinput = {"workerid": name, "workercount": setup["workers"], "testrunuid": setup["testrun_uid"],
                            "mainargv": list(sys.argv)}
        self.workerinfo = {"id": name, "spec": self.gateway.spec, "version": sys.version, "sysplatform": sys.platform,
                           "version_info": tuple(sys.version_info), "executable": sys.executable, "cwd": os.getcwd()}


class Controller(Base):
    """Runs no test: stands where pytest-xdist's controller stands, for plugins that collect what the workers did."""

    def __init__(self, setup, channel):
        Base.__init__(self, setup, channel)
        self.nodes = {}
        self.reporter = None

    @hook(hookwrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config):
        known = early_config.known_args_namespace
        known.dist, known.numprocesses = "load", self.setup["workers"]
        yield

    def configured(self, config):
        options = config.option
        options.dist, options.numprocesses = "load", None
        options.tx, options.distload, options.maxfail = [], False, 0
        if option(config, "basetemp"):
            options.basetemp = os.path.join(str(options.basetemp), "controller")
            os.makedirs(os.path.dirname(options.basetemp), mode=0o700, exist_ok=True)

    @hook(trylast=True)
    def pytest_configure(self, config):
        config.option.numprocesses = self.setup["workers"]
        Base.pytest_configure(self, config)
        self._keep_terminal(config)

    def _keep_terminal(self, config):
        """The terminal's own lines are not wanted, what plugins add to its summary is: it counts, into nowhere."""
        self.reporter = config.pluginmanager.get_plugin("terminalreporter")
        if self.reporter is not None:
            self.reporter._tw._file = Silence()
            self.reporter._tw.hasmarkup = bool(self.setup.get("color"))

    @hook(trylast=True)
    def pytest_sessionstart(self, session):
        self.session = session
        self._unseen_by_junit = without_junit(session.config)
        for place in range(self.setup["workers"]):
            self._node("gw%d" % place)

    def _node(self, name):
        node = self.nodes.get(name)
        if node is None:
            node = self.nodes[name] = _Node(self.config, name, self.setup)
            self._call("pytest_configure_node", node=node)
            self.channel.send("workerinput", id=name, data=plain_values(node.workerinput))
            self._call("pytest_testnodeready", node=node)
        return node

    def _call(self, name, **values):
        caller = getattr(self.config.hook, name, None)  # without xdist only plugins know these hooks
        if caller is not None:
            caller(**values)

    @hook(tryfirst=True)
    def pytest_collection(self):
        return True

    def pytest_collection_finish(self, session):
        pass

    @hook(tryfirst=True)
    def pytest_runtestloop(self, session):
        command = self.command("report", "worker", "collected", "finish")
        while command is not None and command["c"] != "finish":
            self._take(session, command)
            command = self.command("report", "worker", "collected", "finish")
        session.testsfailed = 1 if command is not None and command.get("code") == 1 else 0
        session.testscollected = max(1, session.testscollected)
        if self.reporter is not None:
            silence_terminal(self.config)  # before its session ends: it would ask for the summary itself
        return True

    def _take(self, session, command):
        if command["c"] == "report":
            self._replay(command)
        elif command["c"] == "collected":
            session.testscollected = command["count"]
        else:
            node = self._node(command["id"])
            node.workeroutput = command.get("output") or {}
            self._call("pytest_testnodedown", node=node, error=command.get("error"))

    def _replay(self, command):
        config = self.config
        report = config.hook.pytest_report_from_serializable(config=config, data=command["data"])
        if report is None:
            return
        report.node = self._node(command.get("worker") or "gw0")
        if report.when == "collect":
            config.hook.pytest_collectreport(report=report)
        elif report.outcome == "rerun":
            self._unseen_by_junit(report=report)
        else:
            config.hook.pytest_runtest_logreport(report=report)

    @hook(tryfirst=True)
    def pytest_report_teststatus(self, report):
        return status_word(report)

    @hook(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session, exitstatus):
        yield
        if self.reporter is not None:
            self.channel.send("summary", text=cut(self._summary(exitstatus)))

    def _summary(self, exitstatus):
        import io

        manager = self.config.pluginmanager
        text = self.reporter._tw._file = io.StringIO()
        own = [plugin for plugin in manager.get_plugins() if is_pytests_own(plugin)]
        caller = manager.subset_hook_caller("pytest_terminal_summary", own)
        try:
            caller(terminalreporter=self.reporter, exitstatus=exitstatus, config=self.config)
        except Exception as error:
            text.write("%s: %s\n" % (type(error).__name__, text_of(error)))
        return text.getvalue()


# ---- the process


def keep_to_ourselves(descriptor):
    """Moves a descriptor out of the way of tests that close the low ones, and from what they start."""
    import fcntl
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    limit = 1024 if soft == resource.RLIM_INFINITY else min(soft, 1024)
    try:
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, max(limit - 24, 3))
    except OSError:
        os.set_inheritable(descriptor, False)
        return descriptor
    os.close(descriptor)
    return moved


def become_the_command(setup):
    """sys.argv and sys.path as `pytest ARGS` or `python -m pytest ARGS` has them."""
    sys.argv[:] = [setup["argv0"]] + list(setup["args"])
    if not getattr(sys.flags, "safe_path", False) and not sys.flags.isolated and sys.path:
        sys.path[0] = setup["path0"] or os.getcwd()


def run_pytest(pytest, args, plugin):
    """pytest's own console script: what a closed standard output means, and where pytest has it, the name it goes by."""
    import inspect

    from _pytest import config

    inner = getattr(config, "_main", None)
    try:
        if inner is not None and "prog" in inspect.signature(inner).parameters:
            name = getattr(config, "_get_prog_name", lambda argv: os.path.basename(argv[0]))(sys.argv)
            code = inner(args=args, plugins=[plugin], prog=name)
        else:
            code = pytest.main(args, plugins=[plugin])
        sys.stdout.flush()
        return int(code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def main(setup):
    if setup["protocol"] != PROTOCOL:
        sys.stderr.write("flakestat: the plugin speaks protocol %d, not %s\n" % (PROTOCOL, setup["protocol"]))
        return EXIT_CHANNEL_LOST
    for name in ("channel", "feed", "state"):
        if isinstance(setup.get(name), int) and setup[name] >= 0:
            setup[name] = keep_to_ourselves(setup[name])
    become_the_command(setup)
    try:
        import pytest
    except ImportError as error:
        sys.stderr.write("flakestat: no pytest in %s: %s\n" % (sys.executable, error))
        return EXIT_NO_PYTEST
    if not setup["argv0"]:
        sys.argv[0] = os.path.join(os.path.dirname(pytest.__file__), "__main__.py")
    channel = Channel(setup["channel"])
    plugin = {"worker": Worker, "single": Single, "controller": Controller}[setup["mode"]](setup, channel)
    code = run_pytest(pytest, list(setup["args"]), plugin)
    channel.send("bye", code=code, **plugin.bye_values())
    if channel.lost:
        code = EXIT_CHANNEL_LOST
    channel.close()
    if getattr(plugin, "feed", None) is not None:
        plugin.feed.close()
    return code
