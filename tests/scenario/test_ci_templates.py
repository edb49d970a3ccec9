"""action.yml and the GitLab template: their scripts are run with the real binary, as the CI systems would run them."""
import os
import pathlib
import re
import subprocess

from _scenario import BINARY, FAIL, Scenario, case, main, suite

SOURCE = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"])

try:
    import yaml
except ImportError:
    yaml = None


class Templates(Scenario):
    def setUp(self):
        super().setUp()
        if yaml is None:
            self.skipTest("python3-yaml is not installed")
        # The checkout has a history already: six green runs of main.
        for i in range(6):
            path = self.write("old.xml", suite(case("a"), case("b"), extra=f' timestamp="2026-08-01T0{i}:00:00Z"'))
            self.flakestat("ingest", "-q", path, "--commit", f"c{i}", "--branch", "main")

    def reports(self, flaky):
        for i in range(2):
            body = FAIL if flaky and i else ""
            self.write(f"reports/r{i}.xml", suite(case("a"), case("b", body, extra=' file="tests/b.py"'),
                                                  extra=f' timestamp="2026-08-02T0{i}:00:00Z"'))


class Action(Templates):
    def load(self):
        return yaml.safe_load((SOURCE / "action.yml").read_text())

    def value(self, text, inputs, outputs):
        """`${{ inputs.x }}` and `${{ steps.y.outputs.z }}`, which is all that the action uses."""
        def one(match):
            words = match.group(1).split(".")
            return inputs[words[1]] if words[0] == "inputs" else outputs[words[1]].get(words[3], "")
        return re.sub(r"\$\{\{ ([a-z.-]+) \}\}", one, str(text))

    def run_action(self, code, **given):
        action = self.load()
        inputs = {name: str(spec.get("default", "")) for name, spec in action["inputs"].items()}
        inputs.update({"binary": BINARY, "reports": "reports/*.xml"})
        inputs.update({name.replace("_", "-"): value for name, value in given.items()})
        outputs, found = {}, 0
        self.said = ""
        for step in action["runs"]["steps"]:
            condition = step.get("if")
            if condition:
                name, _, wanted = re.fullmatch(r"inputs\.(\S+) (==) '(\w+)'", condition).groups()
                if inputs[name] != wanted:
                    continue
            self.assertNotIn("${{", step["run"], "an input is never part of a script")
            file = self.root / "github_output"
            file.write_text("")
            env = {**self.env, "GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "77", "GITHUB_JOB": "unit",
                   "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main", "GITHUB_SHA": "c9",
                   "GITHUB_OUTPUT": str(file), "GITHUB_STEP_SUMMARY": str(self.root / "summary.md")}
            env.update({name: self.value(text, inputs, outputs) for name, text in step["env"].items()})
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.root,
                                  env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            self.said += done.stdout.decode()
            outputs[step.get("id", "-")] = dict(line.split("=", 1) for line in file.read_text().splitlines())
            found = done.returncode
            if found:
                break
        self.assertEqual(found, code, self.said)
        return {name: self.value(spec["value"], inputs, outputs) for name, spec in action["outputs"].items()}

    def test_a_new_flake_fails_the_job_and_is_reported(self):
        self.reports(flaky=True)
        outputs = self.run_action(1, dimensions="db=postgres\n\ntier=1")
        self.assertEqual(outputs, {"decision": "failed", "exit-code": "1", "report-file": "flakestat.md"})
        self.assertIn("::error file=tests/b.py", self.said)
        self.assertIn("the gate failed", (self.root / "flakestat.md").read_text())
        self.assertIn("the gate failed", (self.root / "summary.md").read_text())
        self.assertEqual(self.log()[-1]["dimensions"]["db"], "postgres")

    def test_a_gate_that_only_reports(self):
        self.reports(flaky=True)
        self.assertEqual(self.run_action(0, gate="false", summary="false")["decision"], "failed")
        self.assertFalse((self.root / "summary.md").exists())

    def test_a_green_job(self):
        self.reports(flaky=False)
        self.assertEqual(self.run_action(0, check_args="--expect=2\n--new-tests=5")["decision"], "passed")

    def test_missing_and_damaged_reports_are_never_green(self):
        self.assertEqual(self.run_action(66)["exit-code"], "66")
        self.run_action(66, gate="false")
        self.run_action(64, reports="")
        self.write("reports/cut.xml", suite(case("a"), case("b"))[:-30])
        self.assertEqual(self.run_action(1)["decision"], "failed")

    def test_a_gate_that_only_reports_forgives_no_damaged_report(self):
        self.reports(flaky=True)
        self.write("reports/cut.xml", suite(case("a"), case("b"))[:-30])
        self.run_action(65, gate="false")

    def test_reports_without_a_test_are_not_judged_by_an_older_run(self):
        self.write("reports/none.xml", suite())
        self.assertEqual(self.run_action(66)["exit-code"], "66")
        self.assertIn("the reports hold no test", self.said)

    def test_the_dimensions_decide_who_is_excused_in_both_commands(self):
        self.reports(flaky=True)
        self.write("q.txt", "C::b # when=db=postgres\n")
        self.run_action(0, dimensions="db=postgres", no_host="true", check_args="--quarantine=q.txt")
        self.assertNotIn("os", self.log()[-1]["dimensions"])
        self.assertIn("on the quarantine list", (self.root / "flakestat.md").read_text())

    def test_hostile_inputs_are_no_script(self):
        self.reports(flaky=False)
        self.run_action(66, reports="$(touch pwned)\n`touch pwned`; touch pwned")
        self.assertFalse((self.root / "pwned").exists())

    def test_every_input_is_used_and_described(self):
        action = self.load()
        text = (SOURCE / "action.yml").read_text()
        for name, spec in action["inputs"].items():
            self.assertTrue(spec["description"], name)
            self.assertIn(f"inputs.{name}", text)


class GitLab(Templates):
    def run_job(self, code):
        template = yaml.safe_load((SOURCE / "ci/gitlab/flakestat.yml").read_text())
        job = template[".flakestat"]
        env = {**self.env, **template["variables"], "FS_BINARY": BINARY, "FS_REPORTS": "reports/*.xml", "CI": "true",
               "GITLAB_CI": "true", "CI_PIPELINE_ID": "9", "CI_JOB_ID": "91", "CI_COMMIT_BRANCH": "main",
               "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "c9"}
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], cwd=self.root, env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout.decode())
        for path in job["artifacts"]["paths"] + [job["artifacts"]["reports"]["codequality"]]:
            self.assertTrue((self.root / path).exists(), path)

    def test_the_job(self):
        self.reports(flaky=False)
        self.run_job(0)

    def test_a_new_flake_fails_the_job(self):
        self.reports(flaky=True)
        self.run_job(1)

    def test_missing_reports_are_never_green(self):
        self.run_job(66)

    def test_reports_without_a_test_are_never_green(self):
        self.write("reports/none.xml", suite())
        self.run_job(1)


if __name__ == "__main__":
    main()
