#include <algorithm>

#include "report/hunt.hpp"
#include "report/hunt_doubts.hpp"
#include "report/hunt_ends.hpp"
#include "report/power.hpp"
#include "report/report_table.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

constexpr std::size_t kOutputLines = 20;

std::string headline(const HuntSummary& hunt) {
  const auto made = hunt.runs.size() - static_cast<std::size_t>(hunt.verifying);
  const auto planned = static_cast<std::uint64_t>(std::max(hunt.planned_runs, 0));
  std::string out = made == planned ? counted(made, "run") : std::to_string(made) + " of " + counted(planned, "run");
  out += " of " + text::escape_terminal(quote_command(hunt.command)) + " in " + format_duration(hunt.wall_ms);
  if (hunt.parallel > 1) out += ", " + std::to_string(hunt.parallel) + " at a time (isolated: " + hunt.isolation + ")";
  if (hunt.interrupted) out += " (interrupted)";
  else if (hunt.stopped_early) out += " (stopped at the first disagreement)";
  else if (hunt.goal.out_of_time) out += " (out of time)";
  else if (hunt.goal.settled) out += " (every test is settled)";
  return out + "\n";
}

std::string failing_output(const HuntSummary& hunt, const text::Look& look) {
  if (hunt.failing_run == 0 || hunt.failing_output.empty()) return {};
  const auto lines = text::terminal_lines(hunt.failing_output);
  std::string out = "last output of run " + std::to_string(hunt.failing_run) + ", the first that failed" +
                    (hunt.exit_codes_only ? "" : " without a failing case") + ":\n";
  for (std::size_t i = lines.size() - std::min(lines.size(), kOutputLines); i < lines.size(); ++i) {
    out += text::paint("  |", Tone::faint, look.colour) + (lines[i].empty() ? "" : " " + lines[i]) + "\n";
  }
  return out;
}

std::string warning_lines(const HuntSummary& hunt, const text::Look& look) {
  std::string out;
  for (const auto& line : describe_ends(hunt.runs)) out += line + "\n";
  for (const auto& line : describe_doubts(hunt)) out += line + "\n";
  for (const auto& warning : hunt.warnings) {
    out += text::paint("warning:", Tone::warning, look.colour) + " " + text::escape_terminal(warning) + "\n";
  }
  return out;
}

std::string again_lines(const HuntSummary& hunt) {
  std::string out = hunt.again.empty() ? "" : "to make a failing run again:\n";
  for (const auto& each : hunt.again) {
    out += "  " + each.command + "   (" + text::escape_terminal(each.test) + " failed)\n";
  }
  if (!hunt.kept) return out;
  return out + "output and report of run " + std::to_string(hunt.kept->run) + " are kept in " +
         text::escape_terminal(hunt.kept->folder) + "\n";
}

}  // namespace

std::string hunt_text(const HuntSummary& hunt, const stats::Scores& scores, const ReportOptions& options) {
  const auto selection = select_entries(scores.tests, options);
  std::string out = headline(hunt) + "\n" + score_table(scores, selection, options) + "\n";
  out += failing_output(hunt, options.look);
  out += warning_lines(hunt, options.look);
  out += text::paint(summary_line(count_verdicts(scores.tests)), Tone::strong, options.look.colour) + "\n";
  for (const auto& note : collect_notes(scores, selection, options)) out += note_line(note);
  out += hunt_rates(hunt.goal, options.look) + hunt_end(hunt.goal);
  out += again_lines(hunt);
  return out + power_line(measure_power(scores.tests)) + "\n";
}

}  // namespace flakestat::report
