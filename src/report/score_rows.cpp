#include "report/score_rows.hpp"

#include "model/identity.hpp"
#include "report/words.hpp"

namespace flakestat::report {
namespace {

text::Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::flaky:
    case Verdict::consistently_failing: return text::Tone::bad;
    case Verdict::suspect: return text::Tone::warning;
    case Verdict::stable: return text::Tone::good;
    case Verdict::insufficient_data:
    case Verdict::always_skipped: break;
  }
  return text::Tone::faint;
}

bool is_scored(Verdict verdict) { return verdict != Verdict::insufficient_data && verdict != Verdict::always_skipped; }

std::string mark_of(const TestScore& test) {
  const bool fixed = test.verdict == Verdict::flaky && test.possibly_fixed;
  if (test.known_flaky && fixed) return "(framework-reported, possibly fixed)";
  if (test.known_flaky) return "(framework-reported)";
  return fixed ? "(possibly fixed)" : "";
}

// Verdict and evidence; a score of too little data would only look like one.
ScoreRow evidence_row(Verdict verdict, double score, double lower, Confidence confidence) {
  ScoreRow row;
  row.verdict = to_string(verdict);
  row.tone = tone_of(verdict);
  row.score = is_scored(verdict) ? format_score(score) : "-";
  row.lower = is_scored(verdict) ? format_score(lower) : "-";
  row.confidence = is_scored(verdict) ? to_string(confidence) : "-";
  return row;
}

std::string pass_fail(std::uint64_t passes, std::uint64_t fails) {
  return std::to_string(passes) + '/' + std::to_string(fails);
}

ScoreRow test_row(const TestScore& test, bool member) {
  auto row = evidence_row(test.verdict, test.score, test.lower_bound, test.confidence);
  row.runs = std::to_string(test.runs);
  row.pass_fail = pass_fail(test.passes, test.fails);
  row.test = display_name(test);
  row.mark = mark_of(test);
  row.member = member;
  return row;
}

ScoreRow family_row(const Family& family) {
  const auto& worst = family.worst();
  auto row = evidence_row(worst.verdict, family.score, family.lower_bound, worst.confidence);
  row.runs = std::to_string(family.runs);
  row.pass_fail = pass_fail(family.passes, family.fails);
  row.test = display_name(worst.suite, worst.class_name, family.name);
  row.mark = "(" + describe_members(family) + ")";
  return row;
}

}  // namespace

std::vector<ScoreRow> score_rows(const Selection& selection) {
  std::vector<ScoreRow> rows;
  for (const auto& entry : selection.entries) {
    const bool grouped = entry.family && entry.family->members.size() > 1;
    if (grouped) rows.push_back(family_row(*entry.family));
    for (const auto* test : entry.shown) rows.push_back(test_row(*test, grouped));
  }
  return rows;
}

}  // namespace flakestat::report
