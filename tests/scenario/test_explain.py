"""flakestat explain: the evidence for one test."""
import datetime
import hashlib
import json
import os
import pathlib
import re

from _scenario import FAIL, Scenario, case, main, suite

SOURCE = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"])
HOSTILE = ["a\x1b[31mred\x1b[0m", "x" * 10_000, "::error file=a::boom", "<script>alert(1)</script>", "rtl \u202egnp.exe",
           "pipe | `code` | end", "new\nline"]


def test_id(suite_name, class_name, name):
    return hashlib.sha256("\0".join([suite_name, class_name, name]).encode()).hexdigest()[:16]


class Log(Scenario):
    """Verbs to write a log line by line."""

    def setUp(self):
        super().setUp()
        self.lines = []

    def add(self, status, name="t", hour=0, commit="c1", cls="C", branch="main", **more):
        when = datetime.datetime(2026, 6, 1) + datetime.timedelta(hours=hour)
        line = {"ts": when.strftime("%Y-%m-%dT%H:%M:%S.000Z"), "run_id": f"run-{commit}", "commit": commit,
                "branch": branch, "source": "ci", "test_id": test_id("s", cls, name), "suite": "s", "class": cls,
                "name": name, "status": {"P": "pass", "F": "fail", "S": "skip"}[status]}
        line.update(more)
        self.lines.append(line)

    def commits(self, outcomes, **more):
        for number, outcome in enumerate(outcomes, 1):
            self.add(outcome, hour=number, commit=f"c{number:03d}", **more)

    def save(self):
        self.write(".flakestat/runs.ndjson", "".join(json.dumps(line) + "\n" for line in self.lines))

    def explain(self, *args, **kwargs):
        return self.flakestat("explain", *args, "--default-branch", "main", **kwargs)

    def explain_json(self, *args, **kwargs):
        return json.loads(self.explain(*args, "--format", "json", **kwargs))


class Naming(Log):
    def setUp(self):
        super().setUp()
        for name, cls in (("login", "A"), ("login[x]", "A"), ("logout", "A"), ("same", "A"), ("same", "B")):
            self.commits("PPPPPP", name=name, cls=cls)
        self.save()

    def name_of(self, word):
        return self.explain_json(word)["result"]["name"]

    def test_by_id_name_display_name_and_part(self):
        self.assertEqual(self.name_of(test_id("s", "A", "logout")), "logout")
        self.assertEqual(self.name_of("login"), "login", "an exact name comes before names that hold it")
        self.assertEqual(self.explain_json("B::same")["result"]["class"], "B")
        self.assertEqual(self.name_of("gin[x"), "login[x]")

    def test_several_are_listed_with_their_ids(self):
        for word in ("same", "log"):
            self.explain(word, code=64)
            self.assertIn("give one test_id", self.talk)
        self.explain("same", code=64)
        for cls in "AB":
            self.assertIn(f"  {test_id('s', cls, 'same')}  {cls}::same\n", self.talk)

    def test_none_is_missing_and_the_nearest_are_named(self):
        self.explain("lgoin", code=66)
        self.assertIn("A::login", self.talk)
        self.explain("entirely different", code=66)
        self.assertIn("report --all", self.talk)
        self.explain(test_id("x", "y", "z"), code=66)

    def test_filter_narrows_what_a_word_can_mean(self):
        self.assertEqual(self.explain_json("same", "--filter", "B::*")["result"]["class"], "B")

    def test_nothing_recorded_is_missing(self):
        self.explain("t", "--dir", "elsewhere", code=66)
        self.assertIn("no observations", self.talk)

    def test_a_test_must_be_named(self):
        self.flakestat("explain", code=64)
        self.explain("", code=64)


