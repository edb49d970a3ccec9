"""The CI gate `flakestat check`: fails on new and worse, never on existing, and is never green by accident."""
import json
import os
import pathlib

from _scenario import FAIL, Scenario, case, main, suite

GITHUB = {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "77", "GITHUB_JOB": "unit", "GITHUB_REF_NAME": "main",
          "GITHUB_REF": "refs/heads/main"}


class Check(Scenario):
    """A history is written run by run: one character a test, P, F or S."""

    def setUp(self):
        super().setUp()
        self.runs = 0

    def run_of(self, commit=None, branch="main", flags=(), env=None, name="s", **tests):
        self.runs += 1
        body = {"P": "", "F": FAIL, "S": "<skipped/>"}
        cases = [case(test, body[outcome], extra=f' file="tests/{test}.py"') for test, outcome in tests.items()]
        stamp = f"2026-08-{1 + self.runs // 24:02d}T{self.runs % 24:02d}:00:00Z"
        path = self.write(f"run{self.runs}.xml", suite(*cases, name=name, extra=f' timestamp="{stamp}"'))
        self.flakestat("ingest", "-q", path, "--commit", commit or f"c{self.runs}", "--branch", branch, *flags, env=env)
        return path

    def burst(self, count=8, commit="c", branch="main", **outcomes):
        """`count` runs of one commit; a test's outcomes repeat."""
        for i in range(count):
            self.run_of(commit=commit, branch=branch, **{t: text[i % len(text)] for t, text in outcomes.items()})

    def check(self, *args, code=0, **kwargs):
        return self.flakestat("check", "--branch", "main", "--default-branch", "main", *args, code=code, **kwargs)

    def check_json(self, *args, code=0, **kwargs):
        return json.loads(self.check("--format", "json", *args, code=code, **kwargs))

    def accept(self, *args):
        return self.check("--update-baseline", *args)

    def baseline(self):
        return json.loads((self.root / ".flakestat/baseline.json").read_text())

    def names(self, items):
        return [item["name"] for item in items]


class NewAndWorse(Check):
    def test_a_new_flake_fails_and_an_accepted_one_does_not(self):
        self.burst(a="P", b="PF")
        self.assertIn("gate: failed: 1 newly flaky test", self.check(code=1))
        self.assertIn("1 added", self.accept())
        self.assertEqual(self.names(self.baseline()["tests"].values()), ["b"])
        self.assertIn("gate: passed", self.check())

    def test_new_is_no_failure_when_it_is_not_asked_for(self):
        self.burst(a="P", b="PF")
        out = self.check("--fail-on-new=false")
        self.assertIn("1 new", out)
        self.check("--no-fail-on-new")

    def worsen(self):
        self.burst(20, a="P", b="PPPPPPPPPPPPPPPPPPPF")
        self.accept()
        self.burst(20, b="PF", a="P")

    def test_worse_is_exit_code_2_and_outranks_new(self):
        self.worsen()
        self.assertIn("gate: failed: 1 accepted flaky test got worse", self.check(code=2))
        self.burst(8, a="PF", b="PF")
        out = self.check(code=2)
        self.assertIn("1 new, 1 worse", out)
        self.check("--fail-on-regression=false", code=1)

    def test_the_delta_says_how_much_worse_is_worse(self):
        self.worsen()
        self.check("--regression-delta", "0.9")
        self.check("--regression-delta", "1.1", code=64)

    def test_the_severity_limit_leaves_mild_new_flakes_out(self):
        self.burst(a="P", b="PF")
        lower = self.result("b", "--default-branch", "main")["lower_bound"]
        self.check("--threshold", str(lower), code=1)
        out = self.check("--threshold", str(lower + 0.01))
        self.assertIn("1 below the limit", out)

    def test_the_flip_rate_threshold_is_that_models_flaky_threshold(self):
        self.burst(40, a="P", b="PF")
        self.check("--model", "flip-rate", code=1)
        self.assertIn("0 new", self.check("--model", "flip-rate", "--threshold", "0.999"))

    def test_the_numbers_are_those_of_report_in_both_models(self):
        self.burst(20, a="P", b="PPPF", c="PF", d="F")
        for model in ("bayes", "flip-rate"):
            self.accept("--model", model)
            found = self.report("--default-branch", "main", "--model", model)["results"]
            flaky = {r["test_id"]: (r["verdict"], r["score"]) for r in found if r["verdict"] == "flaky"}
            kept = {i: (t["verdict"], t["score"]) for i, t in self.baseline()["tests"].items()}
            self.assertEqual(flaky, kept)
            self.assertGreater(len(kept), 0)

    def test_a_filter_narrows_what_is_judged(self):
        self.burst(a="P", b="PF")
        self.assertIn("gate: passed", self.check("--filter", "*::a"))
        self.check("--filter", "nothing", code=66)
        self.check("--filter", "a", "--update-baseline", code=64)


