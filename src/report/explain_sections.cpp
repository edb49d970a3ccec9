#include "report/explain_sections.hpp"

#include <algorithm>
#include <cstdio>

#include "report/explain_reasons.hpp"
#include "report/power.hpp"
#include "report/words.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using text::Align;

constexpr std::size_t kMostClusters = 5;
constexpr std::size_t kMostValues = 8;  // of one dimension
constexpr std::size_t kMostDimensions = 16;
constexpr std::size_t kMessageWidth = 160;

std::string probability(double value) {
  if (value > 0.9995 && value < 1) return ">0.999";
  return format_score(value);
}

std::string of(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string day(UnixMillis time) { return time == 0 ? "an unknown time" : format_utc(time).substr(0, 19) + "Z"; }

Phrase first_tries(const stats::FirstTryRate& rate) {
  if (rate.tries == 0) return {"none recorded"};
  std::string out = "failed " + of(rate.fails, rate.tries) + ": " + percent(rate.rate) +
                    " (95 %: " + percent(rate.interval.lower) + " to " + percent(rate.interval.upper);
  out += rate.any_stop ? "; valid whenever the runs stopped, since a hunt may stop at a failure)"
                       : "; exact: the results did not decide how many runs there are)";
  if (rate.tries_in_outages > 0) {
    out += "; " + of(rate.fails_in_outages, rate.tries_in_outages) + " in outages";
  }
  return {out};
}

Phrase executions(const TestScore& score) {
  std::string out = std::to_string(score.runs) + ": " + std::to_string(score.passes) + " passed, " +
                    std::to_string(score.fails) + " failed";
  if (score.skips > 0) out += ", " + std::to_string(score.skips) + " skipped beside them";
  return {out + "; " + counted(score.commits, "commit") + ", " + counted(score.branches, "branch", "branches")};
}

Phrase flips(const TestScore& score, bool bayes) {
  std::string out = std::to_string(score.same_commit_flips) + " on the same code, " +
                    std::to_string(score.cross_commit_flips) + " across codes, in " +
                    counted(score.transitions, "comparison");
  if (bayes) out += "; " + counted(score.proofs, "proof");
  return {out};
}

Phrase seen(const TestScore& score) {
  std::string out = day(score.first_seen) + " to " + day(score.last_seen);
  if (score.last_failure != 0) out += ", last failure " + day(score.last_failure);
  return {out};
}

Phrase clean(const stats::Stretch& stretch) {
  Phrase out("for " + counted(stretch.runs, "run") + " since ");
  if (stretch.code.empty()) out.say(day(stretch.since));
  else out.quote(short_code(stretch.code));
  return out.say(": rates above " + percent_up(stats::ruled_out_above(stretch.runs)) + " are ruled out at 95 %");
}

Phrase sanitised(const Explanation& found) {
  Phrase out(std::to_string(found.score.sanitised));
  bool first = true;
  for (const auto& [assumption, count] : found.sanitised) {
    out.say(first ? " (" : ", ").quote(assumption).say(" " + std::to_string(count));
    first = false;
  }
  return first ? out : out.say(")");
}

Section message_section(const FailureMessages& messages) {
  Section out;
  if (messages.failures + messages.without_message == 0) return out;
  out.heading = "failures";
  out.table.columns = {{"COUNT", Align::right}, {"LAST SEEN", Align::left}, {"MESSAGE", Align::left}};
  const auto shown = std::min(messages.clusters.size(), kMostClusters);
  std::uint64_t counted_failures = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& cluster = messages.clusters[i];
    counted_failures += cluster.count;
    out.table.rows.push_back({{std::to_string(cluster.count)},
                              {day(cluster.last_seen)},
                              Phrase().quote(text::truncate(cluster.example, kMessageWidth))});
  }
  if (shown == 0) out.table = {};
  if (messages.failures > counted_failures) {
    out.lines.emplace_back(counted(messages.failures - counted_failures, "more failure") + " of other kinds");
  }
  if (messages.without_message > 0) {
    out.lines.emplace_back(counted(messages.without_message, "failure") + " without a message");
  }
  return out;
}

std::vector<Phrase> duration_row(std::string_view name, const stats::Spread& spread) {
  return {{name},
          {std::to_string(spread.count)},
          {format_duration(spread.median)},
          {format_duration(spread.lower_quartile) + " to " + format_duration(spread.upper_quartile)}};
}

