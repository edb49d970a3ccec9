#include "stats/trace.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "stats/bayes_shard.hpp"
#include "stats/context.hpp"
#include "stats/flip_rate_model.hpp"
#include "stats/history_impl.hpp"

namespace flakestat::stats {
namespace {

// An execution, as the models read it, before its texts are looked up.
struct Met {
  Execution execution;
  std::uint32_t job = 0;  ///< of the timeline
};

// Numbers of what a trace names, in order of first appearance.
template <class Key>
class Numbers {
 public:
  /// The key's number, and whether it is new.
  std::pair<std::uint32_t, bool> of(const Key& key) {
    const auto [slot, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size()));
    return {slot->second, added};
  }

 private:
  std::map<Key, std::uint32_t> numbers_;
};

class Tracer {
 public:
  Tracer(const Prepared& prepared, std::span<const Outage> outages) : prepared_(prepared) {
    for (const Outage& outage : outages) outages_[outage.job] = &outage;
    is_default_ = default_branches(prepared);
  }

  TracedExecution& add(const Met& met) {
    const auto& store = prepared_.store;
    const Record& record = store.records[met.execution.record];
    const Group& group = store.groups[record.group];
    TracedExecution& out = trace.executions.emplace_back();
    out.time = time_of(record, group);
    out.record = met.execution.record;
    out.job = job(met.job);
    out.run = run(group.run);
    out.place = place(group.dimensions);
    out.attempt = attempt_of(record, group);
    out.repetition = repetition_of(record, group);
    out.status = met.execution.unrecorded ? Status::fail : status_of(record);
    out.first_try = met.execution.first_try && !met.execution.skipped;
    out.unrecorded = met.execution.unrecorded;
    out.known_flaky = record.known_flaky && !out.unrecorded;
    out.quarantined = record.quarantined;
    out.sanitised = record.sanitised;
    out.ambiguous = record.ambiguous;
    out.contended = record.contended;
    out.shared_host = record.shared_host;
    out.partial = record.partial;
    out.hunt = group.hunt;
    out.disagrees = met.execution.disagrees;
    return out;
  }

  std::uint32_t context(std::uint32_t branch, const std::string& environment_key) {
    const auto [number, added] = contexts_.of({branch, environment_key});
    if (added) {
      trace.contexts.push_back({std::string(prepared_.store.branches.text(branch)), environment_name(environment_key),
                                is_default_[branch] != 0});
    }
    return number;
  }

  [[nodiscard]] bool is_outage(std::uint32_t job) const { return outages_.contains(job); }

  Trace trace;

 private:
  std::uint32_t job(std::uint32_t number) {
    const auto [out, added] = jobs_.of(number);
    if (!added) return out;
    const Job& job = prepared_.timeline.jobs[number];
    TracedJob& traced = trace.jobs.emplace_back();
    const Record& first = prepared_.store.records[prepared_.timeline.records[job.begin]];
    traced.code = prepared_.store.commits.text(prepared_.store.groups[first.group].code);
    traced.environment = environment_name(prepared_.batches.environments[job.environment]);
    traced.lead_run = prepared_.store.runs.text(job.lead_run);
    traced.start = job.start;
    if (const auto outage = outages_.find(number); outage != outages_.end()) {
      traced.outage = true;
      traced.tests = outage->second->tests;
      traced.failures = outage->second->failures;
      traced.hit_rate = outage->second->hit_rate;
    }
    return out;
  }

  std::uint32_t run(std::uint32_t number) {
    const auto [out, added] = runs_.of(number);
    if (added) trace.runs.emplace_back(prepared_.store.runs.text(number));
    return out;
  }

  std::uint32_t place(std::uint32_t number) {
    const auto [out, added] = places_.of(number);
    if (!added) return out;
    auto& pairs = trace.places.emplace_back();
    for (const auto& [key, value] : prepared_.store.dimensions.pairs(number)) pairs.emplace_back(key, value);
    return out;
  }

