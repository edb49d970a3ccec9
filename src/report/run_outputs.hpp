// What the outputs of a run share, and the one that makes each of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "report/run_output.hpp"
#include "report/run_summary.hpp"

namespace flakestat::report {

/// An output with a handler for each event, and a count of what has been settled.
class EventOutput : public RunOutput {
 public:
  EventOutput(const RunRecord& record, RunOutputOptions options) : record_(record), options_(std::move(options)) {}
  void take(const flakestat::RunEvent& event) final;

 protected:
  virtual void on(const RunStarted&) {}
  virtual void on(const TestStarted&) {}
  virtual void on(const AttemptFinished&) {}
  virtual void on(const TestSettled&) {}
  virtual void on(const WorkerLost&) {}
  virtual void on(const CollectionProblem&) {}
  virtual void on(const CollectionSkip&) {}
  virtual void on(const RunWarning&) {}
  virtual void on(const RunnerText&) {}
  virtual void on(const RunNote&) {}
  virtual void on(const RunFinished&) {}

  /// A test that was announced.
  [[nodiscard]] bool knows(std::size_t test) const { return test < record_.started.tests.size(); }
  [[nodiscard]] std::uint64_t settled_tests() const { return record_.order.size(); }
  [[nodiscard]] std::uint64_t all_tests() const { return record_.started.tests.size(); }
  /// `[ 12%]`
  [[nodiscard]] std::string percent() const;
  /// `41 tests, 2 workers, 3 deselected, shuffled (--shuffle=42)`
  [[nodiscard]] std::string headline() const;
  /// `gw1 died: signal 11 (SIGSEGV) while running a::b; replaced`, raw.
  [[nodiscard]] std::string loss_words(const WorkerLost& lost) const;

  /// Text of ours, its foreign parts escaped for a terminal; made harmless where it goes to a CI system.
  void say(std::string_view text) { options_.out(guarded(text)); }
  /// Commands of ours for a CI system.
  void command(std::string_view text) { options_.out(text); }
  [[nodiscard]] virtual std::string guarded(std::string_view text) const;
  [[nodiscard]] virtual RunSummaryOptions summary_options() const;
  void say_summary(const RunSummaryOptions& summary) { options_.out(run_summary(record_, summary)); }

  const RunRecord& record_;
  const RunOutputOptions options_;
};

/// A letter for each test, as pytest -q; other outputs build upon it.
class DotsOutput : public EventOutput {
 public:
  using EventOutput::EventOutput;

 protected:
  using EventOutput::on;
  void on(const RunStarted& event) override;
  void on(const AttemptFinished& event) override;
  void on(const TestSettled& event) override;
  void on(const WorkerLost& event) override;
  void on(const RunNote& event) override;
  void on(const RunFinished& event) override;

 private:
  void letter(char letter, text::Tone tone);
  void end_line(bool last);

  std::size_t column_ = 0;
};

using MadeOutput = std::unique_ptr<RunOutput>;
MadeOutput make_bar_output(const RunRecord& record, RunOutputOptions options);
MadeOutput make_verbose_output(const RunRecord& record, RunOutputOptions options);
MadeOutput make_github_output(const RunRecord& record, RunOutputOptions options);
MadeOutput make_gitlab_output(const RunRecord& record, RunOutputOptions options);
MadeOutput make_teamcity_output(const RunRecord& record, RunOutputOptions options);
MadeOutput make_tap_output(const RunRecord& record, RunOutputOptions options);
MadeOutput make_ndjson_output(const RunRecord& record, RunOutputOptions options);

}  // namespace flakestat::report
