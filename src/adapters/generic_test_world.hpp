// For the tests of the generic adapter: a command that is a function from the number of its run to what happens, and
// reports that are one line a case.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "adapters/generic.hpp"
#include "run/report_file.hpp"
#include "testing/fake_child_runner.hpp"
#include "testing/fake_clock.hpp"
#include "testing/fake_interrupts.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::adapters {

inline sys::ChildResult exits(int code) {
  sys::ChildResult result;
  result.code = code;
  return result;
}

inline sys::ChildResult ends(sys::ChildEnd end, int code = 0) {
  auto result = exits(code);
  result.end = end;
  return result;
}

inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '&') out += "&amp;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

/// `STATUS NAME MESSAGE...`: pass, fail, error, skip, flaky (failed first) and rerun (failed twice); class `C`.
inline std::string xml_case(const std::string& line) {
  std::istringstream in(line);
  std::string status;
  std::string name;
  std::string message;
  in >> status >> name;
  std::getline(in >> std::ws, message);
  const auto element = [&](const std::string& tag) { return "<" + tag + " message=\"" + escaped(message) + "\"/>"; };
  std::string body;
  if (status == "fail") body = element("failure");
  if (status == "error") body = element("error");
  if (status == "skip") body = "<skipped/>";
  if (status == "flaky") body = element("flakyFailure");
  if (status == "rerun") body = element("failure") + element("rerunFailure");
  return "<testcase classname=\"C\" name=\"" + escaped(name) + "\" time=\"0.5\">" + body + "</testcase>";
}

inline std::string xml_suite(const std::string& cases) { return "<testsuite name=\"s\">" + cases + "</testsuite>"; }

/// Lines of cases, separated by `;` or line ends.
inline std::string xml_report(std::string lines) {
  std::replace(lines.begin(), lines.end(), ';', '\n');
  std::istringstream in(lines);
  std::string cases;
  for (std::string line; std::getline(in >> std::ws, line);) cases += xml_case(line);
  return xml_suite(cases);
}

class Events final : public RunSink {
 public:
  void take(const RunEvent& event) override {
    if (const auto* note = std::get_if<RunNote>(&event)) notes += note->text + "\n";
    if (const auto* start = std::get_if<RunStarted>(&event)) started = *start;
    if (const auto* finish = std::get_if<RunFinished>(&event)) finished.push_back(*finish);
    if (const auto* settled = std::get_if<TestSettled>(&event)) by_test[settled->test] = *settled;
    if (const auto* attempt = std::get_if<AttemptFinished>(&event)) attempts.push_back(*attempt);
    all.push_back(event);
  }

  RunStarted started;
  std::map<std::size_t, TestSettled> by_test;
  std::vector<AttemptFinished> attempts;
  std::vector<RunFinished> finished;
  std::vector<RunEvent> all;
  std::string notes;
};

class GenericWorld : public ::testing::Test {
 protected:
  using OneRun = std::function<sys::ChildResult(int run)>;

  GenericWorld() {
    options_.command = {"suite", "--report", "{junit}"};
    options_.junit = "r.xml";
    options_.directory = folder_.path();
    options_.reruns.reruns = 2;
  }

  /// The command of the current run writes this report.
  void report(const std::string& lines) const { folder_.write("r.xml", xml_report(lines)); }
  void write(const std::string& content) const { folder_.write("r.xml", content); }

  void select(const std::string& command = "suite --only {tests}", const std::string& id = "{class}#{name}") {
    run::SelectionFlags flags;
    flags.select = command;
    flags.id = id;
    auto selection = run::selection_of(options_.command, flags);
    ASSERT_TRUE(selection) << selection.error().message;
    options_.selection = *selection;
  }

  Result<RunFinished> try_run(const OneRun& one_run) {
    testing::FakeChildRunner runner([&](const sys::ChildSpec& spec) {
      clock_.advance(std::chrono::milliseconds(100));
      if (spec.sink) spec.sink("output of the suite\n");
      command_.clear();
      for (const auto& word : spec.argv) command_ += (command_.empty() ? "" : " ") + word;
      commands_.push_back(command_);
      return one_run(std::stoi(spec.environment.front().second));
    });
    const GenericHost host{runner,
                           clock_,
                           interrupts_,
                           run::read_report_file,
                           [this](const RunTest& test) { return policy_[test.name]; },
                           [this](std::string_view bytes) { output_ += bytes; },
                           [this] { return signal_; },
                           [this](std::chrono::milliseconds pause) { pauses_.push_back(pause); }};
    auto result = GenericRun(options_, host, events_).run();
    if (result) events_.take(*result);
    return result;
  }

  RunFinished run(const OneRun& one_run) {
    auto result = try_run(one_run);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    check_consistency();
    return result.ok() ? *result : RunFinished{};
  }

  /// The fates by name: `a passed, b flaky`.
  [[nodiscard]] std::string fates() const {
    std::string text;
    for (const auto& [test, settled] : events_.by_test) {
      text += (text.empty() ? "" : ", ") + name_of(test) + " " + word(settled.fate);
    }
    return text;
  }

  [[nodiscard]] const TestSettled& settled(const std::string& name) const {
    static const TestSettled kNone;
    for (const auto& [test, settled] : events_.by_test) {
      if (name_of(test) == name) return settled;
    }
    ADD_FAILURE() << "no test " << name;
    return kNone;
  }

  /// Of a test, from the first attempt on: `failed passed`.
  [[nodiscard]] std::string attempts(const std::string& name) const {
    std::string text;
    for (const auto& attempt : settled(name).attempts) {
      static constexpr std::array kWords{"passed", "failed", "error", "skipped", "xfailed", "xpassed"};
      text += (text.empty() ? "" : " ") + std::string(kWords[static_cast<std::size_t>(attempt.status)]);
    }
    return text;
  }

  [[nodiscard]] static std::string reasons(const RunFinished& finished) {
    std::string all;
    for (const auto& reason : finished.reasons) all += reason + "\n";
    return all;
  }

  testing::TempDir folder_;
  GenericOptions options_;
  testing::FakeClock clock_;
  testing::FakeInterrupts interrupts_;
  std::map<std::string, dispatch::TestPolicy> policy_;
  Events events_;
  int signal_ = SIGINT;
  std::string output_;
  std::vector<std::string> commands_;
  std::string command_;  ///< the one that runs
  std::vector<std::chrono::milliseconds> pauses_;

 private:
  [[nodiscard]] std::string name_of(std::size_t test) const {
    const auto& it = events_.started.tests[test];
    return it.suite == "(command)" ? it.suite : it.name;
  }

  // What every run must give: one end, each test settled once, its attempts told in order.
  void check_consistency() const {
    EXPECT_EQ(events_.finished.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<RunFinished>(events_.all.back()));
    const auto not_run = events_.finished.empty() ? 0 : events_.finished.front().totals.not_run;
    EXPECT_EQ(events_.by_test.size() + not_run, events_.started.tests.size());
    std::map<std::size_t, std::size_t> told;
    for (const auto& each : events_.attempts) {
      EXPECT_EQ(static_cast<std::size_t>(each.attempt.attempt), told[each.test]++);
    }
    for (const auto& [test, settled] : events_.by_test) EXPECT_EQ(settled.attempts.size(), told[test]);
    if (events_.finished.empty()) return;
    const auto& finished = events_.finished.front();
    EXPECT_EQ(finished.exit_code == 0, finished.end == flakestat::RunEnd::ok);
    EXPECT_TRUE(finished.totals.failed + finished.totals.errors == 0 || finished.exit_code != 0);
  }
};

}  // namespace flakestat::adapters
