"""`flakestat init` from outside: what it writes is what the other commands use."""
import json
import subprocess

from _scenario import Scenario, main


class Init(Scenario):
    def test_what_it_writes_is_what_hunt_runs(self):
        # A stand-in for pytest that keeps its arguments: the words arrive as written, without a shell.
        self.write("python", "#!/bin/sh\nprintf '%s\\n' \"$@\" >>arguments\nfor word; do case $word in\n"
                   "--junitxml=*) echo '<testsuite name=\"s\"><testcase name=\"t\"/></testsuite>' >\"${word#*=}\" ;;\n"
                   "esac; done\n")
        (self.root / "python").chmod(0o755)
        self.write("pytest.ini", "")
        self.env["PATH"] = f"{self.root}:{self.env['PATH']}"
        self.flakestat("init")
        self.flakestat("hunt", "--runs", "2")
        words = (self.root / "arguments").read_text().splitlines()
        self.assertIn(f"--junitxml={self.root}/.flakestat/reports/run-2.xml", words)
        self.assertIn("junit_family=xunit1", words)

    def test_a_config_is_never_overwritten_without_force(self):
        self.write("pytest.ini", "")
        self.write(".flakestat.json", "mine")
        self.flakestat("init", code=64)
        self.assertIn("--force", self.talk)
        self.assertEqual((self.root / ".flakestat.json").read_text(), "mine")
        self.flakestat("init", "--force")
        self.assertEqual(json.loads((self.root / ".flakestat.json").read_text())["version"], 1)

    def test_the_dry_run_writes_nothing(self):
        self.write("pytest.ini", "")
        self.assertIn('"command": [', self.flakestat("init", "--dry-run"))
        self.assertEqual([path.name for path in self.root.iterdir()], ["pytest.ini"])

    def test_git_sees_only_what_a_team_shares(self):
        self.git("init", "-q")
        self.write("pytest.ini", "")
        self.flakestat("init")
        self.write(".flakestat/runs.ndjson", "")
        self.write(".flakestat/index/x", "")
        self.write(".flakestat/reports/run-1.xml", "")
        for shared in ("baseline.json", "quarantine.txt"):
            self.write(f".flakestat/{shared}", "")
        listed = self.git("status", "--porcelain", "--untracked-files=all").splitlines()
        self.assertEqual(listed, ["?? .flakestat.json", "?? .flakestat/.gitignore", "?? .flakestat/baseline.json",
                                  "?? .flakestat/quarantine.txt", "?? pytest.ini"])
        (self.root / ".flakestat/.gitignore").unlink()
        self.flakestat("init", "--force", "--gitignore")
        listed = self.git("status", "--porcelain", "--untracked-files=all").splitlines()
        self.assertEqual(listed, ["?? .flakestat.json", "?? .flakestat/baseline.json", "?? .flakestat/quarantine.txt",
                                  "?? .gitignore", "?? pytest.ini"])

    def test_no_framework_is_an_error_that_names_the_known_ones(self):
        self.flakestat("init", code=66)
        self.assertIn("pytest, unittest, go", self.talk)

    def test_an_unknown_framework_is_a_usage_error(self):
        self.flakestat("init", "--framework", "karma", code=64)

    def test_a_file_that_cannot_be_written_is_an_io_error(self):
        self.write("pytest.ini", "")
        self.write(".flakestat", "a file where the folder should be")
        self.flakestat("init", code=74)
        self.assertFalse((self.root / ".flakestat.json").exists())

    def test_hostile_trees_end_in_time(self):
        # Named pipes where files are expected, and folders without end.
        subprocess.run(["mkfifo", self.root / "package.json", self.root / "go.mod"], check=True)
        self.write("/".join(["d"] * 200) + "/pytest.ini", "")
        self.write("web/package.json", "[" * 100_000)
        for number in range(300):
            self.write(f"many/{number}/package.json", '{"scripts": {"test": "\\u001b[31m"}}')
        self.flakestat("init", code=66)
        self.assertIn("not every folder was looked into", self.talk)
        self.assertNotIn("\x1b", self.talk)


if __name__ == "__main__":
    main()
