"""What the real binary prints as JSON is valid by the schemas in docs/schema."""
import json
import os
import pathlib
import sys

from _scenario import FAIL, Scenario, case, main, suite

SCHEMAS = pathlib.Path(os.environ["FLAKESTAT_SOURCE_DIR"]) / "docs/schema"

try:
    import jsonschema
except ImportError:
    jsonschema = None


class Documents(Scenario):
    def setUp(self):
        super().setUp()
        if jsonschema is None:
            self.skipTest("python3-jsonschema is not installed")
        flaky = case("f", '<flakyFailure message="x">x</flakyFailure>')
        self.write("good.xml", suite(case("a"), case("b", FAIL), case("c", "<skipped/>"), flaky,
                                     extra=' timestamp="2026-08-17T10:00:00Z"'))
        self.write("cut.xml", suite(case("a"), case("b"))[:-30])
        self.write("bad.xml", "<html/>")
        self.write("reports/coverage.xml", "<coverage/>")
        self.write("reports/TEST-a.xml", suite(case("z")))

    def check(self, name, text):
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(json.loads(text))

    def test_inspect(self):
        for flags in ([], ["--counts"]):
            self.check("inspect", self.flakestat("inspect", "--format", "json", *flags, "good.xml", "cut.xml", "bad.xml",
                                                 code=65))

    def test_ingest(self):
        self.check("ingest", self.flakestat("ingest", "--format", "json", "good.xml", "cut.xml", "bad.xml",
                                            "reports/*.xml", code=65))

    def test_report(self):
        self.flakestat("ingest", "good.xml", "--commit", "c1", "--branch", "main")
        for flags in ([], ["--all"], ["--family", "--all"], ["--model", "flip-rate", "--all"], ["--top", "1"]):
            self.check("report", self.flakestat("report", "--format", "json", *flags))

    def test_report_of_nothing(self):
        self.check("report", self.flakestat("report", "--format", "json"))

    def test_compact(self):
        self.flakestat("ingest", "good.xml")
        for flags in ([], ["--dry-run"]):
            self.check("compact", self.flakestat("compact", "--format", "json", *flags))

    def test_config(self):
        self.write(".flakestat.json", '{"version":1,"command":["a","b"],"timeout":"90s"}')
        self.check("config", self.flakestat("config", "--format", "json"))

    def test_check(self):
        for i in range(8):
            body = FAIL if i % 2 else ""
            path = self.write(f"h{i}.xml", suite(case("a"), case("w", body, extra=' file="t.py"'),
                                                 extra=f' timestamp="2026-08-17T{i:02d}:00:00Z"'))
            self.flakestat("ingest", path, "--commit", "c1", "--branch", "main")
        for flags in ([], ["--new-tests", "3"], ["--model", "flip-rate"], ["--expect", "9"]):
            self.check("check", self.flakestat("check", "--format", "json", *flags, code=1))
        self.check("baseline-update", self.flakestat("check", "--update-baseline", "--format", "json"))
        self.check("baseline", (self.root / ".flakestat/baseline.json").read_text())
        self.check("check", self.flakestat("check", "--format", "json"))

    def test_init(self):
        self.write("pytest.ini", "")
        self.write("web/package.json", '{"jest": {}}')
        for flags in (["--dry-run", "--all"], [], ["--all", "--force"]):
            self.check("init", self.flakestat("init", "--format", "json", *flags))

    def test_hunt(self):
        script = "import os,sys; sys.exit(int(os.environ['FLAKESTAT_RUN']) % 2)"
        self.check("hunt", self.flakestat("hunt", "--format", "json", "--runs", "3", "--", sys.executable, "-c", script))


if __name__ == "__main__":
    main()
