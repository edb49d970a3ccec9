#include "rules/run_book.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/strings.hpp"

namespace flakestat::rules {
namespace {

std::uint8_t marks_of(const stats::ExecutionView& execution) {
  std::uint8_t marks = execution.failed ? mark::kFailed : mark::kPassed;
  if (execution.sanitised) marks = mark::kSanitised;
  else if (execution.skipped) marks = mark::kSkipped;
  if (execution.quarantined) marks |= mark::kQuarantined;
  return marks;
}

// Unites neighbours of one test in a sorted list.
void unite(std::vector<Entry>& entries) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && entries[kept - 1].test == entries[i].test) entries[kept - 1].marks |= entries[i].marks;
    else entries[kept++] = entries[i];
  }
  entries.resize(kept);
}

std::size_t common_tests(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    count += a[i].test == b[j].test;
    const bool next_a = a[i].test <= b[j].test;
    if (b[j].test <= a[i].test) ++j;
    if (next_a) ++i;
  }
  return count;
}

bool is_later(const Part& part, const Part& later) {
  if (part.attempt && later.attempt) return *later.attempt > *part.attempt;
  return later.started > part.started;
}

bool ran_again(const Part& part, const Part& later) {
  return later.lane == part.lane && is_later(part, later) &&
         2 * common_tests(part.entries, later.entries) >= part.entries.size();
}

}  // namespace

std::uint32_t RunBook::run_of(const stats::JobView& job) {
  const auto id = std::string(job.ci_run.empty() ? job.run_id : job.ci_run);
  const auto [slot, added] =
      run_numbers_.try_emplace({std::string(job.branch), id}, static_cast<std::uint32_t>(runs_.size()));
  if (added) runs_.push_back({id, std::string(job.branch), std::string(job.code), job.started, {}});
  return slot->second;
}

void RunBook::enter(const stats::JobView& job) {
  Part part;
  part.run = run_of(job);
  part.lane = lane_numbers_
                  .try_emplace({std::string(job.branch), std::string(job.environment)},
                               static_cast<std::uint32_t>(lane_numbers_.size()))
                  .first->second;
  part.run_id = job.run_id;
  part.started = job.started;
  part.attempt = number_in<std::uint32_t>(job.ci_attempt);
  part.sharded = !job.ci_shard.empty();
  code_ = job.code_number;
  auto& run = runs_[part.run];
  run.newest = std::max(run.newest, job.started);
  run.parts.push_back(static_cast<std::uint32_t>(parts_.size()));
  parts_.push_back(std::move(part));
}

void RunBook::execution(const stats::ExecutionView& execution) {
  auto& part = parts_.back();
  const auto marks = marks_of(execution);
  if (!part.entries.empty() && part.entries.back().test == execution.test) part.entries.back().marks |= marks;
  else part.entries.push_back({execution.test, marks});
  part.hunt = part.hunt || execution.hunt;
  part.selected = part.selected && execution.partial;
  if (execution.partial && damaged_.contains(execution.run_id)) part.damaged = true;

  if (tests_.size() <= execution.test) tests_.resize(execution.test + 1);
  auto& past = tests_[execution.test];
  if (past.id == TestId{}) {
    past.id = execution.test_id;
    past.first_run = part.run;
    past.first_code = code_;
  }
  past.several_runs = past.several_runs || past.first_run != part.run;
  if ((marks & mark::kFailed) != 0) past.clean = 0;
  else if ((marks & mark::kPassed) != 0) past.most_clean = std::max(past.most_clean, ++past.clean);
}

void RunBook::mark_outages(std::span<const stats::Outage> outages) {
  std::set<std::pair<std::string_view, UnixMillis>> known;
  for (const auto& outage : outages) known.emplace(outage.run_id, outage.started);
  for (auto& part : parts_) part.outage = known.contains({part.run_id, part.started});
}

bool RunBook::is_hunt(std::uint32_t run) const {
  const auto& numbers = runs_[run].parts;
  return std::all_of(numbers.begin(), numbers.end(), [&](std::uint32_t part) { return parts_[part].hunt; });
}

std::vector<std::uint32_t> RunBook::newest_first() const {
  std::vector<std::uint32_t> order(runs_.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(runs_[a].newest, a) > std::tuple(runs_[b].newest, b);
  });
  return order;
}

std::vector<std::uint32_t> RunBook::newest_first(const std::string& branch) const {
  auto order = newest_first();
  std::erase_if(order, [&](std::uint32_t run) { return runs_[run].branch != branch; });
  return order;
}

std::vector<Entry> RunBook::entries_of(const Run& run) const {
  std::vector<Entry> all;
  for (const auto part : run.parts) all.insert(all.end(), parts_[part].entries.begin(), parts_[part].entries.end());
  std::stable_sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.test < b.test; });
  unite(all);
  return all;
}

std::vector<std::uint32_t> RunBook::current_parts(const Run& run) const {
  std::vector<std::uint32_t> current;
  for (const auto number : run.parts) {
    const auto& part = parts_[number];
    const bool old = std::any_of(run.parts.begin(), run.parts.end(),
                                 [&](std::uint32_t other) { return ran_again(part, parts_[other]); });
    if (!old) current.push_back(number);
  }
  return current;
}

}  // namespace flakestat::rules
