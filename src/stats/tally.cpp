#include "stats/tally.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::stats {
namespace {

constexpr std::uint32_t kMaskedBranches = 64;
constexpr std::uint32_t kMaskedContexts = 64;

}  // namespace

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
  if (execution.first_try && !execution.skipped) {
    ++tally.first_tries;
    if (execution.failed) ++tally.first_try_fails;
  }
  if (execution.failed) {
    const UnixMillis time = time_of(r, store_.groups[r.group]);
    if (time != 0) tally.last_failure = tally.last_failure == 0 ? time : std::max(tally.last_failure, time);
  }
  if (!execution.skipped && !r.shared_host && !execution.contended) {
    (execution.failed ? tally.failed_apart : tally.passed_apart) = true;
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
  const std::uint32_t context = context_number(store_.groups[r.group].branch, job.environment);
  if (changes_skipping(tally, rank, context, execution.skipped)) ++tally.weak_flips;
}

// Dense numbers for the pairs of branch and environment; one job has one or few.
std::uint32_t Tallies::context_number(std::uint32_t branch, std::uint32_t environment) {
  const std::uint64_t context = std::uint64_t{branch} << 32 | environment;
  if (context != last_context_) {
    last_context_ = context;
    last_context_number_ =
        context_numbers_.try_emplace(context, static_cast<std::uint32_t>(context_numbers_.size())).first->second;
  }
  return last_context_number_;
}

// Two bits a context in the tally itself for the first contexts: a table would be a cache miss for every execution.
bool Tallies::changes_skipping(Tally& tally, std::uint32_t rank, std::uint32_t context, bool skipped) {
  if (context >= kMaskedContexts) {
    const auto [known, added] = was_skipped_.try_emplace(std::uint64_t{rank} << 32 | context, skipped);
    return !added && std::exchange(known->second, skipped) != skipped;
  }
  const std::uint64_t bit = std::uint64_t{1} << context;
  const bool was_seen = (tally.context_seen & bit) != 0;
  const bool was_skipped = (tally.context_skipped & bit) != 0;
  tally.context_seen |= bit;
  tally.context_skipped = skipped ? tally.context_skipped | bit : tally.context_skipped & ~bit;
  return was_seen && was_skipped != skipped;
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
