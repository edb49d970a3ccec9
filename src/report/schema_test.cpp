// The documents against their published schemas, through Python's jsonschema (an implementation that is not ours).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "report/compact.hpp"
#include "report/config.hpp"
#include "report/explain_samples.hpp"
#include "report/gate_samples.hpp"
#include "report/hunt_events_samples.hpp"
#include "report/report.hpp"
#include "report/run_json.hpp"
#include "report/run_output.hpp"
#include "report/run_samples.hpp"
#include "report/samples.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::report {
namespace {

using testing::TempDir;

constexpr int kInvalid = 1;
constexpr int kValidatorMissing = 77;

std::string source(const std::string& path) { return std::string(FLAKESTAT_SOURCE_DIR) + "/" + path; }

class Schema : public ::testing::Test {
 protected:
  // Debian's Python first: there python3-jsonschema lives, also where another python3 leads the PATH.
  int validate(const std::string& schema, const std::vector<std::string>& documents) {
    std::string command = "PATH=/usr/bin:/bin:$PATH python3 '" + source("tools/validate_schema.py") + "' '" +
                          source("docs/schema/" + schema + ".schema.json") + "'";
    for (std::size_t i = 0; i < documents.size(); ++i) {
      command += " '" + dir.write(schema + std::to_string(i) + ".json", documents[i]) + "'";
    }
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  TempDir dir;
};

#define EXPECT_VALID(schema, ...)                                                                                \
  do {                                                                                                           \
    const int result = validate(schema, __VA_ARGS__);                                                            \
    if (result == kValidatorMissing) GTEST_SKIP() << "SKIPPED, NOT PASSED: python3-jsonschema is not installed"; \
    EXPECT_EQ(result, 0);                                                                                        \
  } while (false)

std::string inspected(bool counts_only, const std::function<void(InspectWriter&)>& fill) {
  std::string out;
  const auto writer = inspect_json([&out](std::string_view piece) { out += piece; }, {counts_only, {}});
  fill(*writer);
  return out;
}

ReportOptions with(bool all, bool by_family, stats::Model model) {
  ReportOptions options;
  options.all = all;
  options.by_family = by_family;
  options.model = model;
  return options;
}

TEST_F(Schema, Report) {
  const auto bayes = stats::Model::bayes;
  auto odd = samples::every_verdict();
  odd.tests.front().score = std::nan("");
  odd.tests.front().first_seen = 0;
  odd.outages = {{"r", 0, 50, 40, 0.8}};
  EXPECT_VALID("report",
               {report_json(samples::every_verdict(), with(true, false, bayes)),
                report_json(samples::every_verdict(), with(true, true, bayes)),
                report_json(samples::every_verdict(), with(false, false, stats::Model::flip_rate)),
                report_json(samples::hostile(), with(false, true, bayes)), report_json(odd, {}), report_json({}, {})});
}

TEST_F(Schema, Explain) {
  ExplainOptions cut;
  cut.history = 3;
  auto flip_rate = samples::explanation();
  flip_rate.model = stats::Model::flip_rate;
  EXPECT_VALID("explain", {explain_json(samples::explanation(), {}), explain_json(samples::explanation(), cut),
                           explain_json(flip_rate, {}), explain_json(Explanation{}, {}),
                           explain_json(samples::explanation("a\x1b[31m", "<b>\xFF"), {})});
}

TEST_F(Schema, Inspect) {
  const auto empty = [](InspectWriter& writer) { writer.finish(); };
  const auto huge = [](InspectWriter& writer) {
    auto found = samples::cases().front();
    found.message = std::string(5 << 20, 'm');
    writer.begin_file("huge.xml");
    writer.add_case(found);
    writer.add_case(found);
    writer.end_file(samples::outcome());
    writer.finish();
  };
  EXPECT_VALID("inspect", {inspected(false, samples::inspect_all), inspected(true, samples::inspect_all),
                           inspected(false, empty), inspected(false, huge)});
}

TEST_F(Schema, Init) {
  std::vector<std::string> documents{init_json(samples::init()), init_json(samples::init_dry()), init_json({})};
  for (const auto& name : samples::hostile_names()) documents.push_back(init_json(samples::init_hostile(name)));
  EXPECT_VALID("init", documents);
}

TEST_F(Schema, Ingest) { EXPECT_VALID("ingest", {ingest_json(samples::ingest()), ingest_json({})}); }

TEST_F(Schema, Compact) {
  CompactSummary summary;
  summary.lines = summary.kept = UINT64_MAX;
  summary.dry_run = true;
  EXPECT_VALID("compact", {compact_json({}), compact_json(summary)});
}

TEST_F(Schema, Ledger) {
  const auto golden = [](const std::string& name) { return testing::slurp(source("tests/golden/ledger/" + name)); };
  EXPECT_VALID("ledger", {golden("show.json")});
  EXPECT_VALID("ledger-change", {golden("change.json")});
}

TEST_F(Schema, Config) {
  ConfigDocument document;
  document.file = "f";
  document.rows = {{"a", std::monostate{}, ConfigOrigin::default_value, ""},
                   {"b", std::string("x"), ConfigOrigin::file, "f"},
                   {"c", std::int64_t{1}, ConfigOrigin::variable, "V"},
                   {"d", 0.5, ConfigOrigin::flag, "--d"},
                   {"e", std::vector<std::string>{"x", "y"}, ConfigOrigin::detected, ""}};
  EXPECT_VALID("config", {config_json({}), config_json(document)});
}

TEST_F(Schema, Hunt) {
  auto stopped = samples::hunt();
  auto settled = samples::hunt();
  settled.goal = samples::settling();
  stopped.interrupted = true;
  stopped.again = {{3, "a\x1b", "flakestat hunt --replay r:3"}};
  stopped.kept = KeptFailure{3, ".flakestat/failures/r-run-3"};
  EXPECT_VALID("hunt", {hunt_json(samples::hunt(), samples::every_verdict(), {}), hunt_json(stopped, {}, {}),
                        hunt_json({}, samples::hostile(), {}), hunt_json(settled, samples::every_verdict(), {})});
}

TEST_F(Schema, HuntEvents) {
  auto lines = samples::hunt_events();
  for (const auto& name : samples::hostile_names()) {
    for (auto& line : samples::hostile_events(name)) lines.push_back(std::move(line));
  }
  EXPECT_VALID("hunt-events", lines);
  EXPECT_VALID("hunt", {samples::compact_document()});
}

TEST_F(Schema, Run) {
  auto cut_off = samples::run_events();
  cut_off.pop_back();
  RunJsonOptions shard;
  shard.shard = "2/4";
  shard.json = text::JsonStyle::compact;
  std::vector<std::string> documents{run_json(samples::record_of(samples::run_events()), {}), run_json({}, {}),
                                     run_json(samples::record_of(cut_off), shard)};
  for (const auto& text : samples::hostile_run_texts()) {
    documents.push_back(run_json(samples::record_of(samples::hostile_events_of_run(text)), {}));
  }
  EXPECT_VALID("run", documents);
}

TEST_F(Schema, RunEvents) {
  std::string lines;
  RunOutputOptions options;
  options.out = [&lines](std::string_view line) { lines += line; };
  auto runs = std::vector{samples::run_events(), samples::green_events()};
  for (const auto& text : samples::hostile_run_texts()) runs.push_back(samples::hostile_events_of_run(text));
  for (const auto& events : runs) {
    RunRecorder recorder;
    const auto output = make_run_output("json", recorder.record(), options);
    for (const auto& event : events) {
      recorder.take(event);
      output->take(event);
    }
  }
  std::vector<std::string> documents;
  for (const auto line : split(lines, '\n')) {
    if (!line.empty()) documents.emplace_back(line);
  }
  EXPECT_VALID("run-events", documents);
}

TEST_F(Schema, Check) {
  const auto every = samples::every_kind();
  const auto hostile = samples::hostile_gate();
  const auto nothing = samples::nothing();
  EXPECT_VALID("check", {gate_json(samples::gate_view(every)), gate_json(samples::gate_view(hostile)),
                         gate_json(samples::gate_view(nothing))});
}

TEST_F(Schema, BaselineUpdate) {
  EXPECT_VALID("baseline-update", {baseline_change_json(samples::change(), "b"),
                                   baseline_change_json({{"bayes", {}}, {}, {}, {}, {}, ""}, "b")});
}

TEST_F(Schema, AFieldTooManyOrTooFewIsNoticed) {
  const auto good = ingest_json(samples::ingest(), text::JsonStyle::compact);
  const int extra = validate("ingest", {"{\"surprise\":1," + good.substr(1)});
  if (extra == kValidatorMissing) GTEST_SKIP() << "SKIPPED, NOT PASSED: python3-jsonschema is not installed";
  EXPECT_EQ(extra, kInvalid);
  EXPECT_EQ(validate("ingest", {"{}"}), kInvalid);
  EXPECT_EQ(validate("ingest", {"{\"files\":"}), kInvalid);
}

TEST(SchemaFiles, SharedShapesAreEqual) {
  const auto load = [](const std::string& name) {
    rapidjson::Document document;
    document.Parse(testing::slurp(source("docs/schema/" + name + ".schema.json")).c_str());
    EXPECT_FALSE(document.HasParseError()) << name;
    return document;
  };
  const auto report = load("report");
  const auto hunt = load("hunt");
  const auto explain = load("explain");
  for (const char* shape : {"verdict", "summary", "result", "outage", "not_seen"}) {
    EXPECT_TRUE(report["$defs"][shape] == hunt["$defs"][shape]) << shape;
  }
  EXPECT_TRUE(report["$defs"]["outage"] == load("check")["$defs"]["outage"]);
  for (const char* shape : {"verdict", "result", "outage"}) {
    EXPECT_TRUE(report["$defs"][shape] == explain["$defs"][shape]) << shape;
  }
}

}  // namespace
}  // namespace flakestat::report