class Verdicts(Log):
    def test_first_tries_are_what_retries_hide(self):  # E01
        for number in range(20):
            failed = number % 2 == 0
            self.add("F" if failed else "P", hour=number, commit=f"c{number:03d}")
            if failed:
                self.add("P", hour=number, commit=f"c{number:03d}", attempt=1)
        self.save()
        found = self.explain_json("t")
        self.assertEqual(found["result"]["verdict"], "flaky")
        self.assertEqual((found["first_tries"]["fails"], found["first_tries"]["tries"]), (10, 20))
        self.assertEqual(found["first_tries"]["interval"], "exact")
        # Clopper-Pearson for 10 of 20.
        self.assertAlmostEqual(found["first_tries"]["lower"], 0.2720, 3)
        self.assertAlmostEqual(found["first_tries"]["upper"], 0.7280, 3)
        out = self.explain("t")
        self.assertIn("failed 10 of 20: 50 %", out)
        self.assertRegex(out, r"failed and passed on c018 in the same environment: proof, run run-c018;")

    def test_a_known_failure_that_passed_once(self):  # E05
        self.commits("F" * 50 + "P" + "F" * 5)
        self.save()
        found = self.explain_json("t")
        self.assertEqual(found["result"]["verdict"], "flaky")
        self.assertIn("failing now: 5 failures in a row since c052, passed once at c051", found["reasons"])
        self.assertEqual(found["last_pass"]["code"], "c051")

    def test_outages_are_discounted_and_said(self):  # E07
        for number in range(40):
            for t in range(30):
                self.add("P", name=f"t{t}", hour=number, commit=f"c{number:03d}")
        for t in range(30):
            self.add("F" if t < 27 else "P", name=f"t{t}", hour=50, commit="c999", run_id="bad-run")
            self.add("P", name=f"t{t}", hour=51, commit="c999", run_id="again", attempt=1, partial=True)
        self.save()
        found = self.explain_json("C::t3", "--filter", "C::t3")
        self.assertEqual(found["result"]["verdict"], "stable")
        self.assertTrue(any(r.startswith("discounted: 27 of 30 tests failed in job bad-run") for r in found["reasons"]),
                        found["reasons"])
        self.assertEqual([o["run_id"] for o in found["outages"]], ["bad-run"])
        self.assertEqual(found["history"]["executions"][-2]["doubts"], ["outage"])
        out = self.explain("C::t3", "--filter", "C::t3", "--history", "4")
        self.assertRegex(out, r"\n    P P f P\n        \^ !\n")
        self.assertIn("in an outage: discounted", out)

    def test_broken_says_since_when_and_when_it_last_passed(self):
        self.commits("P" * 10 + "F" * 8)
        self.save()
        found = self.explain_json("t")
        self.assertEqual(found["result"]["verdict"], "consistently-failing")
        self.assertRegex(found["reasons"][0], "failing now in every default-branch environment since c011, last passed at c010")

    def test_broken_from_the_start(self):
        self.commits("F" * 6)
        self.save()
        self.assertIn("failed in every one of its 6 executions, since c001", self.explain_json("t")["reasons"])

    def test_clean_says_what_it_rules_out(self):
        self.commits("P" * 120)
        self.save()
        self.assertRegex(self.explain("t"),
                         r"clean +for 120 runs since c001: rates above 2\.5 % are ruled out at 95 %")

    def test_too_few_and_skipped(self):
        self.commits("PP", name="young")
        self.commits("SSS", name="skipped")
        self.save()
        self.assertIn("2 executions are too few", self.explain("young"))
        out = self.explain("skipped")
        self.assertIn("skipped every time (3)", out)
        self.assertIn("- - -", out)

    def test_hunts_get_the_interval_that_holds_at_any_stop(self):
        for run in range(1, 21):
            self.add("F" if run == 20 else "P", source="hunt", attempt=run, run_id="hunt")
        self.save()
        found = self.explain_json("t")
        self.assertEqual(found["first_tries"]["interval"], "any-stop")
        self.assertIn("since a hunt may stop at a failure", self.explain("t"))

    def test_flip_rate_gives_its_own_reasons(self):
        self.commits("PFPFPFPPPP")
        self.save()
        out = self.explain("t", "--model", "flip-rate")
        self.assertIn("6 of 9 pairs of neighbouring outcomes in one context differ", out)
        self.assertNotIn("P(flaky)", out)

    def test_marks_of_executions_are_counted(self):
        self.commits("PPPPP")
        self.add("S", hour=10, commit="c010", sanitised={"assumption": "network", "detail": "no route"}, raw_status="fail")
        self.add("F", hour=11, commit="c011", quarantined=True)
        self.add("P", hour=12, commit="c012")
        self.save()
        out = self.explain("t")
        self.assertRegex(out, r"sanitised +1 \(network 1\)")
        self.assertRegex(out, r"quarantined +1 failure tolerated")
        self.assertRegex(out, r"weak flips +2 changes")


