"""`flakestat ci-report`: the gate's decision in each CI system's own words, and never anything else than the decision."""
import json
import pathlib
import re

from _scenario import FAIL, Scenario, main, suite

HOSTILE = ["test_\x1b[31mred", "a|b", "`code` ``x``", "<script>alert(1)</script>", "::error::pwned", "##vso[task.setvariable x]y",
           "##[error]pwned", "##teamcity[buildStop]", "]]>", "'|[]", "rtl \u202egnp", "long_" + "x" * 10000,
           "line\nbreak ::warning::x", "%0A::error::x", "</details>", "-->", "zalgo" + "\u0301" * 3000]


def escape(text):
    for old, new in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\n", "&#10;")):
        text = text.replace(old, new)
    return text


class CiReport(Scenario):
    def flaky_suite(self, names, commit="c"):
        """Every test fails once, and never many in one run: that would be an outage."""
        names = [name for name in names if "\x1b" not in name]
        count = max(4, len(names) // 2)
        for i in range(count):
            cases = [f'<testcase classname="C" name="{escape(n)}" file="{escape(f"t/{n}.py")}">'
                     f'{FAIL if place % count == i else ""}</testcase>' for place, n in enumerate(names)]
            path = self.write(f"r{i}.xml", suite(*cases, extra=f' timestamp="2026-08-01T00:{i:02d}:00Z"'))
            self.flakestat("ingest", "-q", path, "--commit", commit, "--branch", "main")

    def ci_report(self, *args, **kwargs):
        return self.flakestat("ci-report", "--branch", "main", "--default-branch", "main", *args, **kwargs)


class Dialects(CiReport):
    def setUp(self):
        super().setUp()
        self.flaky_suite(["a"])

    def test_an_empty_history_is_an_error(self):
        self.flakestat("ci-report", "--dir", "elsewhere", code=66)

    def test_the_ci_system_is_recognised(self):
        cases = {"github": ({"GITHUB_ACTIONS": "true"}, "::error file=t/a.py"),
                 "gitlab": ({"GITLAB_CI": "true"}, "### flakestat"),
                 "azure": ({"TF_BUILD": "True"}, "##vso[task.logissue type=error;sourcepath=t/a.py]newly flaky"),
                 "teamcity": ({"TEAMCITY_VERSION": "2026.1"}, "##teamcity[message text='newly flaky test: C::a"),
                 "buildkite": ({"BUILDKITE": "true"}, "### flakestat")}
        for system, (env, expected) in cases.items():
            said = self.ci_report(f"--{system}")
            self.assertIn(expected, said)
            self.assertEqual(said, self.ci_report("--format", system))
            self.assertEqual(said, self.ci_report(env=env), system)
        self.assertTrue(self.ci_report().startswith("<!-- flakestat-report -->\n"))
        self.ci_report("--github", "--azure", code=64)
        self.ci_report("--github", "--format", "json", code=64)

    def test_it_says_what_check_says(self):
        found = json.loads(self.ci_report("--format", "json"))
        self.assertEqual(found, json.loads(self.flakestat("check", "--format", "json", "--branch", "main",
                                                          "--default-branch", "main", code=1)))
        self.flakestat("check", "--update-baseline", "--default-branch", "main")
        self.assertIn("gate: passed", self.ci_report())

    def test_markdown_is_written_and_appended_whole(self):
        summary = self.write("summary.md", "before\n")
        out = self.ci_report("--github", "--output", "out/report.md",
                             env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary})
        written = (self.root / "out/report.md").read_text()
        self.assertTrue(out.startswith(written))
        self.assertEqual(pathlib.Path(summary).read_text(), "before\n\n" + written)
        self.assertNotIn("::error", written)

    def test_azure_uploads_only_a_file_that_was_written(self):
        self.assertNotIn("uploadsummary", self.ci_report("--azure"))
        out = self.ci_report("--azure", "--output", "r.md")
        self.assertIn(f"##vso[task.uploadsummary]{self.root}/r.md\n", out)
        self.assertTrue((self.root / "r.md").exists())

    def test_gitlab_writes_code_quality(self):
        self.ci_report("--gitlab", "--code-quality", "q.json")
        self.assertEqual(json.loads((self.root / "q.json").read_text())[0]["check_name"], "flakestat/new")

    def test_fixed_tests_are_folded(self):
        for i in range(8):
            path = self.write("p.xml", suite('<testcase classname="C" name="z"/>', extra=f' timestamp="2026-09-01T0{i}:00:00Z"'))
            self.flakestat("ingest", "-q", path, "--commit", f"d{i}", "--branch", "main")
        self.flakestat("check", "--update-baseline", "--default-branch", "main")
        baseline = json.loads((self.root / ".flakestat/baseline.json").read_text())
        baseline["tests"][self.result("z")["test_id"]] = {"name": "z", "suite": "s", "class": "C", "verdict": "flaky",
                                                          "score": 0.5}
        self.write(".flakestat/baseline.json", json.dumps(baseline))
        out = self.ci_report()
        self.assertRegex(out, r"(?s)<details><summary>1 fixed test</summary>.*`C::z`.*</details>")
        self.assertIn("nothing new, nothing worse", out)

    def test_an_outage_is_said_in_every_dialect(self):
        for run in range(14):
            body = FAIL if run == 13 else ""
            cases = [f'<testcase classname="D" name="t{i}">{body}</testcase>' for i in range(30)]
            path = self.write("o.xml", suite(*cases, extra=f' timestamp="2026-09-01T{run:02d}:00:00Z"'))
            self.flakestat("ingest", "-q", path, "--commit", f"e{run}", "--branch", "main")
        self.flakestat("check", "--update-baseline", "--default-branch", "main")
        for form in ("markdown", "github", "gitlab", "azure", "teamcity", "buildkite"):
            out = self.ci_report("--format", form)
            self.assertRegex(out, "30 of 30 tests failed: an outage", form)
            self.assertIn("gate: undecided", out)

    def test_rows_are_bounded(self):
        self.flaky_suite([f"n{i}" for i in range(50)], commit="d")
        out = self.ci_report("--max-rows", "5")
        self.assertEqual(len(re.findall(r"^\| new \|", out, re.M)), 5)
        self.assertIn("46 more newly flaky", out)


