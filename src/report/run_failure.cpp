#include "report/run_failure.hpp"

#include <algorithm>

#include "report/run_words.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using text::Look;
using text::Tone;

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty() && !part.empty()) out += between;
    out += part;
  }
  return out;
}

std::string before_words(const LedgerCounts& before) {
  if (before == LedgerCounts{}) return {};
  return "flaked " + std::to_string(before.flaky) + "x, failed " + std::to_string(before.failed) + "x before";
}

// What a traceback shows as the error itself (pytest marks those lines with an E) stands out.
void append_lines(std::string& out, std::string_view text, const Look& look) {
  for (const auto& line : text::terminal_lines(text)) {
    const bool error = line.starts_with("E  ");
    out += text::paint(line, error ? Tone::bad : Tone::plain, look.colour) + "\n";
  }
}

void append_captured(std::string& out, const RunAttempt& attempt, const Look& look) {
  for (const auto& captured : attempt.captured) {
    out += section_line(captured.title, look, Tone::plain, '-') + "\n";
    append_lines(out, captured.text, look);
  }
}

void append_earlier(std::string& out, const TestSettled& settled) {
  const auto& attempts = settled.attempts;
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
    out += "attempt " + std::to_string(attempts[i].attempt + 1) + ": " +
           text::escape_terminal(headline_of(attempts[i])) + "\n";
  }
}

void append_other_parts(std::string& out, const RunAttempt& attempt, const Look& look) {
  for (const auto* phase : other_failures(attempt)) {
    out += "\nat " + std::string(word(phase->phase)) + ":\n";
    append_lines(out, phase->details.empty() ? phase->message : phase->details, look);
  }
}

// Where and on which try it was; the ledger's counts.
std::string circumstances(const TestSettled& settled) {
  auto before = before_words(settled.before);
  if (settled.attempts.empty()) return before;
  const auto& last = settled.attempts.back();
  std::vector<std::string> where;
  if (settled.attempts.size() > 1) {
    const auto count = std::to_string(settled.attempts.size());
    where.push_back("attempt " + count + " of " + count);
  }
  if (last.in == RunPhase::setup || last.in == RunPhase::teardown) where.push_back("at " + std::string(word(last.in)));
  if (!last.worker.empty()) where.push_back(text::escape_terminal(last.worker));
  const auto place = joined(where, ", ");
  return before.empty() || place.empty() ? place + before : place + "; " + before;
}

std::string heading(const RunTest& test, const TestSettled& settled, const Look& look) {
  std::string_view what = "FAILED";
  if (settled.fate == RunFate::quarantined) what = "QUARANTINED";
  if (settled.fate == RunFate::error) what = "ERROR";
  const auto tone = settled.fate == RunFate::quarantined ? Tone::warning : Tone::bad;
  std::string out = "--- " + std::string(what) + " " + text::escape_terminal(test.id) + " ---";
  out = text::paint(out, tone, look.colour);
  const auto more = settled.fate == RunFate::quarantined ? before_words(settled.before) : circumstances(settled);
  return more.empty() ? out : out + "  (" + more + ")";
}

}  // namespace

std::string failure_body(const TestSettled& settled, const Look& look) {
  std::string out;
  if (!settled.excuse.empty()) out += "excused by: " + text::escape_terminal(settled.excuse) + "\n";
  if (!settled.note.empty()) out += "note: " + text::escape_terminal(settled.note) + "\n";
  append_earlier(out, settled);
  if (settled.attempts.empty()) return out;
  const auto& last = settled.attempts.back();
  if (last.trouble != RunTrouble::none || last.details.empty()) {
    out += text::escape_terminal(headline_of(last)) + "\n";
  }
  append_lines(out, last.details, look);
  append_other_parts(out, last, look);
  append_captured(out, last, look);
  return out;
}

std::string failure_text(const RunTest& test, const TestSettled& settled, const Look& look) {
  return heading(test, settled, look) + "\n" + failure_body(settled, look) + "\n";
}

std::string flaky_text(const RunTest& test, const TestSettled& settled, const Look& look) {
  const auto failed = static_cast<std::size_t>(
      std::count_if(settled.attempts.begin(), settled.attempts.end(), [](const auto& a) { return a.failing(); }));
  std::string out = "  " + text::escape_terminal(test.id) + "  (" + counted(failed, "rerun");
  if (!(settled.before == LedgerCounts{})) {
    out += "; flaked " + std::to_string(settled.before.flaky) + "x before, failed " +
           std::to_string(settled.before.failed) + "x";
  }
  out += ")\n";
  for (const auto& attempt : settled.attempts) {
    if (!attempt.failing()) continue;
    auto line =
        "      attempt " + std::to_string(attempt.attempt + 1) + ": " + text::escape_terminal(headline_of(attempt));
    if (look.width > 0) line = text::truncate(line, look.width);
    out += text::paint(line, Tone::faint, look.colour) + "\n";
  }
  return out;
}

std::string short_line(std::string_view word, std::string_view id, std::string_view message, const Look& look) {
  std::string line = std::string(word) + " " + text::escape_terminal(id);
  if (!message.empty()) {
    // An id is never cut: it is what people copy.
    const auto more = " - " + text::escape_terminal(message);
    const auto used = text::display_width(line);
    if (look.width == 0) line += more;
    else if (used < look.width) line += text::truncate(more, look.width - used);
  }
  return line + "\n";
}

}  // namespace flakestat::report