  const Prepared prepared_;
  std::unordered_map<std::uint32_t, const Outage*> outages_;  ///< by job
  std::vector<std::uint8_t> is_default_;
  Numbers<std::uint32_t> jobs_;
  Numbers<std::uint32_t> runs_;
  Numbers<std::uint32_t> places_;
  Numbers<std::pair<std::uint32_t, std::string>> contexts_;
};

Mark mark_of(std::uint32_t same_code_flips, std::uint32_t cross_code_flips) {
  if (same_code_flips > 0) return Mark::same_code_flip;
  return cross_code_flips > 0 ? Mark::flip : Mark::none;
}

// The filter itself walks: whatever it counts at an execution is that execution's mark. What it counts does not depend
// on break rates or hit rates, so the ordinary ones do.
void trace_bayes(const Prepared& prepared, std::uint32_t rank, Tracer& tracer) {
  const auto& options = prepared.options;
  const BayesFilter filter(options.bayes, options.same_code_window_ms, prepared.batches.environments.size() > 1);
  const auto is_default = default_branches(prepared);
  BayesShard shard(prepared, filter, is_default, rank, rank + 1);
  const Likelihood ordinary = filter.likelihood(0);
  std::map<std::uint32_t, std::uint32_t> newest;  // context -> its newest execution
  for (std::uint32_t number = 0; number < prepared.timeline.jobs.size(); ++number) {
    const Job& job = prepared.timeline.jobs[number];
    shard.read(job);
    const JobPlan plan{
        &job, options.bayes.break_rate.value_or(0.003), &ordinary, &ordinary, &ordinary, tracer.is_outage(number)};
    for (const Execution& execution : shard.executions()) {
      TracedExecution& traced = tracer.add({execution, number});
      std::uint32_t branch = execution.branch;
      std::uint32_t environment = job.environment;
      const TestState before = shard.state(rank);
      if (!execution.skipped) {
        const Lane* lane = nullptr;
        (void)shard.step(plan, execution, lane);
        branch = lane->branch;
        environment = lane->environment;
      }
      const TestState& after = shard.state(rank);
      traced.context = tracer.context(branch, prepared.batches.environments[environment]);
      if (execution.skipped) continue;
      if (after.transitions > before.transitions) {
        traced.compared_with = newest.at(traced.context);
        traced.mark =
            mark_of(after.same_code_flips - before.same_code_flips, after.cross_code_flips - before.cross_code_flips);
      }
      newest[traced.context] = static_cast<std::uint32_t>(tracer.trace.executions.size() - 1);
    }
  }
}

std::vector<Met> read_by_time(const Prepared& prepared, std::uint32_t rank) {
  Tallies tallies(prepared.store, prepared.batches, rank, rank + 1);
  std::vector<Met> out;
  std::vector<Execution> executions;
  for (std::uint32_t number = 0; number < prepared.timeline.jobs.size(); ++number) {
    executions.clear();
    read_job(prepared.store, prepared.timeline, prepared.timeline.jobs[number], rank, rank + 1, tallies, executions);
    for (const Execution& execution : executions) {
      if (!execution.unrecorded) out.push_back({execution, number});
    }
  }
  std::sort(out.begin(), out.end(), [&](const Met& a, const Met& b) {
    return is_earlier(prepared.store, a.execution.record, b.execution.record);
  });
  return out;
}

void trace_flip_rate(const Prepared& prepared, std::uint32_t rank, Tracer& tracer) {
  FlipRateModel model(prepared);
  model.fold();
  std::vector<std::uint32_t> position;  // of the series in the trace
  for (const Met& met : read_by_time(prepared, rank)) {
    TracedExecution& traced = tracer.add(met);
    const Group& group = prepared.store.groups[prepared.store.records[traced.record].group];
    traced.context = tracer.context(group.branch, platform_key(prepared.store.dimensions.pairs(group.dimensions)));
    if (!met.execution.skipped) position.push_back(static_cast<std::uint32_t>(tracer.trace.executions.size() - 1));
  }
  const auto series = model.series(rank);
  for_each_neighbours(series, [&](std::size_t before, std::size_t now, std::uint64_t) {
    TracedExecution& traced = tracer.trace.executions[position[now]];
    traced.compared_with = position[before];
    if (series[before].failed == series[now].failed) return;
    traced.mark = series[before].commit == series[now].commit ? Mark::same_code_flip : Mark::flip;
  });
}

}  // namespace

Trace History::trace(TestId test, const ScoringOptions& options, std::span<const Outage> outages) const {
  const ObservationStore& store = impl_->store;
  const auto number = store.tests.find(test);
  if (!number) return {};
  Team alone(1);
  const auto duplicates = find_duplicates(store);
  Batches batches = survey(store, options, duplicates);
  // Jobs, codes and environments are those of the whole history; only this test's records need an order.
  batches.dropped.resize(store.size());
  for (std::uint32_t record = 0; record < store.size(); ++record) {
    if (store.records[record].test != *number) batches.dropped[record] = true;
  }
  const Timeline timeline = order_records(store, batches, options, alone);
  const Prepared prepared{store, batches, timeline, options};
  const std::uint32_t rank = timeline.rank_of_test[*number];
  Tracer tracer(prepared, outages);
  if (options.model == Model::bayes) trace_bayes(prepared, rank, tracer);
  else trace_flip_rate(prepared, rank, tracer);
  return std::move(tracer.trace);
}

}  // namespace flakestat::stats