class Quarantined(Check):
    def test_a_new_flake_on_the_list_is_said_and_not_fatal(self):
        self.burst(a="P", b="PF", c="PF")
        self.write("q.txt", "C::b # owner=@team reason=JIRA-1\n")
        found = self.check_json("--quarantine", "q.txt", code=1)
        self.assertEqual((self.names(found["new"]), self.names(found["quarantined"])), (["c"], ["b"]))
        self.write("q.txt", "C::*\n")
        self.assertIn("2 quarantined", self.check("--quarantine", "q.txt"))

    def test_when_is_held_against_this_place(self):  # C01
        self.burst(a="P", b="PF")
        self.write("q.txt", "C::b # when=database=postgres\n")
        self.check("--quarantine", "q.txt", code=1)
        self.check("--quarantine", "q.txt", "--dimension", "database=mysql", code=1)
        self.check("--quarantine", "q.txt", "--dimension", "database=postgres")

    def test_an_expired_entry_excuses_nothing(self):
        self.burst(a="P", b="PF")
        self.write("q.txt", "C::b # expires=2020-01-31\n")
        self.assertEqual(self.names(self.check_json("--quarantine", "q.txt", code=1)["new"]), ["b"])

    def test_a_list_that_cannot_be_read_excuses_nobody(self):
        self.burst(a="P", b="PF")
        self.check("--quarantine", "none.txt", code=66)
        self.assertIn("none.txt", self.talk)
        self.write("q.txt", "C::b # expires=2999-01-01\n")
        self.check("--quarantine", "q.txt", code=78)  # C11
        self.assertIn("q.txt", self.talk)

    def test_a_list_does_not_make_missing_reports_green(self):  # C02
        self.burst(a="P", b="PF")
        self.write("q.txt", "C::b\n")
        self.check("none-*.xml", "--quarantine", "q.txt", code=66)


class Recovery(Check):
    def test_fixed_is_listed_and_taken_out_by_an_update(self):
        self.burst(a="P", b="PF")
        self.accept()
        for _ in range(120):
            self.run_of(a="P", b="P")
        found = self.check_json()
        self.assertEqual(self.names(found["fixed"]), ["b"])
        self.assertIn("1 removed", self.accept())
        self.assertEqual(self.baseline()["tests"], {})

    def test_not_run_is_not_fixed(self):  # C09
        self.burst(a="P", b="PF")
        self.accept()
        (self.root / ".flakestat/runs.ndjson").unlink()
        self.burst(a="P")
        found = self.check_json()
        self.assertEqual((self.names(found["not_seen"]), found["fixed"]), (["b"], []))
        self.assertIn("not healthy", self.accept())
        self.assertEqual(self.names(self.baseline()["tests"].values()), ["b"])
        self.accept("--prune")
        self.assertEqual(self.baseline()["tests"], {})

    def test_skipped_is_not_fixed(self):
        self.burst(a="P", b="PF")
        self.accept()
        (self.root / ".flakestat/runs.ndjson").unlink()
        self.burst(a="P", b="S")
        self.assertEqual(self.check_json()["not_seen"][0]["reason"], "only skipped")

    def test_a_known_failure_that_passed_once_is_neither_new_nor_worse(self):  # E05
        for outcome in "F" * 50 + "P" + "F" * 5:
            self.run_of(a="P", k=outcome)
            if self.runs > 50:
                found = self.check_json()
                self.assertEqual((found["new"], found["worse"]), ([], []), self.runs)
        self.assertEqual(self.result("k", "--default-branch", "main")["verdict"], "flaky")
        out = self.check()
        self.assertIn("known failure, passed once at c51", out)

    def test_an_accepted_known_failures_return_is_not_worse(self):  # E05
        for outcome in "F" * 50 + "P" + "F":
            self.run_of(a="P", k=outcome)
        self.accept()
        entry = self.baseline()
        for test in entry["tests"].values():
            test["score"] = 0.0
        self.write(".flakestat/baseline.json", json.dumps(entry))
        self.run_of(a="P", k="F")
        self.assertEqual(self.check_json("--regression-delta", "0")["worse"], [])


