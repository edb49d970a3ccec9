// TeamCity service messages. A test's messages leave together when it is settled: reruns may change the worker, and a
// flow holds one test at a time.
#include <cmath>
#include <utility>

#include "report/run_outputs.hpp"
#include "report/run_words.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using Attribute = std::pair<std::string_view, std::string>;

class TeamcityOutput final : public EventOutput {
 public:
  using EventOutput::EventOutput;

 private:
  using EventOutput::on;

  // What is said of one test.
  struct Test {
    std::string name;
    std::string flow;
  };

  void on(const RunStarted& event) override {
    say(voice_line(headline()));
    message("testCount", {{"count", std::to_string(event.tests.size())}});
  }

  void on(const TestSettled& event) override {
    if (!knows(event.test)) return;
    const auto last = event.attempts.empty() ? RunAttempt{} : event.attempts.back();
    const Test test{record_.test(event.test).id, last.worker.empty() ? "flakestat" : last.worker};
    of(test, "testStarted", {{"captureStandardOutput", "false"}});
    for (std::size_t i = 0; i + 1 < event.attempts.size(); ++i) earlier(test, event.attempts[i]);
    outcome(test, event, last);
    double seconds = 0;
    for (const auto& attempt : event.attempts) seconds += attempt.seconds;
    of(test, "testFinished", {{"duration", milliseconds(seconds)}});
  }

  void outcome(const Test& test, const TestSettled& settled, const RunAttempt& last) {
    switch (settled.fate) {
      case RunFate::failed:
      case RunFate::error:
        output(test, last);
        of(test, "testFailed", {{"message", headline_of(last)}, {"details", details(settled, last)}});
        break;
      case RunFate::quarantined:
        output(test, last);
        of(test, "testStdErr", {{"out", details(settled, last) + "\n"}});
        of(test, "testIgnored", {{"message", "quarantined (" + settled.excuse + "): " + headline_of(last)}});
        break;
      case RunFate::skipped:
      case RunFate::xfailed: of(test, "testIgnored", {{"message", headline_of(last)}}); break;
      case RunFate::flaky: mark(test, "flaky"); break;
      case RunFate::passed:
      case RunFate::xpassed: break;
    }
  }

  void mark(const Test& test, std::string_view what) {
    message("testMetadata",
            {{"testName", test.name}, {"name", std::string(what)}, {"value", "true"}, {"flowId", test.flow}});
  }

  void earlier(const Test& test, const RunAttempt& attempt) {
    const auto text = "attempt " + std::to_string(attempt.attempt + 1) + ": " + headline_of(attempt) + "\n";
    of(test, "testStdErr", {{"out", text + text::strip_ansi(attempt.details) + "\n"}});
  }

  void output(const Test& test, const RunAttempt& attempt) {
    for (const auto& captured : attempt.captured) {
      const bool error = captured.title.find("stderr") != std::string::npos;
      auto text = captured.title + "\n" + text::strip_ansi(captured.text);
      if (!text.ends_with('\n')) text += '\n';
      of(test, error ? "testStdErr" : "testStdOut", {{"out", text}});
    }
  }

  static std::string details(const TestSettled& settled, const RunAttempt& last) {
    std::string out = text::strip_ansi(last.details);
    for (const auto* phase : other_failures(last)) {
      out += "\nat " + std::string(word(phase->phase)) + ":\n" + text::strip_ansi(phase->details);
    }
    return settled.note.empty() ? out : "note: " + settled.note + "\n" + out;
  }

  static std::string milliseconds(double seconds) {
    return std::to_string(std::isfinite(seconds) && seconds > 0 && seconds < 1e9 ? std::llround(seconds * 1000) : 0);
  }

  void on(const CollectionProblem& event) override {
    message("buildProblem", {{"description", "not collected: " + event.id + ": " + headline_of(event)}});
  }
  void on(const WorkerLost& event) override {
    message("message", {{"text", loss_words(event)}, {"status", "WARNING"}});
  }
  void on(const RunNote& event) override { message("message", {{"text", event.text}}); }

  void on(const RunFinished& event) override {
    for (const auto& reason : event.reasons) message("message", {{"text", reason}, {"status", "WARNING"}});
    statistic("flaky", event.totals.flaky);
    statistic("quarantined", event.totals.quarantined);
    statistic("reruns", event.totals.reruns);
    statistic("notRun", event.totals.not_run);
    // Tracebacks are with the tests; a test log that is read as text still wants the rest.
    auto summary = summary_options();
    summary.failures = false;
    say_summary(summary);
  }

  void statistic(std::string_view name, std::uint64_t value) {
    message("buildStatisticValue", {{"key", "flakestat." + std::string(name)}, {"value", std::to_string(value)}});
  }

  void of(const Test& test, std::string_view kind, const std::vector<Attribute>& more) {
    std::vector<Attribute> all{{"name", test.name}};
    all.insert(all.end(), more.begin(), more.end());
    all.emplace_back("flowId", test.flow);
    message(kind, all);
  }

  void message(std::string_view kind, const std::vector<Attribute>& attributes) {
    std::string out = "##teamcity[" + std::string(kind);
    for (const auto& [name, value] : attributes) {
      out.append(" ").append(name).append("='").append(text::escape_teamcity(value)) += '\'';
    }
    command(out + "]\n");
  }

  [[nodiscard]] std::string guarded(std::string_view text) const override {
    return options_.ci_log ? text::defuse_workflow_lines(text) : text::defuse_log_commands(text);
  }
};

}  // namespace

MadeOutput make_teamcity_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<TeamcityOutput>(record, std::move(options));
}

}  // namespace flakestat::report
