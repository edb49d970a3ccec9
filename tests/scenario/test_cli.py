"""The command line: help, versions, errors and their exit codes."""
import json
import os
import subprocess

from _scenario import BINARY, Scenario, case, main, suite


class CommandLine(Scenario):
    def test_version_names_version_commit_and_compiler(self):
        self.assertRegex(self.flakestat("--version"), r"^flakestat \d+\.\d+\.\d+ \([0-9a-f]+|unknown, .+\)$")

    def test_help_everywhere_with_an_example(self):
        self.assertIn("hunt", self.flakestat("-h"))
        for command in ("inspect", "ingest", "report", "hunt"):
            self.assertIn("Example", self.flakestat(command, "-h"))

    def test_no_command_is_a_usage_error_with_help(self):
        self.flakestat(code=64)

    def test_unknown_flag_and_command_are_usage_errors(self):
        self.flakestat("report", "--nonsense", code=64)
        self.assertIn("--nonsense", self.talk)
        self.flakestat("reprot", code=64)
        self.assertIn("report", self.talk)

    def test_flag_forms_with_and_without_equals(self):
        self.write("a.xml", suite(case()))
        self.flakestat("ingest", "--dir=x", "a.xml")
        self.flakestat("ingest", "--dir", "x", "a.xml")

    def test_inspect_prints_what_the_reader_sees(self):
        self.write("a.xml", suite(case("one"), case("two", "<skipped/>")))
        document = self.json("inspect", "a.xml")
        self.assertEqual(document["files"][0]["counts"],
                         {"tests": 2, "passed": 1, "failures": 0, "errors": 0, "skipped": 1, "known_flaky": 0})
        self.assertEqual([c["name"] for c in document["files"][0]["cases"]], ["one", "two"])
        self.assertNotIn("cases", self.json("inspect", "--counts", "a.xml")["files"][0])

    def test_inspect_exits_65_after_printing_the_rest(self):
        self.write("a.xml", suite(case("one")))
        self.write("b.xml", "nothing")
        document = self.json("inspect", "b.xml", "a.xml", code=65)
        self.assertEqual(len(document["files"]), 2)
        self.assertIn("error", document["files"][0])

    def test_config_is_found_upward_and_flags_win(self):
        self.write(".flakestat.json", '{"version":1,"dir":"from-config"}')
        self.write("sub/a.xml", suite(case()))
        self.flakestat("ingest", "a.xml", cwd=self.root / "sub")
        self.assertEqual(len(self.log("from-config")), 1)
        self.flakestat("ingest", "sub/a.xml", "--dir", "from-flag")
        self.assertEqual(len(self.log("from-flag")), 1)
        self.flakestat("ingest", "sub/a.xml", env={"FLAKESTAT_DIR": "from-env"})
        self.assertEqual(len(self.log("from-env")), 1)

    def test_unknown_config_key_names_the_nearest(self):
        self.write(".flakestat.json", '{"version":1,"comand":["x"]}')
        self.flakestat("report", code=78)
        self.assertIn("command", self.talk)

    def test_unknown_own_variable_warns(self):
        self.flakestat("report", env={"FLAKESTAT_DRI": "x"})
        self.assertIn("FLAKESTAT_DRI", self.talk)

    def test_closed_stdout_is_no_crash(self):
        self.write("a.xml", suite(*[case(f"t{i}") for i in range(5000)]))
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([BINARY, "inspect", "a.xml"], cwd=self.root, env=self.env, stdout=write,
                              stderr=subprocess.PIPE, timeout=60)
        os.close(write)
        self.assertEqual(done.returncode, 74)

    def test_a_document_for_closed_streams_is_an_error_and_lands_in_no_file(self):
        ended = subprocess.run(["sh", "-c", 'exec "$0" hunt --runs 2 --format json -- true 0<&- 1>&- 2>&-', BINARY],
                               cwd=self.root, env=self.env, timeout=60)
        self.assertEqual(ended.returncode, 74)
        log = (self.root / ".flakestat/runs.ndjson").read_text().splitlines()
        self.assertEqual([json.loads(line)["attempt"] for line in log], [1, 2])

    def test_control_characters_never_reach_the_output(self):
        self.write("a.xml", suite(case("evil&#x1b;[2J|`name`", "<failure message='&#x9b;31m'/>")))
        for form in ("text", "json"):
            out = self.run_raw("inspect", "a.xml", "--format", form).stdout
            self.assertNotIn(b"\x1b", out)
            self.assertNotIn("\u009b".encode(), out)


if __name__ == "__main__":
    main()
