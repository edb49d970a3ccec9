// A letter for each test and how far the run is, line by line.
#include <algorithm>
#include <utility>

#include "report/run_outputs.hpp"
#include "report/run_words.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

constexpr std::size_t kColumns = 80;
constexpr std::size_t kPercentColumns = 8;

std::pair<char, Tone> letter_of(RunFate fate) {
  switch (fate) {
    case RunFate::passed: return {'.', Tone::good};
    case RunFate::failed: return {'F', Tone::bad};
    case RunFate::error: return {'E', Tone::bad};
    case RunFate::skipped: return {'s', Tone::warning};
    case RunFate::xfailed: return {'x', Tone::warning};
    case RunFate::xpassed: return {'X', Tone::warning};
    case RunFate::flaky: return {'.', Tone::warning};
    case RunFate::quarantined: return {'q', Tone::warning};
  }
  return {'?', Tone::plain};
}

}  // namespace

void DotsOutput::letter(char letter, Tone tone) {
  if (options_.quiet) return;
  say(text::paint(std::string(1, letter), tone, options_.look.colour));
  const auto columns = options_.look.width > 0 ? options_.look.width : kColumns;
  if (++column_ + kPercentColumns >= columns) end_line(false);
}

// The last line is filled up, so that the percentages stand below each other.
void DotsOutput::end_line(bool last) {
  if (column_ == 0) return;
  const auto columns = options_.look.width > 0 ? options_.look.width : kColumns;
  const auto used = column_ + kPercentColumns;
  say((last && used < columns ? std::string(columns - used, ' ') : "") + " " + percent() + "\n");
  column_ = 0;
}

void DotsOutput::on(const RunStarted&) {
  if (!options_.quiet) say(voice_line(headline()));
}

void DotsOutput::on(const AttemptFinished& event) {
  if (event.rerun_follows) letter('R', Tone::warning);
}

void DotsOutput::on(const TestSettled& event) {
  if (!knows(event.test)) return;
  const auto [which, tone] = letter_of(event.fate);
  letter(which, tone);
}

void DotsOutput::on(const WorkerLost& event) {
  end_line(false);
  say(voice_line(loss_words(event)));
}

void DotsOutput::on(const RunNote& event) {
  end_line(false);
  say(voice_line(event.text));
}

void DotsOutput::on(const RunFinished&) {
  end_line(true);
  if (!options_.quiet) say("\n");
  say_summary(summary_options());
}

}  // namespace flakestat::report
