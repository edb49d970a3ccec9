#include "stats/flip_rate_model.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "stats/context.hpp"
#include "stats/job_reader.hpp"

namespace flakestat::stats {

bool is_earlier(const ObservationStore& store, std::uint32_t record, std::uint32_t other) {
  const auto place = [&store](std::uint32_t number) {
    const Record& r = store.records[number];
    const Group& group = store.groups[r.group];
    return std::tuple(time_of(r, group), store.runs.text(group.run), repetition_of(r, group), attempt_of(r, group),
                      store.exec_keys[number]);
  };
  const auto x = place(record);
  const auto y = place(other);
  return x != y ? x < y : store.content_less(record, other);
}

FlipRateModel::FlipRateModel(const Prepared& prepared)
    : prepared_(prepared),
      tallies_(prepared.store, prepared.batches, 0, static_cast<std::uint32_t>(prepared.timeline.test_of_rank.size())) {
}

void FlipRateModel::collect() {
  const auto tests = static_cast<std::uint32_t>(prepared_.timeline.test_of_rank.size());
  std::vector<Execution> executions;
  for (const Job& job : prepared_.timeline.jobs) {
    executions.clear();
    read_job(prepared_.store, prepared_.timeline, job, 0, tests, tallies_, executions);
    for (const Execution& e : executions) {
      // The predecessor knows no execution that has no line.
      if (!e.skipped && !e.unrecorded) scored_.push_back({e.test, e.record, e.failed});
    }
  }
}

void FlipRateModel::sort_by_time() {
  const auto& store = prepared_.store;
  std::sort(scored_.begin(), scored_.end(), [&](const Scored& a, const Scored& b) {
    return a.test != b.test ? a.test < b.test : is_earlier(store, a.record, b.record);
  });
  begin_.assign(prepared_.timeline.test_of_rank.size() + 1, scored_.size());
  for (std::size_t i = scored_.size(); i-- > 0;) begin_[scored_[i].test] = i;
  for (std::size_t rank = begin_.size() - 1; rank-- > 0;) begin_[rank] = std::min(begin_[rank], begin_[rank + 1]);
}

void FlipRateModel::fold() {
  std::map<std::string, std::uint32_t> platforms;
  for (std::uint32_t d = 0; d < prepared_.store.dimensions.size(); ++d) {
    const auto number = static_cast<std::uint32_t>(platforms.size());
    platform_of_dimensions_.push_back(
        platforms.try_emplace(platform_key(prepared_.store.dimensions.pairs(d)), number).first->second);
  }
  collect();
  sort_by_time();
}

std::vector<TimedOutcome> FlipRateModel::series(std::uint32_t rank) const {
  const auto& store = prepared_.store;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> contexts;
  std::vector<TimedOutcome> out;
  for (std::size_t i = begin_[rank]; i < begin_[rank + 1]; ++i) {
    const Group& group = store.groups[store.records[scored_[i].record].group];
    const std::pair context(group.branch, platform_of_dimensions_[group.dimensions]);
    const auto number = contexts.try_emplace(context, static_cast<std::uint32_t>(contexts.size())).first->second;
    const auto& wanted = prepared_.options.default_branch;
    // As the predecessor: half weight needs both a known default branch and another one.
    const auto branch = store.branches.text(group.branch);
    const bool on_default = wanted.empty() || branch.empty() || branch == wanted;
    out.push_back({number, group.commit, on_default, scored_[i].failed});
  }
  return out;
}

std::vector<std::uint32_t> FlipRateModel::records(std::uint32_t rank) const {
  std::vector<std::uint32_t> out;
  for (std::size_t i = begin_[rank]; i < begin_[rank + 1]; ++i) out.push_back(scored_[i].record);
  return out;
}

void FlipRateModel::write(std::uint32_t rank, TestScore& out) const {
  const Tally& tally = tallies_.of(rank);
  tallies_.write(rank, out);
  const auto& parameters = prepared_.options.flip_rate;
  const auto reading = flip_rate(series(rank), parameters);
  const FlipRateCounts counts{tally.passes, tally.fails, tally.known_flaky};
  out.verdict = flip_rate_verdict(counts, reading, parameters, prepared_.options.min_runs);
  out.confidence = flip_rate_confidence(reading);
  out.score = tally.known_flaky ? std::max(reading.score, parameters.threshold) : reading.score;
  out.lower_bound = reading.lower;
  out.transitions = reading.transitions;
  out.same_commit_flips = reading.same_commit_flips;
  out.cross_commit_flips = reading.cross_commit_flips;
  if (tally.first_tries > 0) {
    out.rate = static_cast<double>(tally.first_try_fails) / static_cast<double>(tally.first_tries);
  }
}

}  // namespace flakestat::stats
