#include "stats/tally.hpp"

#include <algorithm>

namespace flakestat::stats {
namespace {

constexpr std::uint32_t kMaskedBranches = 64;

}  // namespace

std::size_t Tallies::ContextHash::operator()(const Context& c) const {
  std::uint64_t h = (std::uint64_t{c.test} << 32 | c.branch) * 0x9E3779B97F4A7C15ULL;
  h = (h ^ h >> 32 ^ c.environment) * 0xBF58476D1CE4E5B9ULL;
  return h ^ h >> 32;
}

Tallies::Tallies(const ObservationStore& store, const Batches& batches, std::uint32_t begin, std::uint32_t end)
    : store_(store), batches_(batches), begin_(begin), tallies_(end - begin) {}

void Tallies::add(const Job& job, std::uint32_t rank, std::span<const std::uint32_t> records,
                  std::span<const Execution> executions) {
  Tally& tally = tallies_[rank - begin_];
  for (const std::uint32_t record : records) count_record(job, tally, rank, record);
  for (const Execution& execution : executions) count_execution(job, tally, rank, execution);
}

void Tallies::count_record(const Job& job, Tally& tally, std::uint32_t rank, std::uint32_t record) {
  const Record& r = store_.records[record];
  const Group& group = store_.groups[r.group];
  if (const UnixMillis time = time_of(r, group); time != 0) {
    tally.first_seen = tally.first_seen == 0 ? time : std::min(tally.first_seen, time);
    tally.last_seen = tally.last_seen == 0 ? time : std::max(tally.last_seen, time);
  }
  tally.known_flaky = tally.known_flaky || r.known_flaky;
  tally.sanitised += r.sanitised;
  if (tally.last_code != job.code) {
    tally.last_code = job.code;
    if (job.has_commit) ++tally.commits;
  }
  if (tally.last_branch != group.branch) count_branch(tally, rank, group.branch);
}

void Tallies::count_branch(Tally& tally, std::uint32_t rank, std::uint32_t branch) {
  tally.last_branch = branch;
  bool added = false;
  if (branch < kMaskedBranches) {
    const std::uint64_t bit = std::uint64_t{1} << branch;
    added = (tally.branch_mask & bit) == 0;
    tally.branch_mask |= bit;
  } else {
    added = more_branches_.insert(std::uint64_t{rank} << 32 | branch).second;
  }
  if (added && !store_.branches.text(branch).empty()) ++tally.branches;
}

void Tallies::count_execution(const Job& job, Tally& tally, std::uint32_t rank, const Execution& execution) {
  const Record& r = store_.records[execution.record];
  if (execution.first_try) {
    ++tally.first_tries;
    if (execution.failed) ++tally.first_try_fails;
  }
  if (execution.failed) {
    const UnixMillis time = time_of(r, store_.groups[r.group]);
    if (time != 0) tally.last_failure = tally.last_failure == 0 ? time : std::max(tally.last_failure, time);
  }
  if (execution.unrecorded) return;
  count_weak_flip(job, tally, rank, execution);
  if (execution.skipped) {
    ++tally.skips;
  } else if (execution.failed) {
    ++tally.fails;
    tally.quarantined += r.quarantined;
    tally.contended_failure = tally.contended_failure || execution.contended;
  } else {
    ++tally.passes;
    tally.last_pass = execution.record;
  }
}

void Tallies::count_weak_flip(const Job& job, Tally& tally, std::uint32_t rank, const Execution& execution) {
  const Record& r = store_.records[execution.record];
  if (batches_.test_kinds[r.test] != (kHasRun | kHasSkip)) return;
  const Context context{rank, store_.groups[r.group].branch, job.environment};
  const auto [slot, added] = was_skipped_.try_emplace(context, execution.skipped);
  if (added || slot->second == execution.skipped) return;
  slot->second = execution.skipped;
  ++tally.weak_flips;
}

void Tallies::write(std::uint32_t rank, TestScore& out) const {
  const Tally& tally = of(rank);
  out.runs = tally.passes + tally.fails;
  out.passes = tally.passes;
  out.fails = tally.fails;
  out.skips = tally.skips;
  out.sanitised = tally.sanitised;
  out.quarantined = tally.quarantined;
  out.weak_flips = tally.weak_flips;
  out.commits = tally.commits;
  out.branches = tally.branches;
  out.known_flaky = tally.known_flaky;
  out.first_seen = tally.first_seen;
  out.last_seen = tally.last_seen;
  out.last_failure = tally.last_failure;
  out.first_tries = tally.first_tries;
  out.first_try_fails = tally.first_try_fails;
  if (tally.last_pass != kNone) {
    const Group& group = store_.groups[store_.records[tally.last_pass].group];
    out.last_pass_commit = store_.commits.text(group.code);
  }
}

}  // namespace flakestat::stats