class Baselines(Check):
    def test_another_models_baseline_is_refused_with_both_names(self):
        self.burst(a="P", b="PF")
        self.accept("--model", "bayes")
        self.check("--model", "flip-rate", code=78)
        for word in ("bayes", "flip-rate", "--update-baseline", "baseline.json"):
            self.assertIn(word, self.talk)
        self.assertIn("before of bayes", self.accept("--model", "flip-rate"))
        self.check("--model", "flip-rate")

    def test_the_predecessors_baseline_is_flip_rates(self):
        self.burst(20, a="P", b="PF")
        test_id = self.result("b")["test_id"]
        self.write(".flakestat/baseline.json", json.dumps({
            "version": 1, "updated": "2026-07-01T10:00:00Z",
            "tests": {test_id: {"name": "b", "suite": "s", "class": "C", "verdict": "flaky", "score": 0.9}}}, indent=2))
        self.assertIn("1 accepted", self.check("--model", "flip-rate"))
        self.check(code=78)
        self.assertIn("flip-rate", self.talk)

    def test_damaged_baselines_are_named_with_the_mend(self):
        self.burst(a="P", b="PF")
        self.accept()
        whole = (self.root / ".flakestat/baseline.json").read_text()
        damaged = ["", "{", "[]", '{"version":1}', '{"version":"1","tests":{}}', '{"version":1,"tests":[]}',
                   '{"version":1,"tests":{"xyz":{"name":"a"}}}', '{"version":1,"tests":{"ab8f1d22c186d5b5":7}}',
                   '{"version":1,"tests":{"ab8f1d22c186d5b5":{"name":1}}}',
                   '{"version":1,"tests":{"ab8f1d22c186d5b5":{"suite":"s"}}}',
                   '{"version":1,"tests":{"ab8f1d22c186d5b5":{"name":"b","score":7}}}',
                   '{"version":1,"model":"bayes","tests":{},"tests":{}}',
                   '{"version":1,"tests":{"ab8f1d22c186d5b5":{"name":"b","score":0.1,"score":0.9}}}',
                   "<<<<<<< HEAD\n" + whole, whole[: len(whole) // 2], "\x00" * 100, "[" * 100000]
        for text in damaged:
            self.write(".flakestat/baseline.json", text)
            self.check(code=65)
            self.assertRegex(self.talk, "baseline.json: .*--update-baseline")
        self.accept()
        self.assertIn("written anew", self.talk)
        self.assertEqual((self.root / ".flakestat/baseline.json").read_text(), whole)

    def test_every_truncation_is_refused_or_whole(self):
        self.burst(a="P", b="PF")
        self.accept()
        whole = (self.root / ".flakestat/baseline.json").read_bytes()
        for size in range(0, len(whole), 7):
            self.write(".flakestat/baseline.json", whole[:size])
            self.check(code=65)

    def test_a_newer_version_is_refused_and_never_overwritten(self):
        self.burst(a="P", b="PF")
        self.write(".flakestat/baseline.json", '{"version":2,"tests":{}}')
        self.check(code=78)
        self.assertIn("version 2", self.talk)
        self.check("--update-baseline", code=78)
        self.assertEqual((self.root / ".flakestat/baseline.json").read_text(), '{"version":2,"tests":{}}')

    def test_the_bytes_depend_on_the_state_alone(self):
        self.burst(a="P", b="PF", c="FP")
        self.accept()
        first = (self.root / ".flakestat/baseline.json").read_bytes()
        self.accept()
        self.assertEqual((self.root / ".flakestat/baseline.json").read_bytes(), first)
        self.assertEqual(sorted(self.baseline()["tests"]), list(self.baseline()["tests"]))

    def test_a_named_baseline_must_be_there(self):
        self.burst(a="P", b="PF")
        self.check("--baseline", "elsewhere.json", code=66)
        self.assertIn("elsewhere.json", self.talk)
        self.accept("--baseline", "deep/er/elsewhere.json")
        self.check("--baseline", "deep/er/elsewhere.json")

    def test_an_empty_history_writes_no_baseline(self):
        self.check("--update-baseline", code=66)
        self.assertFalse((self.root / ".flakestat/baseline.json").exists())


class NeverGreenByAccident(Check):
    def test_an_empty_history_is_not_green(self):
        self.check(code=66)
        self.assertIn("flakestat ingest", self.talk)

    def test_a_truncated_report_is_not_green(self):  # A26
        self.burst(a="P", b="P")
        path = self.write("cut.xml", suite(case("a"), case("b"), extra=' timestamp="2026-09-01T10:00:00Z"')[:-30])
        self.check(path, "--commit", "cc", code=65)
        self.assertIn("cut.xml: damaged", self.talk)
        self.assertIn("undecided", self.check(code=1))

    def test_reports_without_a_test_are_not_green(self):
        self.burst(a="P", b="P")
        path = self.write("none.xml", suite())
        out = self.check(path, "--expect", "all", code=1)
        self.assertIn("gate: undecided: the given reports hold no test", out)
        self.check(path, self.write("some.xml", suite(case("a"), case("b"))), "--commit", "c")

    def test_the_given_reports_are_decided_on_whatever_their_time_stamps_say(self):
        many = {f"t{i}": "P" for i in range(10)}
        for _ in range(6):
            self.run_of(**many)
        path = self.write("old.xml", suite(case("t1"), extra=' timestamp="2019-01-01T10:00:00Z"'))
        self.assertIn("9 tests of the run before", self.check(path, "--no-host", "--expect", "all", code=1))
        self.check("--expect", "all")
        self.run_of(env=GITHUB, flags=["--no-host"], **many)
        path = self.write("old2.xml", suite(case("t1"), extra=' timestamp="2018-01-01T11:00:00Z"'))
        self.flakestat("ingest", path, "--no-host", env={**GITHUB, "GITHUB_RUN_ID": "78"})
        self.assertIn("9 tests of the run before",
                      self.check("--expect", "all", code=1, env={**GITHUB, "GITHUB_RUN_ID": "78"}))

    def test_a_hunt_beside_the_runs_is_not_what_is_decided_on(self):
        many = {f"t{i}": "P" for i in range(10)}
        for _ in range(3):
            self.run_of(**many)
        line = {**self.log()[-1], "ts": "2026-09-01T10:00:00Z", "run_id": "h", "source": "hunt", "partial": True,
                "exec_key": "0" * 16}
        self.write(".flakestat/runs.ndjson",
                   (self.root / ".flakestat/runs.ndjson").read_text() + json.dumps(line) + "\n")
        self.assertIn("10 tests, 0 failing", self.check("--expect", "all"))

    def test_no_number_is_no_limit(self):
        self.burst(a="P", b="PF")
        for flag in ("--threshold", "--regression-delta"):
            self.check(flag, "nan", code=64)

    def test_a_file_that_is_no_report_is_not_green(self):  # A26
        self.burst(a="P")
        self.write("bad.xml", "<html/>")
        self.check("bad.xml", code=65)
        self.assertIn("bad.xml", self.talk)

    def test_a_glob_that_matches_nothing_is_not_green(self):  # C02
        self.burst(a="P")
        self.check("reports/*.xml", code=66)
        self.assertIn("reports/*.xml", self.talk)
        self.check("gone.xml", code=66)
        self.assertIn("gone.xml", self.talk)

    def test_the_gates_no_outranks_a_missing_report(self):
        self.burst(a="P", b="PF")
        self.check("gone.xml", code=1)

    def test_reports_are_read_first(self):
        self.burst(7, a="P", b="P")
        path = self.write("new.xml", suite(case("a"), case("b", FAIL), extra=' timestamp="2026-09-01T10:00:00Z"'))
        self.check(path, "--commit", "c", code=0)
        path = self.write("new2.xml", suite(case("a"), case("b", FAIL), extra=' timestamp="2026-08-01T11:00:00Z"'))
        self.check(path, "--commit", "c", code=1)
        self.assertEqual(len(self.log()), 7 * 2 + 4)

    def test_an_unknown_variable_is_warned_of_once(self):
        self.run_of(a="P")
        path = self.write("next.xml", suite(case("a"), extra=' timestamp="2026-08-20T00:00:00Z"'))
        self.check(path, env={"FLAKESTAT_NO_SUCH": "1"})
        self.assertEqual(self.talk.count("FLAKESTAT_NO_SUCH"), 1, self.talk)

    def test_an_outage_is_undecided(self):
        many = {f"t{i}": "P" for i in range(30)}
        for _ in range(12):
            self.run_of(**many)
        self.run_of(**{name: "F" for name in many})
        for model in ("bayes", "flip-rate"):
            out = self.check("--model", model, code=1)
            self.assertIn("gate: undecided: the newest run was an outage", out)
            self.assertIn("30 of 30 tests failed", out)
        self.run_of(**many)
        self.check()

    def test_an_outage_with_mass_retries_makes_nothing_new(self):  # E07
        many = {f"t{i}": "P" for i in range(30)}
        for _ in range(12):
            self.run_of(**many)
        self.run_of(commit="outage", **{name: "F" if i else "P" for i, name in enumerate(many)})
        self.run_of(commit="outage", **many)
        found = self.check_json()
        self.assertEqual(found["new"], [])

    def test_tests_missing_from_the_newest_run_are_named(self):  # C13
        many = {f"t{i}": "P" for i in range(10)}
        for _ in range(6):
            self.run_of(**many)
        self.run_of(t0="P", t1="P", t2="P")
        out = self.check()
        self.assertIn("7 tests of the run before missing from the newest run", out)
        self.assertIn("C::t9", out)
        self.assertIn("gate: failed: 7 tests of the run before missing", self.check("--expect", "all", code=1))
        self.check("--expect", "4", code=1)
        self.check("--expect", "3")
        self.check("--expect", "some", code=64)

    def test_another_kind_of_job_is_no_shortfall(self):
        for _ in range(3):
            self.run_of(**{f"t{i}": "P" for i in range(10)})
            self.run_of(lint="P", name="other")
        self.check("--expect", "all")

    def test_shards_are_one_run(self):
        for run in range(3):
            for shard in range(3):
                env = {"CI": "true", "GITLAB_CI": "true", "CI_PIPELINE_ID": f"p{run}", "CI_JOB_ID": f"j{run}{shard}",
                       "CI_NODE_INDEX": str(shard + 1), "CI_COMMIT_BRANCH": "main"}
                # The tests move between the shards.
                self.run_of(commit=f"c{run}", env=env, **{f"t{(i + run) % 9}": "P" for i in range(shard, 9, 3)})
        self.check("--expect", "all")
        self.run_of(commit="c9", env={**env, "CI_PIPELINE_ID": "p9", "CI_JOB_ID": "j9"}, t0="P", t1="P", t2="P")
        self.assertIn("6 tests of the run before", self.check("--expect", "all", code=1))

    def test_a_branch_without_a_run_is_said(self):
        self.burst(a="P")
        out = self.flakestat("check", "--branch", "topic")
        self.assertIn("no run of branch topic is recorded", out)


class NewTests(Check):
    def check_topic(self, *args, code=0):
        return self.flakestat("check", "--branch", "topic", "--default-branch", "main", *args, code=code)

    def test_a_test_first_seen_here_needs_clean_executions(self):
        self.burst(a="P")
        for i in range(3):
            self.run_of(commit=f"t{i}", branch="topic", a="P", fresh="P")
        out = self.check_topic("--new-tests", "4", code=1)
        self.assertIn("3 of 4 clean executions in a row", out)
        self.assertNotIn("C::a", out)
        self.run_of(commit="t9", branch="topic", a="P", fresh="P")
        self.check_topic("--new-tests", "4")

    def test_a_failure_starts_the_count_again(self):
        self.burst(a="P")
        for i, outcome in enumerate("PPFPP"):
            self.run_of(commit=f"t{i}", branch="topic", a="P", fresh=outcome)
        self.check_topic("--new-tests", "3", code=1)
        self.check_topic("--new-tests", "2")

    def test_the_first_code_of_a_history_is_not_new(self):
        self.run_of(a="P")
        self.check("--new-tests", "5")

    def test_a_skipped_new_test_is_not_judged(self):
        self.burst(a="P")
        self.run_of(commit="t1", branch="topic", a="P", windows="S")
        self.check_topic("--new-tests", "5")

    def test_a_test_sanitised_in_each_of_its_last_runs_was_never_tested(self):
        self.burst(3, a="P", net="P")
        log = self.log()
        template = next(line for line in log if line["name"] == "net")
        for i in range(3):
            line = {**template, "ts": f"2026-09-0{i + 1}T10:00:00Z", "run_id": f"s{i}", "commit": f"s{i}",
                    "status": "skip", "raw_status": "error", "exec_key": f"{i + 1:016x}",
                    "sanitised": {"assumption": "network", "detail": "no route"}}
            line.pop("code", None)
            with (self.root / ".flakestat/runs.ndjson").open("a") as log_file:
                log_file.write(json.dumps(line) + "\n")
        self.check()
        self.assertIn("C::net", self.check("--fail-on-sanitised", "3", code=1))
        self.check("--fail-on-sanitised", "4")


class Names(Check):
    def test_names_that_change_with_every_run_are_noticed(self):  # E03
        for seed in (1234, 5678):
            self.run_of(name=f"rspec --seed {seed}", t="P")
        for command in ("check", "report"):
            out = self.flakestat(command)
            said = out + self.talk
            self.assertIn("2 ids seen once: names that change with every run?", said, command)
            self.assertIn("rspec --seed 1234 -> rspec --seed 5678", said, command)

    def test_a_few_changing_names_are_noticed_when_they_keep_changing(self):
        for run in range(5):
            self.run_of(**{f"t{i}": "P" for i in range(20)}, **{f"at_0x7f{run}0": "P"})
        self.assertIn("5 ids seen once", self.check())
        self.flakestat("report")
        self.assertIn("5 ids seen once", self.talk)

    def test_a_first_run_and_a_growing_suite_alarm_nobody(self):
        for run in range(6):
            self.run_of(**{f"test_{i}": "P" for i in range(3 + 2 * run)})
            self.assertNotIn("seen once", self.check())
            self.flakestat("report")
            self.assertNotIn("seen once", self.talk)

    def test_a_renamed_test_alarms_nobody(self):
        for run in range(6):
            self.run_of(**{f"t{i}": "P" for i in range(20)}, **{"v1" if run < 3 else "v2": "P"})
            self.assertNotIn("seen once", self.check())


class Forms(Check):
    def flaky(self):
        self.burst(a="P", b="PF")

    def test_annotations_only_where_a_file_is_known(self):
        self.flaky()
        self.assertIn("::error file=tests/b.py,title=flakestat::newly flaky test: C::b",
                      self.check("--format", "github", code=1))
        for path in (self.root / ".flakestat").iterdir():
            path.unlink()
        for i in range(8):
            body = FAIL if i % 2 else ""
            path = self.write(f"n{i}.xml", suite(case("b", body), extra=f' timestamp="2026-08-01T{i:02d}:00:00Z"'))
            self.flakestat("ingest", path, "--commit", "c", "--branch", "main")
        self.assertNotIn("::error", self.check("--format", "github", code=1))

    def test_the_step_summary_is_appended_to(self):
        self.flaky()
        summary = self.write("summary.md", "# before")
        self.check("--format", "github", code=1, env={**GITHUB, "GITHUB_STEP_SUMMARY": summary})
        text = pathlib.Path(summary).read_text()
        self.assertTrue(text.startswith("# before\n**gate: failed"), text)
        self.assertIn("`C::b`", text)
        self.check("--format", "github", code=1, env={"GITHUB_STEP_SUMMARY": self.write("other.md", "")})
        self.assertEqual((self.root / "other.md").read_text(), "")

    def test_a_full_step_summary_is_left_alone(self):
        self.flaky()
        summary = self.write("summary.md", "x" * ((1 << 20) - 10))
        self.check("--format", "github", code=1, env={**GITHUB, "GITHUB_STEP_SUMMARY": summary})
        self.assertEqual(os.path.getsize(summary), (1 << 20) - 10)
        self.assertIn("1 MiB", self.talk)

    def test_an_unwritable_step_summary_changes_no_decision(self):
        self.flaky()
        self.accept()
        self.check("--format", "github", env={**GITHUB, "GITHUB_STEP_SUMMARY": str(self.root)})
        self.assertIn("job summary", self.talk)

    def test_code_quality_fingerprints_are_stable(self):
        self.flaky()
        first = json.loads(self.check("--format", "gitlab", code=1))
        self.run_of(a="P", b="P")
        self.check("--code-quality", "out/quality.json", code=1)
        second = json.loads((self.root / "out/quality.json").read_text())
        self.assertEqual([e["fingerprint"] for e in first], [e["fingerprint"] for e in second])
        self.assertEqual(first[0]["location"], {"path": "tests/b.py", "lines": {"begin": 1}})

    def test_markdown_and_quiet(self):
        self.flaky()
        self.assertTrue(self.check("--format", "markdown", code=1).startswith("**gate: failed: 1 newly flaky test**"))
        self.accept()
        self.check("-q")
        self.assertEqual(self.talk, "")


if __name__ == "__main__":
    main()
