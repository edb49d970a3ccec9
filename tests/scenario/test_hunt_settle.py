"""`hunt` with a target: --settle, --rule-out, --max-time and runs of the open tests alone."""
import json
import signal
import subprocess
import sys
import time

from _scenario import BINARY, Scenario, main

# A stand-in for a test runner: argv = report path, then the tests to run (none: all). `a` fails in run 2, `b` in run 4.
RUNNER = '''
import os, sys
run = int(os.environ["FLAKESTAT_RUN"])
report, named = sys.argv[1], sys.argv[2:]
if len(named) == 1 and "," in named[0]:
    named = named[0].split(",")
open("asked.txt", "a").write(" ".join([str(run)] + named) + "\\n")
unknown = [name for name in named if name not in ("C.a", "C.b", "C.c", "C.-x")]
if unknown:
    sys.exit(4)
cases, failed = [], False
for name, bad in (("a", run == 2), ("b", run == 4), ("c", False)) + ((("-x", False),) if os.path.exists("odd") else ()):
    if named and "C." + name not in named:
        continue
    failed |= bad
    cases.append('<testcase classname="C" name="%s">%s</testcase>' % (name, "<failure/>" if bad else ""))
open(report, "w").write('<testsuite name="s">%s</testsuite>' % "".join(cases))
sys.exit(1 if failed else 0)
'''


