// For the tests of this layer: a hunt in a folder of its own, with a report format that is one line a case.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "run/hunt.hpp"
#include "sys/file.hpp"
#include "testing/fake_child_runner.hpp"
#include "testing/fake_clock.hpp"
#include "testing/fake_concurrent_runner.hpp"
#include "testing/fake_interrupts.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::run {

/// `STATUS NAME`, suite and class "s"; known flaky passes are `flaky NAME`.
inline Case test_case(const std::string& status, const std::string& name) {
  Case each;
  each.suite = each.class_name = "s";
  each.name = name;
  each.known_flaky = status == "flaky";
  each.status = parse_status(status).value_or(Status::pass);
  return each;
}

inline std::vector<Case> test_cases(const std::string& lines) {
  std::vector<Case> cases;
  std::istringstream in(lines);
  for (std::string status, name; in >> status >> name;) cases.push_back(test_case(status, name));
  return cases;
}

/// The made-up format: cases a line, then `end end`; without the end it is cut off; `root NAME` first: no report.
inline Result<ReportContent> read_test_report(const std::string& path) {
  auto text = sys::read_file(path);
  if (!text) return text.error();
  ReportContent content;
  content.summary.encoding = "UTF-8";
  bool ended = false;
  std::istringstream in(*text);
  for (std::string status, name; in >> status >> name;) {
    if (status == "end") ended = true;
    else if (status == "root") content.rejection = formats::Rejection{name, name == "companion"};
    else content.cases.push_back(test_case(status, name));
  }
  for (const auto& each : content.cases) {
    ++content.summary.counts.tests;
    if (each.status == Status::fail) ++content.summary.counts.failures;
    if (each.status == Status::error) ++content.summary.counts.errors;
    if (each.status == Status::skip) ++content.summary.counts.skipped;
    if (each.status == Status::pass) ++content.summary.counts.passed;
  }
  if (!ended) content.summary.damage = formats::Damage{text->size(), 1, "the end is missing"};
  return content;
}

inline sys::ChildResult exits(int code) {
  sys::ChildResult result;
  result.code = code;
  result.use.wall = std::chrono::milliseconds(100);
  return result;
}

inline sys::ChildResult ends(sys::ChildEnd end, int code = 0) {
  auto result = exits(code);
  result.end = end;
  return result;
}

/// A hunt whose command is a function from the run's number to what happens.
class HuntWorld : public ::testing::Test {
 protected:
  using OneRun = std::function<sys::ChildResult(int run)>;

  HuntWorld() {
    plan_.command = {"suite", "--report", "{junit}"};
    plan_.junit = "out/{run}.txt";
    plan_.directory = folder_.path();
    plan_.runs = 4;
  }

  /// The command of one run writes this report (complete unless said otherwise).
  void report(int run, const std::string& lines, bool whole = true) const {
    folder_.write("out/" + std::to_string(run) + ".txt", lines + (whole ? "\nend end\n" : ""));
  }

  Result<HuntResult> try_hunt(const OneRun& one_run) {
    testing::FakeChildRunner runner([&](const sys::ChildSpec& spec) {
      clock_.advance(std::chrono::milliseconds(100));
      argv_ = spec.argv;
      return one_run(run_of(spec));
    });
    testing::FakeConcurrentRunner copies([&](const testing::FakeConcurrentRunner::Started& copy) {
      clock_.advance(std::chrono::milliseconds(100));
      return one_run(run_of(copy.spec));
    });
    if (last_started_first_) copies.end_last_started_first();
    copies.set_root(root_);
    auto result = run::hunt(plan_, {runner, clock_, interrupts_, read_test_report, &copies}, events());
    specs_ = runner.specs();
    most_at_once_ = copies.most_at_once();
    unreleased_ = copies.unreleased().size() + copies.running();
    kept_ = copies.kept();
    return result;
  }

  static int run_of(const sys::ChildSpec& spec) { return std::stoi(spec.environment.front().second); }

  HuntResult hunt(const OneRun& one_run) {
    auto result = try_hunt(one_run);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? std::move(*result) : HuntResult{};
  }

  /// `pass a` lines of a run as they were stored; suite-level results as `pass (command)`.
  [[nodiscard]] std::vector<std::string> stored(int run) const {
    const auto found = stored_.find(run);
    return found == stored_.end() ? std::vector<std::string>{} : found->second;
  }

  [[nodiscard]] std::string warnings(const HuntResult& result) const {
    std::string all;
    for (const auto& warning : result.warnings) all += warning + "\n";
    return all;
  }

  /// What was told of a run's leavings, its reports read.
  struct Left {
    int run = 1;
    std::vector<std::string> argv;
    std::string output;
    std::vector<std::string> reports;
    std::size_t ended = 0;  ///< runs that were called ended by then
  };

  testing::TempDir folder_;
  HuntPlan plan_;
  testing::FakeClock clock_;
  testing::FakeInterrupts interrupts_;
  std::vector<std::string> argv_;  ///< of the run that is made
  std::vector<sys::ChildSpec> specs_;
  std::map<int, std::vector<std::string>> stored_;
  std::vector<RunEvidence> evidence_;
  std::vector<RunResult> ended_;
  std::vector<HuntProgress> progress_;
  std::vector<Left> left_;
  std::vector<std::pair<int, std::size_t>> tallied_;  ///< run, and how many tests disagree after it
  bool last_started_first_ = false;                   ///< parallel copies end in the other order
  std::string root_;                                  ///< where copies' files are
  std::size_t most_at_once_ = 0;
  std::size_t unreleased_ = 0;  ///< copies that still run, or were not released
  std::vector<std::pair<int, std::string>> kept_;
  std::vector<std::string> order_;  ///< `ended 1`, `stored 1`, ... as they came

 private:
  HuntEvents events() {
    HuntEvents events;
    events.progress = [this](const HuntProgress& progress) { progress_.push_back(progress); };
    events.run_ended = [this](const RunResult& run) {
      ended_.push_back(run);
      order_.push_back("ended " + std::to_string(run.run));
    };
    events.left = [this](const RunLeavings& left) {
      Left seen{left.result.run, left.argv, left.output.text(), {}, ended_.size()};
      for (const auto& path : left.reports) seen.reports.push_back(testing::slurp(path));
      left_.push_back(std::move(seen));
    };
    events.tallied = [this](int run, const Outcomes& outcomes) {
      tallied_.emplace_back(run, outcomes.disagreeing().size());
    };
    events.store = [this](RunEvidence&& evidence) { return keep(std::move(evidence)); };
    return events;
  }

  Result<void> keep(RunEvidence&& evidence) {
    auto& lines = stored_[evidence.run];
    for (const auto& each : evidence.cases) lines.push_back(std::string(to_string(each.status)) + " " + each.name);
    if (evidence.suite_level) {
      lines.push_back(std::string(to_string(evidence.suite_level->status)) + " " + evidence.suite_level->suite);
    }
    order_.push_back("stored " + std::to_string(evidence.run));
    evidence_.push_back(std::move(evidence));
    return {};
  }
};

}  // namespace flakestat::run
