#include "report/run_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/clean_text.hpp"
#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kSectionWidth = 80;
constexpr double kMostSeconds = 1e9;

void add_count(std::string& out, std::uint64_t count, std::string_view noun, bool plural = false) {
  if (count == 0) return;
  if (!out.empty()) out += ", ";
  out += std::to_string(count) + ' ';
  out += noun;
  if (plural && count != 1) out += 's';
}

// Of several lines the first that says something; pytest marks the lines of the error itself.
std::string_view telling_line(std::string_view details) {
  std::string_view first;
  while (!details.empty()) {
    const auto end = std::min(details.find('\n'), details.size());
    const auto line = details.substr(0, end);
    if (line.starts_with("E  ")) return line.substr(1);
    if (first.empty() && line.find_first_not_of(" \t\r") != std::string_view::npos) first = line;
    details.remove_prefix(std::min(end + 1, details.size()));
  }
  return first;
}

}  // namespace

std::string_view code_of(RunTrouble trouble) {
  switch (trouble) {
    case RunTrouble::none: return "";
    case RunTrouble::crashed: return "crashed";
    case RunTrouble::timed_out: return "timed_out";
    case RunTrouble::lost: return "lost";
  }
  return "";
}

std::string_view words_of(RunTrouble trouble) {
  switch (trouble) {
    case RunTrouble::none: return "";
    case RunTrouble::crashed: return "crashed";
    case RunTrouble::timed_out: return "timed out";
    case RunTrouble::lost: return "no result";
  }
  return "";
}

std::string_view word_of(RunStatus status) {
  switch (status) {
    case RunStatus::passed: return "passed";
    case RunStatus::failed: return "failed";
    case RunStatus::error: return "error";
    case RunStatus::skipped: return "skipped";
    case RunStatus::xfailed: return "xfailed";
    case RunStatus::xpassed: return "xpassed";
  }
  return "";
}

std::string_view word_of(RunEnd end) {
  switch (end) {
    case RunEnd::ok: return "ok";
    case RunEnd::tests_failed: return "tests_failed";
    case RunEnd::nothing_ran: return "nothing_ran";
    case RunEnd::runner_failed: return "runner_failed";
    case RunEnd::interrupted: return "interrupted";
  }
  return "";
}

std::vector<const PhaseResult*> other_failures(const RunAttempt& attempt) {
  std::vector<const PhaseResult*> out;
  bool decider_seen = false;
  for (const auto& phase : attempt.phases) {
    if (phase.status != RunStatus::failed && phase.status != RunStatus::error) continue;
    if (!decider_seen && phase.phase == attempt.in && phase.details == attempt.details) decider_seen = true;
    else out.push_back(&phase);
  }
  return out;
}

std::string headline_of(const RunAttempt& attempt) {
  auto line = clean_line(attempt.message);
  if (line.empty()) line = clean_line(telling_line(attempt.details));
  const auto trouble = words_of(attempt.trouble);
  if (trouble.empty() || line.starts_with(trouble)) return line.empty() ? std::string(word_of(attempt.status)) : line;
  return line.empty() ? std::string(trouble) : std::string(trouble) + ": " + line;
}

std::string headline_of(const CollectionProblem& problem) { return clean_line(telling_line(problem.details)); }

std::string voice_line(std::string_view text) { return "flakestat: " + text::escape_terminal(text) + "\n"; }

std::string totals_words(const RunTotals& totals) {
  std::string out;
  add_count(out, totals.failed, "failed");
  add_count(out, totals.errors, "error", true);
  add_count(out, totals.passed, "passed");
  add_count(out, totals.skipped, "skipped");
  add_count(out, totals.deselected, "deselected");
  add_count(out, totals.xfailed, "xfailed");
  add_count(out, totals.xpassed, "xpassed");
  add_count(out, totals.quarantined, "quarantined");
  add_count(out, totals.flaky, "flaky");
  add_count(out, totals.not_run, "not run");
  add_count(out, totals.warnings, "warning", true);
  return out.empty() ? "no tests ran" : out;
}

std::string fixed_seconds(double seconds, int digits) {
  const double value = std::isfinite(seconds) ? std::clamp(seconds, 0.0, kMostSeconds) : 0.0;
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
  return {text.data(), end};
}

std::string seconds_words(double seconds) {
  std::string out = fixed_seconds(seconds) + "s";
  const auto whole = static_cast<std::int64_t>(std::isfinite(seconds) ? std::clamp(seconds, 0.0, kMostSeconds) : 0.0);
  if (whole < 60) return out;
  const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return out + " (" + std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60) + ")";
}

std::string section_line(std::string_view title, const text::Look& look, text::Tone tone, char fill) {
  const auto columns = look.width > 0 ? look.width : kSectionWidth;
  auto middle = text::escape_terminal(title);
  if (text::display_width(middle) + 4 > columns && columns > 4) middle = text::truncate(middle, columns - 4);
  middle = " " + middle + " ";
  const auto used = std::min(text::display_width(middle), columns);
  const auto left = std::max<std::size_t>((columns - used) / 2, 1);
  const auto right = std::max<std::size_t>(columns - used - std::min(columns - used, left), 1);
  return text::paint(std::string(left, fill) + middle + std::string(right, fill), tone, look.colour);
}

}  // namespace flakestat::report
