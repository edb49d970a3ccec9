#include "stats/walk.hpp"

#include <vector>

#include "stats/executions.hpp"

namespace flakestat::stats {
namespace {

std::string_view dimension(const ObservationStore& store, const Group& group, std::string_view key) {
  for (const auto& [name, value] : store.dimensions.pairs(group.dimensions)) {
    if (name == key) return value;
  }
  return {};
}

JobView view_of(const Prepared& prepared, const Job& job) {
  const auto& store = prepared.store;
  const Group& group = store.groups[store.records[prepared.timeline.records[job.begin]].group];
  JobView view;
  view.code_number = job.code;
  view.code = store.commits.text(group.code);
  view.branch = store.branches.text(group.branch);
  view.environment = prepared.batches.environments[job.environment];
  view.run_id = store.runs.text(job.lead_run);
  view.ci_run = dimension(store, group, dim::kCiRunId);
  view.ci_shard = dimension(store, group, dim::kCiShard);
  view.ci_attempt = dimension(store, group, dim::kCiAttempt);
  view.started = job.start;
  return view;
}

ExecutionView view_of(const ObservationStore& store, const Execution& execution) {
  const Record& record = store.records[execution.record];
  const Group& group = store.groups[record.group];
  ExecutionView view;
  view.test = execution.test;
  view.test_id = store.tests.id(record.test);
  view.run_id = store.runs.text(group.run);
  view.failed = execution.failed;
  view.skipped = execution.skipped;
  view.sanitised = record.sanitised;
  view.quarantined = record.quarantined;
  view.partial = execution.partial;
  view.hunt = group.hunt;
  return view;
}

}  // namespace

void walk_jobs(const Prepared& prepared, JobVisitor& visitor) {
  const auto& store = prepared.store;
  const auto& timeline = prepared.timeline;
  std::vector<Execution> executions;
  for (const Job& job : timeline.jobs) {
    if (job.begin == job.end) continue;
    visitor.enter(view_of(prepared, job));
    const std::span<const std::uint32_t> records(timeline.records.data() + job.begin, job.end - job.begin);
    for (std::size_t first = 0; first < records.size();) {
      const std::uint32_t test = store.records[records[first]].test;
      std::size_t last = first + 1;
      while (last < records.size() && store.records[records[last]].test == test) ++last;
      executions.clear();
      read_executions(store, timeline.rank_of_test[test], records.subspan(first, last - first), executions);
      for (const auto& execution : executions) visitor.execution(view_of(store, execution));
      first = last;
    }
  }
}

}  // namespace flakestat::stats
