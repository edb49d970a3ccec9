// A line for each test.
#include <utility>

#include "report/run_outputs.hpp"
#include "report/run_words.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

std::pair<std::string_view, Tone> word_and_tone(RunFate fate) {
  switch (fate) {
    case RunFate::passed: return {"PASSED", Tone::good};
    case RunFate::failed: return {"FAILED", Tone::bad};
    case RunFate::error: return {"ERROR", Tone::bad};
    case RunFate::skipped: return {"SKIPPED", Tone::warning};
    case RunFate::xfailed: return {"XFAIL", Tone::warning};
    case RunFate::xpassed: return {"XPASS", Tone::warning};
    case RunFate::flaky: return {"FLAKY", Tone::warning};
    case RunFate::quarantined: return {"QUARANTINED", Tone::warning};
  }
  return {"", Tone::plain};
}

class VerboseOutput final : public EventOutput {
 public:
  using EventOutput::EventOutput;

 private:
  using EventOutput::on;

  void on(const RunStarted&) override {
    if (!options_.quiet) say(voice_line(headline()));
  }

  void on(const AttemptFinished& event) override {
    if (options_.quiet || !event.rerun_follows || !knows(event.test)) return;
    say(begin(event.test, event.attempt) + text::paint("RERUN", Tone::warning, options_.look.colour) + " (" +
        text::escape_terminal(headline_of(event.attempt)) + ")\n");
  }

  void on(const TestSettled& event) override {
    if (options_.quiet || !knows(event.test)) return;
    const auto [said, tone] = word_and_tone(event.fate);
    const auto last = event.attempts.empty() ? RunAttempt{} : event.attempts.back();
    std::string line = begin(event.test, last) + text::paint(said, tone, options_.look.colour);
    const bool skipped = event.fate == RunFate::skipped || event.fate == RunFate::xfailed;
    if (skipped && !last.message.empty()) line += " (" + text::escape_terminal(headline_of(last)) + ")";
    if (event.fate == RunFate::flaky && event.attempts.size() > 1)
      line += " (passed after " + counted(event.attempts.size() - 1, "rerun") + ")";
    say(line + " " + percent() + "\n");
  }

  void on(const WorkerLost& event) override { say(voice_line(loss_words(event))); }
  void on(const RunNote& event) override { say(voice_line(event.text)); }

  void on(const CollectionProblem& event) override {
    say(text::paint("ERROR", Tone::bad, options_.look.colour) + " collecting " + text::escape_terminal(event.id) +
        "\n");
  }

  void on(const RunFinished&) override {
    if (!options_.quiet) say("\n");
    say_summary(summary_options());
  }

  [[nodiscard]] std::string begin(std::size_t test, const RunAttempt& attempt) const {
    const auto worker = attempt.worker.empty() ? "" : "[" + text::escape_terminal(attempt.worker) + "] ";
    return worker + text::escape_terminal(record_.test(test).id) + " ";
  }
};

}  // namespace

MadeOutput make_verbose_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<VerboseOutput>(record, std::move(options));
}

}  // namespace flakestat::report
