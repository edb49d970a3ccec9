#include "report/summary.hpp"

#include "report/words.hpp"

namespace flakestat::report {
namespace {

std::uint64_t& counter(VerdictCounts& counts, Verdict verdict) {
  switch (verdict) {
    case Verdict::flaky: return counts.flaky;
    case Verdict::suspect: return counts.suspect;
    case Verdict::consistently_failing: return counts.consistently_failing;
    case Verdict::insufficient_data: return counts.insufficient_data;
    case Verdict::always_skipped: return counts.always_skipped;
    case Verdict::stable: break;
  }
  return counts.stable;
}

}  // namespace

VerdictCounts count_verdicts(std::span<const TestScore> tests) {
  VerdictCounts counts;
  counts.total = tests.size();
  for (const auto& test : tests) ++counter(counts, test.verdict);
  return counts;
}

std::string summary_line(const VerdictCounts& counts) {
  const auto unscored = counts.insufficient_data + counts.always_skipped;
  return std::to_string(counts.flaky) + " flaky, " + std::to_string(counts.suspect) + " suspect, " +
         std::to_string(counts.consistently_failing) + " consistently failing, " + std::to_string(counts.stable) +
         " stable, " + std::to_string(unscored) + " unscored (of " + counted(counts.total, "test") + ")";
}

void write_summary(text::JsonWriter& json, const VerdictCounts& counts) {
  json.begin_object();
  json.field("total", counts.total).field("flaky", counts.flaky).field("suspect", counts.suspect);
  json.field("stable", counts.stable).field("consistently_failing", counts.consistently_failing);
  json.field("insufficient_data", counts.insufficient_data).field("always_skipped", counts.always_skipped);
  json.end_object();
}

}  // namespace flakestat::report
