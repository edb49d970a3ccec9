// Values for the tests of this layer: a small history with every verdict, and names that want to break the output.
#pragma once

#include <string>
#include <vector>

#include "model/identity.hpp"
#include "model/test_score.hpp"
#include "report/hunt.hpp"
#include "report/ingest.hpp"
#include "report/init.hpp"
#include "report/inspect.hpp"
#include "stats/scoring.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::report::samples {

inline constexpr UnixMillis kDay1 = 1'781'000'000'000;  // 2026-06-09T10:13:20Z

inline TestScore score(std::string suite, std::string class_name, std::string name, Verdict verdict) {
  TestScore test;
  test.test_id = test_id(suite, class_name, name);
  test.family_id = family_id(suite, class_name, name);
  test.suite = std::move(suite);
  test.class_name = std::move(class_name);
  test.name = std::move(name);
  test.verdict = verdict;
  test.first_seen = kDay1;
  test.last_seen = kDay1 + 3'600'000;
  test.commits = 1;
  test.branches = 1;
  return test;
}

inline TestScore with_runs(TestScore test, std::uint32_t passes, std::uint32_t fails) {
  test.runs = passes + fails;
  test.passes = passes;
  test.fails = fails;
  if (fails > 0) test.last_failure = kDay1 + 1000;
  return test;
}

inline TestScore flaky(std::string name, double value, double lower, std::uint32_t passes, std::uint32_t fails) {
  auto test = with_runs(score("pytest", "tests.api.TestAuth", std::move(name), Verdict::flaky), passes, fails);
  test.score = value;
  test.lower_bound = lower;
  test.p_flaky = 0.9997;
  test.confidence = Confidence::high;
  test.rate = value / 2;
  test.proofs = 1;
  test.proof_run_ids = {"20260609T101320-9f2ac1"};
  return test;
}

inline TestScore stable(std::string name, std::uint32_t clean) {
  auto test = with_runs(score("pytest", "tests.api.TestAuth", std::move(name), Verdict::stable), clean, 0);
  test.clean_runs = clean;
  test.score = 0.0002;
  test.p_flaky = 0.0167;
  test.ruled_out_above = 0.139;
  return test;
}

inline TestScore broken(std::string name, std::uint32_t fails) {
  auto test = with_runs(score("pytest", "tests.api.TestPay", std::move(name), Verdict::consistently_failing), 0, fails);
  test.p_broken = 0.999;
  test.broken_lanes = {"main os=linux"};
  test.confidence = Confidence::medium;
  return test;
}

/// One test of every verdict, worst first.
inline stats::Scores every_verdict() {
  stats::Scores scores;
  auto known = flaky("test_login[oauth]", 0.32, 0.104, 80, 20);
  known.known_flaky = true;
  auto fixed = flaky("test_token", 0.021, 0.0004, 99, 1);
  fixed.possibly_fixed = true;
  auto suspect = with_runs(score("pytest", "tests.api.TestAuth", "test_refresh", Verdict::suspect), 18, 2);
  suspect.score = 0.087;
  suspect.p_flaky = 0.61;
  auto young = with_runs(score("pytest", "tests.api.TestAuth", "test_new", Verdict::insufficient_data), 2, 0);
  auto skipped = score("pytest", "tests.api.TestAuth", "test_windows", Verdict::always_skipped);
  skipped.skips = 20;
  scores.tests = {known, fixed, suspect, broken("test_charge", 20), young, skipped, stable("test_logout", 20)};
  scores.observations = 262;
  scores.break_rate = 0.003;
  return scores;
}

/// Flaky tests whose names attack terminals, tables, markup and the eye.
using text::hostile_names;

inline stats::Scores hostile() {
  stats::Scores scores;
  double value = 0.5;
  for (const auto& name : hostile_names()) scores.tests.push_back(flaky(name, value -= 0.02, 0.01, 19, 1));
  scores.outages = {{"run \x1b[2J|`x`\nid", kDay1, 50, 40, 0.8}};
  return scores;
}

// One framework in each state, with something missing, noted and written beside.
inline InitOutcome init() {
  InitOutcome outcome;
  outcome.directory = "/project";
  InitFramework go{"go",
                   "",
                   "go.mod",
                   {"gotestsum", "--junitfile={junit}", "--", "-count=1", "./..."},
                   ".flakestat/reports/run-{run}.xml",
                   {},
                   {"a note"},
                   ".flakestat.json",
                   ConfigState::written,
                   ""};
  InitFramework jest{"jest",
                     "web",
                     "web/package.json",
                     {"env", "A= > ", "npx", "jest"},
                     ".flakestat/reports/run-{run}.xml",
                     {{"jest-junit is not installed", "npm install --save-dev jest-junit"}},
                     {},
                     "web/.flakestat.json",
                     ConfigState::not_chosen,
                     ""};
  auto bats = go;
  bats.framework = "bats";
  bats.state = ConfigState::not_chosen;
  auto cargo = go;
  cargo.framework = "cargo";
  cargo.junit = "";
  cargo.folder = "tool";
  cargo.config = "tool/.flakestat.json";
  cargo.state = ConfigState::kept;
  auto ctest = jest;
  ctest.framework = "ctest";
  ctest.command.clear();
  ctest.state = ConfigState::no_command;
  outcome.frameworks = {go, bats, cargo, jest, ctest};
  outcome.files = {".flakestat/nextest.toml"};
  outcome.ignore_file = ".flakestat/.gitignore";
  outcome.ignore_lines = {"*", "!baseline.json"};
  outcome.notes = {"\"package.json\" is not valid JSON"};
  return outcome;
}

