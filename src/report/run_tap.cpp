// TAP 14: a test point for each test, with a YAML block where there is more to say. The plan comes last: only then is
// known how many points there are.
#include <cmath>
#include <utility>

#include "report/run_outputs.hpp"
#include "report/run_words.hpp"
#include "text/escape.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {
namespace {

// Every JSON string is a double-quoted YAML scalar.
std::string quoted(std::string_view text) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.value(text);
  return json.take();
}

class Block {
 public:
  void value(std::string_view key, std::string_view text) { line(key, quoted(text)); }
  void number(std::string_view key, const std::string& digits) { line(key, digits); }
  // A literal, four blanks deep: the indentation is given, since a traceback begins with blanks of its own.
  void lines(std::string_view key, std::string_view text) {
    const auto all = text::terminal_lines(text);
    if (all.empty()) return;
    line(key, "|2-");
    for (const auto& each : all) out_ += each.empty() ? "\n" : "    " + each + "\n";
  }
  [[nodiscard]] std::string text() const { return out_.empty() ? "" : "  ---\n" + out_ + "  ...\n"; }

 private:
  void line(std::string_view key, const std::string& value) {
    out_.append("  ").append(key).append(": ").append(value) += '\n';
  }
  std::string out_;
};

struct Point {
  bool ok = true;
  std::string directive;
};

class TapOutput final : public EventOutput {
 public:
  using EventOutput::EventOutput;

 private:
  using EventOutput::on;

  void on(const RunStarted&) override {
    version();
    comment(headline());
  }
  void on(const RunNote& event) override { comment(event.text); }
  void on(const RunnerText& event) override {
    for (const auto& line : text::terminal_lines(event.text)) comment(line);
  }
  void on(const WorkerLost& event) override {
    comment(loss_words(event));
    for (const auto& line : text::terminal_lines(event.output)) comment(line);
  }

  void on(const CollectionProblem& event) override {
    version();
    Block block;
    block.value("message", "not collected: " + headline_of(event));
    block.lines("traceback", event.details);
    point({false, ""}, event.id, block);
  }
  void on(const CollectionSkip& event) override {
    version();
    point({true, " # SKIP " + text::escape_tap(event.reason)}, event.id, {});
  }

  void on(const TestSettled& event) override {
    if (knows(event.test)) point(point_of(event), record_.test(event.test).id, block_of(event));
  }

  static Point point_of(const TestSettled& settled) {
    const auto why = settled.attempts.empty() ? std::string() : text::escape_tap(headline_of(settled.attempts.back()));
    switch (settled.fate) {
      case RunFate::failed:
      case RunFate::error: return {false, ""};
      case RunFate::quarantined: return {false, " # TODO quarantined: " + text::escape_tap(settled.excuse)};
      case RunFate::skipped: return {true, " # SKIP " + why};
      case RunFate::xfailed: return {false, " # TODO " + why};
      case RunFate::passed:
      case RunFate::xpassed:
      case RunFate::flaky: break;
    }
    return {};
  }

  static Block block_of(const TestSettled& settled) {
    Block block;
    const bool failed =
        settled.fate == RunFate::failed || settled.fate == RunFate::error || settled.fate == RunFate::quarantined;
    if (settled.attempts.empty() || (!failed && settled.fate != RunFate::flaky)) return block;
    // Of a flaky test the failure is what there is to tell.
    const auto& told = settled.fate == RunFate::flaky ? settled.attempts.front() : settled.attempts.back();
    block.value("message", headline_of(told));
    block.value("fate", word(settled.fate));
    block.number("attempts", std::to_string(settled.attempts.size()));
    block.number("duration_ms", fixed_seconds(told.seconds * 1000, 3));
    if (!told.worker.empty()) block.value("worker", told.worker);
    if (!settled.note.empty()) block.value("note", settled.note);
    block.lines("traceback", told.details);
    const auto also = other_failures(told);
    for (std::size_t i = 0; i < also.size(); ++i) {
      block.lines("also_failed_" + std::to_string(i + 1),
                  "at " + std::string(word(also[i]->phase)) + ":\n" + also[i]->details);
    }
    for (std::size_t i = 0; i < told.captured.size(); ++i) {
      block.lines("captured_" + std::to_string(i + 1), told.captured[i].title + "\n" + told.captured[i].text);
    }
    return block;
  }

  void on(const RunFinished& event) override {
    version();
    for (std::size_t i = 0; i < record_.started.tests.size(); ++i) {
      if (!record_.settled[i]) point({true, " # SKIP not run"}, record_.test(i).id, {});
    }
    say("1.." + std::to_string(points_) + "\n");
    for (const auto& reason : event.reasons) comment(reason);
    comment(totals_words(event.totals) + " in " + seconds_words(event.seconds));
    if (event.end == RunEnd::interrupted) say("Bail out! interrupted\n");
    if (event.end == RunEnd::runner_failed) say("Bail out! the test runner failed\n");
  }

  void point(const Point& point, const std::string& id, const Block& block) {
    say((point.ok ? "ok " : "not ok ") + std::to_string(++points_) + " - " + text::escape_tap(id) + point.directive +
        "\n" + block.text());
  }

  void version() {
    if (!std::exchange(begun_, true)) say("TAP version 14\n");
  }

  void comment(std::string_view text) { say("# " + text::escape_terminal(text) + "\n"); }

  bool begun_ = false;
  std::uint64_t points_ = 0;
};

}  // namespace

MadeOutput make_tap_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<TapOutput>(record, std::move(options));
}

}  // namespace flakestat::report