class History(Log):
    def test_marks_stand_under_the_later_of_two_that_differ(self):
        self.commits("PPFP")
        self.add("F", hour=5, commit="c004", attempt=1)
        self.add("S", hour=6, commit="c005")
        self.save()
        self.assertIn("    P P F P F -\n        ^ ^ !\n", self.explain("t"))

    def test_contexts_have_rows_of_their_own(self):
        for number in range(4):
            self.add("P", hour=number, commit=f"c{number}", dimensions={"os": "linux"})
            self.add("F", hour=number, commit=f"c{number}", dimensions={"os": "windows"}, run_id=f"w{number}")
        self.save()
        out = self.explain("t")
        self.assertIn("  main, os=linux\n    P P P P\n", out)
        self.assertIn("  main, os=windows\n    F F F F\n", out)

    def test_the_newest_are_shown(self):
        self.commits("F" * 5 + "P" * 60)
        self.save()
        found = self.explain_json("t", "--history", "7")
        self.assertEqual([e["status"] for e in found["history"]["executions"]], ["pass"] * 7)
        self.assertEqual(found["history"]["executions"][-1]["code"], "c065")
        self.assertEqual(found["history"]["total"], 65)
        self.assertIsNone(found["history"]["executions"][0]["compared_with"])
        self.assertEqual(found["history"]["executions"][1]["compared_with"], 0)
        self.assertIn("the newest 40 of 65 executions", self.explain("t"))

    def test_since_branch_and_dimension_narrow(self):
        self.commits("PPPPPP", dimensions={"os": "linux"})
        self.add("F", hour=20, commit="f1", branch="topic", dimensions={"os": "windows"})
        self.save()
        self.assertEqual(self.explain_json("t", "--branch", "topic")["result"]["runs"], 1)
        self.assertEqual(self.explain_json("t", "--dimension", "os=linux")["result"]["runs"], 6)
        self.assertEqual(self.explain_json("t", "--since", "2026-06-01T06:00:00Z")["history"]["total"], 2)

    def test_since_a_commit_narrows_both_reads(self):
        self.commits("FFPPFP", message="boom", duration_ms=5)
        self.save()
        found = self.explain_json("t", "--since", "c003")
        self.assertEqual(found["history"]["total"], 4)
        self.assertEqual(found["messages"]["failures"], 1)
        self.assertEqual((found["pass_durations"]["count"], found["fail_durations"]["count"]), (3, 1))
        self.explain("t", "--since", "fedcba9876", code=66)


class Messages(Log):
    def test_coloured_messages_cluster_like_plain_ones(self):  # D12
        coloured = '<failure message="{0}">{0}</failure>'
        texts = ["AssertionError: red is not {}", "&#27;[31mAssertionError:&#27;[0m red is not {}",
                 "#x1B[31mAssertionError: red#x1B[0m is not {}"]
        for number, text in enumerate(texts):
            body = coloured.format(text.format(number))
            self.write(f"r{number}.xml", suite(case("t", body), extra=f' timestamp="2026-08-{number + 1:02d}T10:00:00Z"'))
            self.ingest(f"r{number}.xml", "--commit", f"c{number}", "--branch", "main", "--allow-damaged")
        found = self.explain_json("t")["messages"]
        self.assertEqual(found["kinds"], 1, found)
        self.assertEqual(found["clusters"][0]["count"], 3)
        self.assertEqual(found["clusters"][0]["shape"], "AssertionError: red is not <n>")

    def test_an_execution_that_was_read_twice_counts_once(self):
        self.commits("PPPPPF", message="boom 1", duration_ms=100)
        twice = dict(self.lines[-1], exec_key="00000000000000aa")
        self.lines[-1] = dict(twice)
        self.lines.append(dict(twice, ts="2026-06-02T10:00:00.000Z", run_id="later", message="other", duration_ms=900))
        self.save()
        found = self.explain_json("t")
        self.assertEqual([(c["count"], c["example"]) for c in found["messages"]["clusters"]], [(1, "boom 1")])
        self.assertEqual(found["fail_durations"], {"count": 1, "median_ms": 100, "lower_quartile_ms": 100,
                                                   "upper_quartile_ms": 100})
        self.assertEqual(found["pass_durations"]["count"], 5)

    def test_durations_and_kinds_are_shown(self):
        self.commits("PPFPPF", duration_ms=1500)
        self.lines[2].update(message="timeout after 5s", duration_ms=5000)
        self.lines[5].update(message="connection refused", duration_ms=20)
        self.save()
        out = self.explain("t")
        self.assertRegex(out, r"passed +4 +1\.5s")
        self.assertRegex(out, r"failed +2 +20ms +20ms to 5\.0s")
        self.assertRegex(out, r"1  2026-06-01T06:00:00Z  connection refused\n +1  2026-06-01T03:00:00Z  timeout after 5s")


class Associations(Scenario):
    def test_a_platform_that_fails_is_named(self):
        for number in range(12):
            for os_name, body in (("windows", FAIL), ("linux", "")):
                name = f"{os_name}{number}.xml"
                self.write(name, suite(case("t", body), extra=f' timestamp="2026-08-{number + 1:02d}T10:00:00Z"'))
                self.ingest(name, "--commit", f"c{number:02d}", "--branch", "main", "--no-host", "--dimension",
                            f"os={os_name}", "--dimension", f"db={'mssql' if os_name == 'windows' else 'pg'}")
        out = self.flakestat("explain", "t", "--default-branch", "main")
        self.assertIn("failures concentrate in db=mssql: 12 of 12 against 0 of 12 elsewhere (strong", out)
        self.assertIn("db=mssql and os=windows split the runs alike, or nearly: the data cannot tell them apart", out)
        self.assertIn("deterministic per platform", out)
        self.assertIn("failing now in main, db=mssql os=windows: 12 failures in a row since c00, never passed there", out)
        self.assertNotIn("failing now: ", out)
        self.assertIn("never why", out)
        found = self.json("explain", "t", "--default-branch", "main")
        self.assertEqual(found["result"]["verdict"], "stable")
        one = found["associations"]["found"][0]
        self.assertEqual(one["strength"], "strong")
        self.assertEqual(len(one["values"]), 2)
        self.assertLess(one["q_value"], 1e-5)
        self.assertIn({"key": "os", "value": "linux", "runs": 12, "fails": 0, "rate": 0.0}, found["dimensions"])