inline InitOutcome init_dry() {
  auto outcome = init();
  outcome.dry_run = true;
  outcome.frameworks = {outcome.frameworks.front()};
  outcome.frameworks.front().state = ConfigState::shown;
  outcome.frameworks.front().content = init_config({{"a"}, "b", "", ""});
  return outcome;
}

// Every foreign text is `name`.
inline InitOutcome init_hostile(const std::string& name) {
  InitOutcome outcome;
  outcome.directory = name;
  outcome.frameworks = {
      {"go", name, name, {name, name}, name, {{name, name}}, {name}, name, ConfigState::written, name}};
  outcome.files = outcome.ignore_lines = outcome.notes = {name};
  outcome.ignore_file = name;
  return outcome;
}

inline std::vector<Case> cases() {
  Case passed;
  passed.suite = "pytest";
  passed.class_name = "tests.test_auth.TestAuth";
  passed.name = "test_login[oauth]";
  passed.duration_ms = 412.5;
  Case failed = passed;
  failed.name = "test_\x1b[31m|日本";
  failed.status = Status::fail;
  failed.duration_ms.reset();
  failed.file = "tests/test_auth.py";
  failed.line = 12;
  failed.message = "AssertionError: 1 != 2 \xE2\x80\xAE";
  Case lucky = passed;
  lucky.name = "test_retry";
  lucky.duration_ms = 61'000;
  lucky.known_flaky = true;
  return {passed, failed, lucky};
}

inline InspectOutcome outcome() {
  InspectOutcome outcome;
  outcome.counts = {.tests = 3, .passed = 2, .failures = 1, .errors = 0, .skipped = 0, .known_flaky = 1};
  outcome.encoding = "UTF-8";
  return outcome;
}

/// A whole report, a damaged one and a file that is none, through a writer.
inline void inspect_all(InspectWriter& writer) {
  writer.begin_file("good.xml");
  for (const auto& found : cases()) writer.add_case(found);
  writer.end_file(outcome());
  writer.begin_file("cut \x1b[2J.xml");
  writer.add_case(cases().front());
  auto cut = outcome();
  cut.counts = {.tests = 1, .passed = 1, .failures = 0, .errors = 0, .skipped = 0, .known_flaky = 0};
  cut.damage = formats::Damage{2048, 17, "unclosed <testcase>"};
  writer.end_file(cut);
  writer.begin_file("pom.xml");
  InspectOutcome none;
  none.error = "no JUnit report: the root is <project>";
  writer.end_file(none);
  writer.finish();
}

inline IngestSummary ingest() {
  IngestSummary summary;
  summary.files = 3;
  summary.counts = {.tests = 120, .passed = 110, .failures = 5, .errors = 1, .skipped = 4, .known_flaky = 2};
  summary.stored = 101;
  summary.duplicates = 21;
  summary.damaged = {{"out/cut.xml", {2048, 17, "unclosed <testcase>"}, 3}};
  summary.rejected = {{"pom.xml", "no JUnit report: the root is <project>"}};
  summary.ignored = {{"target/failsafe-summary.xml", "root <failsafe-summary> \x1b[2J"}};
  summary.run_id = "20260609T101320-9f2ac1";
  return summary;
}

inline HuntRun run(int number, int code) {
  HuntRun run;
  run.run = number;
  run.code = code;
  run.started = kDay1 + std::int64_t{3000} * number;
  run.wall_ms = 2900;
  run.counts = {.tests = 7, .passed = 6, .failures = 1, .errors = 0, .skipped = 0, .known_flaky = 0};
  return run;
}

inline HuntedTest hunted(std::string name, std::uint64_t passes, std::uint64_t fails, HuntStanding standing,
                         int more_runs = 0) {
  HuntedTest test;
  test.suite = "pytest";
  test.class_name = "tests.api.TestAuth";
  test.name = std::move(name);
  test.test_id = test_id(test.suite, test.class_name, test.name);
  test.passes = passes;
  test.fails = fails;
  test.standing = standing;
  test.more_runs = more_runs;
  return test;
}

/// --settle --rule-out 0.05 that ran out of time: something of everything.
inline HuntGoal settling() {
  HuntGoal goal;
  goal.runs = 59;
  goal.rule_out = 0.05;
  goal.settle = true;
  goal.any_stop = true;
  goal.out_of_time = true;
  goal.max_time_ms = 600'000;
  goal.selecting = "pytest";
  goal.narrowed_runs = 40;
  goal.tests = {
      hunted("test_charge", 0, 14, HuntStanding::broken),    hunted("test_login[oauth]", 6, 1, HuntStanding::disagreed),
      hunted("test_logout", 59, 0, HuntStanding::clean),     hunted("test_new \x1b[2J", 0, 4, HuntStanding::open, 10),
      hunted("test_refresh", 41, 0, HuntStanding::open, 18), hunted("test_token", 60, 0, HuntStanding::clean),
      hunted("test_user", 1, 3, HuntStanding::disagreed)};
  return goal;
}

inline HuntSummary hunt() {
  HuntSummary hunt;
  hunt.run_id = "20260609T101320-9f2ac1";
  hunt.command = {"pytest", "-q", "-k", "not slow"};
  hunt.planned_runs = hunt.goal.runs = 8;
  hunt.wall_ms = 184'000;
  hunt.stored = 56;
  for (int number = 1; number <= 8; ++number) hunt.runs.push_back(run(number, number % 2));
  hunt.runs[2].end = hunt.runs[3].end = HuntEnd::timed_out;
  hunt.runs[5].end = HuntEnd::signalled;
  hunt.runs[5].code = 9;
  hunt.runs[5].report_problem = "out.xml was written before the run";
  hunt.runs[6].leaked = {"sleep 600", "evil \x1b[2J"};
  hunt.warnings = {"run 6 \x1b[31mexited with 1 without a failing case"};
  return hunt;
}

}  // namespace flakestat::report::samples