class HostileNames(CiReport):
    def setUp(self):
        super().setUp()
        self.flaky_suite(HOSTILE)

    def assert_harmless(self, out, ours):
        """No line of a CI system's commands but ours, no control character, no broken UTF-8."""
        for line in out.split("\n"):
            self.assertNotRegex(line, "[\x00-\x08\x0b-\x1f\x7f\u202e]")
            for command in re.findall(r"##[A-Za-z]*\[[a-z.A-Z]*|^::[a-z]+", line):
                self.assertIn(command, ours, line[:300])

    def test_markdown(self):
        for form in ("markdown", "gitlab", "buildkite"):
            out = self.ci_report("--format", form)
            self.assert_harmless(out, [])
            self.assertLess(len(out.encode()), 61000)
            for line in out.splitlines():
                if line.startswith("| new"):
                    self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), 6, line[:200])
            outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", out)
            self.assertNotIn("<script>", outside)
            self.assertEqual(outside.count("<details>"), outside.count("</details>"))

    def test_github(self):
        summary = self.write("s.md", "")
        out = self.ci_report("--github", env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary})
        self.assert_harmless(out, ["::error"])
        for line in out.splitlines():
            if line.startswith("::error"):
                self.assertRegex(line, r"^::error file=[^:,]*,title=flakestat::newly flaky test: ")

    def test_azure(self):
        out = self.ci_report("--azure")
        self.assert_harmless(out, ["##vso[task.logissue"])
        self.assertEqual({line[:7] for line in out.splitlines()}, {"##vso[t"})

    def test_teamcity(self):
        out = self.ci_report("--teamcity")
        self.assert_harmless(out, ["##teamcity[message", "##teamcity[buildStatisticValue", "##teamcity[buildStatus"])
        value = r"(?:[^'|\[\]\n]|\|['|nr\[\]]|\|0x[0-9a-f]{4})*"
        for line in out.splitlines():
            self.assertRegex(line, rf"^##teamcity\[[A-Za-z]+( [a-z]+='{value}')+\]$")
            self.assertTrue(line.isascii())

    def test_check(self):
        for form in ("table", "github", "markdown"):
            out = self.flakestat("check", "--format", form, "--branch", "main", code=1)
            self.assert_harmless(out, ["::error"] if form == "github" else [])

    def test_code_quality(self):
        out = self.flakestat("check", "--format", "gitlab", "--branch", "main", code=1)
        self.assertNotRegex(out, "[\x00-\x08\x0b-\x1f\x7f\u202e]")
        self.assertEqual(len({entry["fingerprint"] for entry in json.loads(out)}), len(HOSTILE) - 1)

    def test_the_baseline_keeps_every_name(self):
        self.flakestat("check", "--update-baseline", "--branch", "main")
        kept = json.loads((self.root / ".flakestat/baseline.json").read_text())["tests"].values()
        self.assertEqual(len(kept), len(HOSTILE) - 1)
        self.assertIn("long_" + "x" * 10000, [test["name"] for test in kept])
        self.flakestat("check", "--branch", "main")


if __name__ == "__main__":
    main()