Section duration_section(const Explanation& found) {
  Section out;
  if (found.pass_durations.count + found.fail_durations.count == 0) return out;
  out.heading = "durations";
  out.table.columns = {
      {"OUTCOME", Align::left}, {"COUNT", Align::right}, {"MEDIAN", Align::right}, {"MIDDLE HALF", Align::left}};
  if (found.pass_durations.count > 0) out.table.rows.push_back(duration_row("passed", found.pass_durations));
  if (found.fail_durations.count > 0) out.table.rows.push_back(duration_row("failed", found.fail_durations));
  return out;
}

Section dimension_section(const stats::Associations& associations) {
  Section out;
  if (associations.values.empty()) return out;
  out.heading = "by dimension (first tries outside outages)";
  out.table.columns = {
      {"RUNS", Align::right}, {"FAILED", Align::right}, {"RATE", Align::right}, {"VALUE", Align::left}};
  const auto& values = associations.values;
  std::size_t keys = 0;
  std::size_t left_out = 0;
  for (std::size_t first = 0; first < values.size();) {
    std::size_t last = first;
    while (last < values.size() && values[last].pair.first == values[first].pair.first) ++last;
    const std::size_t shown = ++keys > kMostDimensions ? first : std::min(last, first + kMostValues);
    for (std::size_t i = first; i < shown; ++i) {
      const auto& [pair, count] = values[i];
      out.table.rows.push_back(
          {{std::to_string(count.runs)}, {std::to_string(count.fails)}, {percent(count.rate())}, pair_phrase(pair)});
    }
    left_out += last - shown;
    first = last;
  }
  if (left_out > 0) out.lines.emplace_back(counted(left_out, "more value"));
  return out;
}

}  // namespace

std::string percent(double rate) {
  const double value = rate * 100;
  if (value > 0 && value < 0.01) return "<0.01 %";
  char text[32];
  if (value >= 10 || value == 0) std::snprintf(text, sizeof text, "%.0f %%", value);
  else std::snprintf(text, sizeof text, "%.2g %%", value);
  return text;
}

std::string verdict_line(const Explanation& found) {
  const auto& score = found.score;
  std::string out(to_string(score.verdict));
  if (score.verdict == Verdict::insufficient_data || score.verdict == Verdict::always_skipped) return out;
  out += " (" + std::string(to_string(score.confidence)) + " confidence): score " + format_score(score.score) +
         ", at least " + format_score(score.lower_bound);
  if (found.model != stats::Model::bayes) return out;
  out += ", P(flaky) " + probability(score.p_flaky);
  if (score.p_broken >= 0.0005) out += ", P(broken) " + probability(score.p_broken);
  return out;
}

Section number_section(const Explanation& found) {
  const auto& score = found.score;
  const bool bayes = found.model == stats::Model::bayes;
  Section out;
  auto& facts = out.facts;
  facts.emplace_back("first tries", first_tries(found.findings.first_tries));
  if (bayes && score.runs > 0)
    facts.emplace_back("on healthy code", "fails at " + percent(score.rate) + " by the model");
  facts.emplace_back("executions", executions(score));
  if (score.runs > 0) facts.emplace_back("flips", flips(score, bayes));
  if (score.weak_flips > 0) {
    facts.emplace_back("weak flips", counted(score.weak_flips, "change") + " between running and being skipped");
  }
  if (score.sanitised > 0) facts.emplace_back("sanitised", sanitised(found));
  if (found.would_sanitise > 0) {
    facts.emplace_back("report-only", counted(found.would_sanitise, "execution") + " would have been sanitised");
  }
  if (score.quarantined > 0) facts.emplace_back("quarantined", counted(score.quarantined, "failure") + " tolerated");
  facts.emplace_back("seen", seen(score));
  if (found.findings.clean.runs > 0) facts.emplace_back("clean", clean(found.findings.clean));
  return out;
}

std::vector<Section> evidence_sections(const Explanation& found) {
  std::vector<Section> out;
  out.push_back(message_section(found.messages));
  out.push_back(duration_section(found));
  auto dimensions = dimension_section(found.associations);
  for (auto& line : association_lines(found.associations)) {
    if (dimensions.heading.empty()) dimensions.heading = "by dimension";
    dimensions.lines.push_back(std::move(line));
  }
  out.push_back(std::move(dimensions));
  std::erase_if(out, [](const Section& section) { return section.heading.empty(); });
  return out;
}

}  // namespace flakestat::report