class HuntSettle(Scenario):
    def setUp(self):
        super().setUp()
        self.write("runner.py", RUNNER)

    def hunt(self, *args, tests=("{tests}",), code=0, **kwargs):
        out = self.flakestat("hunt", "--format", "json", "--junit", "r.xml", *args, "--", sys.executable, "runner.py",
                             "{junit}", *tests, code=code, **kwargs)
        return json.loads(out) if out else None

    def asked(self):
        return (self.root / "asked.txt").read_text().splitlines()

    def standing(self, document):
        return {t["name"]: (t["standing"], t["passes"], t["fails"]) for t in document["tests"]}

    def test_open_tests_alone_are_run_again_until_all_are_settled(self):
        document = self.hunt("--settle", "--rule-out", "0.2", "--id", "{class}.{name}")
        self.assertRegex(self.talk, r"up to 14 runs, each test until it is settled: .*20 % and more are ruled out")
        self.assertEqual(self.standing(document),
                         {"a": ("disagreed", 1, 1), "b": ("disagreed", 3, 1), "c": ("clean", 14, 0)})
        self.assertEqual(self.asked(), ["1", "2", "3 C.b C.c", "4 C.b C.c"] + [f"{run} C.c" for run in range(5, 15)])
        self.assertEqual(document["goal"]["narrowed_runs"], 12)
        self.assertTrue(all(line.get("partial", False) == (line["attempt"] > 2) for line in self.log()))
        self.assertEqual({r["name"]: r["verdict"] for r in self.report()["results"]},
                         {"a": "flaky", "b": "flaky", "c": "stable"})

    def test_the_end_says_what_is_settled_and_what_is_not(self):
        out = self.flakestat("hunt", "--settle", "--rule-out", "0.05", "--runs", "6", "--junit", "r.xml", "--id",
                             "{class}.{name}", "--", sys.executable, "runner.py", "{junit}", "{tests}")
        self.assertIn("settled: 2 tests passed and failed\n", out)
        self.assertIn("not settled: 1 test; 53 more runs with the same results would settle it\n"
                      "  C::c: 6 clean runs, 53 more would settle it\n", out)
        self.assertRegex(out, r"1 of 4 +25 % +0\.2 % to 87 % +C::b")

    def test_a_joined_argument_and_a_command_of_its_own_select_too(self):
        self.hunt("--settle", "--runs", "5", "--id", "{class}.{name}", "--select",
                  f"'{sys.executable}' runner.py {{junit}} \"{{tests}},\"", tests=())
        self.assertEqual(self.asked()[2], "3 C.b C.c ")

    def test_names_that_the_runner_does_not_know_accuse_nobody(self):
        document = self.hunt("--settle", "--runs", "8", "--id", "{name}")
        self.assertEqual(self.asked()[:6], ["1", "2", "3 b c", "4 b c", "5", "6"])
        self.assertNotIn("(command)", [line["suite"] for line in self.log()])
        self.assertRegex("\n".join(document["warnings"]), 'runs 3, 4: asked for some tests alone, such as "b"')

    def test_a_name_that_looks_like_an_option_is_never_handed_over(self):
        self.write("odd", "")
        document = self.hunt("--settle", "--runs", "5", "--id", "{name}")
        self.assertTrue(all(len(line.split()) == 1 for line in self.asked()))
        self.assertRegex("\n".join(document["warnings"]), "would be taken for an option")

    def test_max_time_ends_the_hunt_and_says_so(self):
        out = self.flakestat("hunt", "--max-time", "1ms", "--runs", "50", "--junit", "r.xml", "--", sys.executable,
                             "runner.py", "{junit}")
        self.assertRegex(out, r"^1 of 50 runs .*\(out of time\)")
        self.assertIn("ended by --max-time 1ms\n", out)
        self.assertIn("not settled: 3 tests; 49 more runs", out)
        self.assertEqual(self.hunt("--max-time", "1ms", "--runs", "50", tests=())["stopped"], "max-time")

    def test_the_filter_says_which_tests_are_settled(self):
        document = self.hunt("--settle", "--runs", "9", "--id", "{class}.{name}", "--filter", "*::b")
        self.assertEqual(self.standing(document), {"b": ("disagreed", 3, 1)})
        self.assertEqual(document["stopped"], "settled")
        self.assertEqual(self.asked()[1:], ["2", "3 C.b", "4 C.b"])

    def test_a_filter_that_selects_nothing_is_no_clean_hunt(self):
        self.hunt("--settle", "--runs", "9", "--id", "{class}.{name}", "--filter", "nothing", code=66)
        self.assertIn("--filter selects no test", self.talk)
        self.assertEqual(len(self.asked()), 3)

    def test_what_makes_no_sense_is_a_usage_error(self):
        for args, said in (((), "--id"), (("--id", "name"), "{class}"), (("--rule-out", "1", "--id", "{name}"), "--rule-out"),
                           (("--rule-out", "nan", "--id", "{name}"), "--rule-out"),
                           (("--max-time", "0", "--id", "{name}"), "--max-time"),
                           (("--select", "x {tests}", "--id", "{name}"), "both")):
            self.hunt("--settle", *args, code=64)
            self.assertIn(said, self.talk)
        self.flakestat("hunt", "--settle", "--id", "{name}", "--", "true", "{tests}", code=64)
        self.assertIn("--junit", self.talk)

    def test_settling_goes_together_with_copies_and_until_fail(self):
        document = self.hunt("--settle", "--runs", "9", "--id", "{class}.{name}", "--until-fail")
        self.assertEqual(document["stopped"], "first-disagreement")
        self.assertEqual(document["finished_runs"], 2)
        document = json.loads(self.flakestat(
            "hunt", "--format", "json", "--settle", "--runs", "9", "--id", "{class}.{name}", "--parallel", "2",
            "--isolate", "none", "--junit", "r-{run}.xml", "--", sys.executable, "runner.py", "{junit}", "{tests}"))
        standing = self.standing(document)
        self.assertEqual({name: standing[name][0] for name in standing}, {"a": "disagreed", "b": "disagreed", "c": "clean"})

    def test_interrupted_it_says_what_is_not_settled(self):
        process = subprocess.Popen(
            [BINARY, "hunt", "--settle", "--runs", "5000", "--junit", "r.xml", "--id", "{class}.{name}", "--", sys.executable,
             "runner.py", "{junit}", "{tests}"],
            cwd=self.root, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        log = self.root / ".flakestat/runs.ndjson"
        deadline = time.monotonic() + 50
        while time.monotonic() < deadline and (not log.exists() or log.read_bytes().count(b"\n") < 12):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, talk = process.communicate(timeout=50)
        self.assertRegex(out.decode(), r"\(interrupted\)", talk)
        self.assertRegex(out.decode(), r"not settled: 1 test; 4\d\d\d more runs")


class TestsThatDependOnOthers(Scenario):
    """`b` needs `a`, which is settled in run 2 and left out from then on."""

    RUNNER = """
import os, sys
names, run = sys.argv[2:] or ["a", "b", "c"], os.environ["FLAKESTAT_RUN"]
bad = {"a": run == "2", "b": "a" not in names, "c": False}
body = "".join(f'<testcase classname="C" name="{n}">{"<failure/>" if bad[n] else ""}</testcase>' for n in names)
open(sys.argv[1], "w").write(f'<testsuite name="s">{body}</testsuite>')
sys.exit(any(bad[n] for n in names))
"""

    def test_what_fails_only_when_others_are_left_out_is_no_flake_here_and_later(self):
        self.write("runner.py", self.RUNNER)
        document = json.loads(self.flakestat(
            "hunt", "--settle", "--all", "--runs", "8", "--format", "json", "--id", "{name}", "--junit", "r.xml", "--",
            sys.executable, "runner.py", "{junit}", "{tests}"))
        verdicts = {each["name"]: each["verdict"] for each in document["results"]}
        self.assertEqual((verdicts["a"], verdicts["c"]), ("flaky", "stable"))
        self.assertNotEqual(verdicts["b"], "flaky")
        self.assertEqual({each["name"]: each["contended"] for each in document["tests"]},
                         {"a": False, "b": True, "c": False})
        self.assertIn("it may depend on a test that was left out", "\n".join(document["warnings"]))
        log = [json.loads(line) for line in (self.root / ".flakestat/runs.ndjson").read_text().splitlines()]
        of_b = [(each["attempt"], each["status"], each.get("contended", False)) for each in log if each["name"] == "b"]
        self.assertEqual(sorted(of_b), [(run, "fail" if run >= 3 else "pass", run >= 3) for run in range(1, 9)])
        later = json.loads(self.flakestat("report", "--all", "--format", "json"))
        self.assertNotIn("flaky", [each["verdict"] for each in later["results"] if each["name"] == "b"])


if __name__ == "__main__":
    main()
