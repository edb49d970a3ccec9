"""config: every setting in force, and who said it."""
import json

from _scenario import Scenario, main


class Config(Scenario):
    def rows(self, *args, **kwargs):
        document = self.json("config", *args, **kwargs)
        rows = {row["key"]: row for row in document["settings"]}
        self.assertEqual(len(rows), len(document["settings"]))
        return document["file"], rows

    def test_without_a_file_everything_is_a_default(self):
        file, rows = self.rows()
        self.assertIsNone(file)
        self.assertEqual({row["origin"] for row in rows.values()}, {"default"})
        self.assertEqual(rows["dir"]["value"], ".flakestat")
        self.assertEqual(rows["runs"]["value"], 20)
        self.assertEqual(rows["scoring.model"]["value"], "bayes")
        self.assertEqual(rows["scoring.min_runs"]["value"], 5)
        self.assertEqual(rows["scoring.break_rate"]["value"], "auto")
        self.assertEqual(rows["scoring.enter"]["value"], 0.95)
        self.assertEqual(rows["scoring.alpha"]["value"], 0.3)
        self.assertEqual(rows["scoring.same_code_window"]["value"], "24h")
        self.assertEqual(rows["context.keys"]["value"], [])
        self.assertIsNone(rows["command"]["value"])
        self.assertIsNone(rows["default_branch"]["value"])
        self.assertIn(".flakestat.json", self.talk)

    def test_flags_beat_variables_beat_the_file_beat_defaults(self):
        path = self.write(".flakestat.json", '{"version":1,"runs":25,"command":"pytest -k \'a b\'","dir":"state",'
                          '"scoring":{"min_runs":6,"enter":0.9,"ewma_alpha":0.4},"context":{"keys":["db"]}}')
        file, rows = self.rows("--min-runs", "9", "--context-ignore", "os", cwd=self.root,
                               env={"FLAKESTAT_ENTER": "0.8", "FLAKESTAT_MIN_RUNS": "7"})
        self.assertEqual(file, path)
        for key, value, origin, source in (
                ("runs", 25, "file", path), ("command", ["pytest", "-k", "a b"], "file", path), ("dir", "state", "file", path),
                ("scoring.min_runs", 9, "flag", "--min-runs"), ("scoring.enter", 0.8, "variable", "FLAKESTAT_ENTER"),
                ("scoring.alpha", 0.4, "file", path), ("scoring.leave", 0.5, "default", None),
                ("context.keys", ["db"], "file", path), ("context.ignore", ["os"], "flag", "--context-ignore")):
            self.assertEqual(rows[key], {"key": key, "value": value, "origin": origin, "from": source})

    def test_the_directory_shown_is_the_one_used(self):
        self.write(".flakestat.json", '{"version":1,"dir":"state"}')
        (self.root / "sub").mkdir()
        rows = self.rows(cwd=self.root / "sub")[1]
        self.assertEqual(rows["dir"]["value"], str(self.root / "state"))
        self.assertEqual(self.rows("--dir", "x")[1]["dir"]["from"], "--dir")

    def test_the_default_branch_is_detected(self):
        self.git("init", "-q", "-b", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        row = self.rows()[1]["default_branch"]
        self.assertEqual((row["value"], row["origin"]), ("main", "detected"))
        row = self.rows("--default-branch", "trunk")[1]["default_branch"]
        self.assertEqual((row["value"], row["from"]), ("trunk", "--default-branch"))

    def test_the_threshold_limits_rows_only_when_asked_under_bayes(self):
        self.assertIsNone(self.rows()[1]["scoring.threshold"]["value"])
        self.assertEqual(self.rows("--threshold", "0.2")[1]["scoring.threshold"]["value"], 0.2)
        self.assertEqual(self.rows("--model", "flip-rate")[1]["scoring.threshold"]["value"], 0.1)

    def test_every_scoring_setting_is_a_flag_of_report(self):
        help_text = self.flakestat("report", "-h")
        for key in self.rows()[1]:
            section, _, name = key.rpartition(".")
            if section == "scoring":
                self.assertIn("--" + name.replace("_", "-"), help_text)

    def test_every_setting_that_the_file_takes_is_listed(self):
        self.write(".flakestat.json", '{"version":1,"xyzzyplugh":1}')
        self.flakestat("config", code=78)
        known = self.talk.split("known are ")[1].split("\n")[0].split(", ")
        (self.root / ".flakestat.json").unlink()
        rows = self.rows()[1]
        for name in known:
            self.assertTrue(name in rows or name in ("version", "thresholds", "sanitise")
                            or any(key.startswith(name + ".") for key in rows), name)

    def test_what_a_run_takes_is_listed(self):
        path = self.write(".flakestat.json", '{"run":{"workers":4,"reruns":2,"fail_on_flaky":true,"only_rerun":["Time"]}}')
        rows = self.rows(cwd=self.root, env={"FLAKESTAT_RERUNS": "0", "FLAKESTAT_FAIL_ON_FLAKY": "false"})[1]
        for key, value, origin, source in (
                ("run.workers", "4", "file", path), ("run.reruns", 0, "variable", "FLAKESTAT_RERUNS"),
                ("run.fail_on_flaky", False, "variable", "FLAKESTAT_FAIL_ON_FLAKY"), ("run.only_rerun", ["Time"], "file", path),
                ("run.rerun_breaker", 10, "default", None), ("run.output", None, "default", None)):
            self.assertEqual(rows[key], {"key": key, "value": value, "origin": origin, "from": source})

    def test_every_setting_of_run_is_a_flag_of_run(self):
        help_text = self.flakestat("run", "-h")
        for key in self.rows()[1]:
            section, _, name = key.rpartition(".")
            if section == "run":
                self.assertIn("--" + name.replace("_", "-"), help_text)

    def test_a_run_takes_its_settings_from_flag_variable_and_file(self):
        self.write(".flakestat.json", json.dumps({"command": ["sh", "-c", "exit 1"], "run": {
            "reruns": 3, "junitxml": "out/run.xml", "output": "tap", "dist": "loadfile", "worker_timeout": "9m"}}))
        (self.root / "sub").mkdir()

        def attempts(*args, **kwargs):
            (self.root / "out/run.xml").unlink(missing_ok=True)
            out = self.flakestat("run", *args, code=1, cwd=self.root / "sub", **kwargs)
            self.assertIn("TAP version 14", out)
            return (self.root / "out/run.xml").read_text().count("<rerunFailure") + 1
        self.assertEqual(attempts(), 4)
        self.assertEqual(attempts(env={"FLAKESTAT_RERUNS": "1"}), 2)
        self.assertEqual(attempts("--reruns", "0", env={"FLAKESTAT_RERUNS": "1"}), 1)

    def test_a_pattern_of_the_file_that_cannot_be_read_is_a_config_error(self):
        self.write(".flakestat.json", '{"command":"true","run":{"only_rerun":["("]}}')
        self.flakestat("run", code=78)
        self.assertIn("run.only_rerun", self.talk)

    def test_the_table_is_plain_text(self):
        self.write(".flakestat.json", '{"version":1,"junit":"a\\u001b[31m.xml"}')
        out = self.flakestat("config", env={"FLAKESTAT_RUNS": "7"})
        self.assertRegex(out, r"(?m)^runs +7 +FLAKESTAT_RUNS$")
        self.assertRegex(out, r"(?m)^scoring\.min_runs +5 +default$")
        self.assertNotIn("\x1b", out)

    def test_a_broken_file_is_a_config_error(self):
        self.write(".flakestat.json", '{"runs":"many"}')
        self.flakestat("config", code=78)


if __name__ == "__main__":
    main()
