#include "stats/bayes_shard.hpp"

namespace flakestat::stats {

BayesShard::BayesShard(const Prepared& prepared, const BayesFilter& filter, const std::vector<std::uint8_t>& is_default,
                       std::uint32_t begin, std::uint32_t end)
    : prepared_(prepared),
      filter_(filter),
      is_default_(is_default),
      begin_(begin),
      end_(end),
      states_(end - begin, filter.fresh()),
      tallies_(prepared.store, prepared.batches, begin, end) {}

void BayesShard::read(const Job& job) {
  executions_.clear();
  read_job(prepared_.store, prepared_.timeline, job, begin_, end_, tallies_, executions_);
}

Visit BayesShard::visit(const Job& job, std::uint32_t branch) const {
  return {branch, job.environment, job.code, is_default_[branch] != 0, job.start};
}

// Executions of a job nearly always share a branch.
const LaneCursor& BayesShard::enter(const Job& job, std::uint32_t branch) {
  if (entered_job_ != &job || entered_branch_ != branch) {
    cursor_ = &lanes_.enter(visit(job, branch));
    entered_job_ = &job;
    entered_branch_ = branch;
  }
  return *cursor_;
}

bool BayesShard::add_expected(const Job& job, double break_rate, FailureLoad& load) {
  for (const Execution& e : executions_) {
    if (!e.first || e.partial) continue;
    const Lane* lane = enter(job, e.branch).find(local(e.test));
    load.add(filter_.expected_failure(state(e.test), lane, visit(job, e.branch), break_rate));
    if (!is_excessive(load)) return false;
  }
  return true;
}

void BayesShard::apply(const JobPlan& plan) {
  samples_.clear();
  for (const Execution& e : executions_) {
    if (e.skipped) continue;
    TestState& test = states_[local(e.test)];
    Lane& lane = enter(*plan.job, e.branch).lane(local(e.test));
    const Outcome outcome{e.failed, e.can_prove && !plan.outage};
    const Likelihood& likelihood = e.contended ? *plan.contended : *plan.ordinary;
    const auto sample =
        filter_.apply(test, lane, arena_, visit(*plan.job, e.branch), outcome, likelihood, plan.break_rate);
    if (sample.counts) samples_.push_back(sample);
  }
}

}  // namespace flakestat::stats