class Output(Log):
    def hostile(self):
        for name in HOSTILE:
            self.commits("PFPFPP", name=name, message=name)
        self.save()

    def test_hostile_names_stay_text(self):
        self.hostile()
        for name in HOSTILE:
            for form in ("table", "markdown"):
                out = self.explain(test_id("s", "C", name), "--format", form)
                self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
                self.assertFalse(re.search(r"^::error", out, re.M))
            self.assertNotIn("<script>", re.sub("`[^`]*`", "", self.explain(test_id("s", "C", HOSTILE[3]), "--format", "markdown")))
            self.assertEqual(self.explain_json(test_id("s", "C", name))["result"]["name"], name)
        self.explain("e", code=64)
        self.assertNotRegex(self.talk, "[\x00-\x09\x0b-\x1f\x7f\u202e]")

    def test_documents_are_valid_by_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((SOURCE / "docs/schema/explain.schema.json").read_text())
        check = jsonschema.Draft202012Validator(schema)
        self.hostile()
        self.commits("SSS", name="skipped")
        self.commits("F" * 5 + "P" + "F" * 9, name="broken", dimensions={"os": "linux"}, duration_ms=5)
        self.save()
        names = [test_id("s", "C", name) for name in HOSTILE] + ["skipped", "broken"]
        for name in names:
            for model in ("bayes", "flip-rate"):
                check.validate(self.explain_json(name, "--model", model))

    def test_numbers_are_those_of_report(self):
        vectors = json.loads((SOURCE / "tests/data/scoring-vectors.json").read_text())["examples"]
        for number, vector in enumerate(vectors[:20]):
            self.hour = 0
            for run in vector["runs"]:
                self.hour += 1
                for repetition, outcome in enumerate(run["outcomes"]):
                    self.add(outcome, name=f"v{number}", hour=self.hour, commit=f"{number}-{run['commit']}",
                             branch=run["branch"], dimensions={"os": run["env"]}, run_id=f"r{number}-{self.hour}",
                             repetition=repetition)
        self.save()
        for model in ("bayes", "flip-rate"):
            report = self.report("--default-branch", "main", "--model", model)["results"]
            self.assertEqual(len(report), 20)
            for result in report:
                found = self.explain_json(result["test_id"], "--model", model, "--history", "100000")
                self.assertEqual(found["result"], result)
                marks = [e["mark"] for e in found["history"]["executions"]]
                self.assertEqual(marks.count("same-code-flip"), result["same_commit_flips"])
                self.assertEqual(marks.count("flip"), result["cross_commit_flips"])

    def test_the_next_command_works(self):
        self.commits("PFPFPPFPPF")
        self.save()
        self.write("suite.sh", "cat > out.xml <<X\n" + suite(case("t")) + "\nX\n")
        command = self.explain_json("t")["next"]["command"]
        self.assertEqual(command[:3], ["flakestat", "hunt", "--runs"])
        self.assertIn("--until-fail", command)
        at = command.index("--")
        command = command[1:at + 1] + ["sh", "suite.sh"]
        command = [{"REPORT": "out.xml"}.get(word, word) for word in command]
        command[command.index("--runs") + 1] = "2"
        self.flakestat(*command)

    def test_the_command_that_tolerates_it_works(self):
        self.commits("PFPFPPFPPF")
        self.save()
        command = self.explain_json("t")["next"]["tolerate"]
        self.assertEqual(command[:3], ["flakestat", "quarantine", "--update"])
        self.flakestat(*command[1:], "--default-branch", "main")
        self.assertIn("C::t", (self.root / "quarantine.txt").read_text())

    def test_a_configured_command_needs_no_word_to_replace(self):
        self.commits("PFPFPPFPPF")
        self.save()
        self.write("suite.sh", "cat > out.xml <<X\n" + suite(case("t")) + "\nX\n")
        self.write(".flakestat.json", '{"version":1,"command":"sh suite.sh","junit":"out.xml"}')
        command = self.explain_json("t")["next"]["command"]
        self.assertNotIn("--", command)
        command[command.index("--runs") + 1] = "2"
        self.flakestat(*command[1:])


if __name__ == "__main__":
    main()
