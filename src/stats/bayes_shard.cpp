#include "stats/bayes_shard.hpp"

namespace flakestat::stats {

std::vector<std::uint8_t> default_branches(const Prepared& prepared) {
  const auto& branches = prepared.store.branches;
  std::vector<std::uint8_t> out;
  for (std::uint32_t b = 0; b < branches.size(); ++b) {
    // With no default branch known, executions without a branch are a history of their own: nobody works beside it.
    out.push_back(branches.text(b) == prepared.options.default_branch ? 1 : 0);
  }
  return out;
}

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
    if (!e.first || e.partial || e.disagrees) continue;
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
    const Lane* lane = nullptr;
    const auto sample = step(plan, e, lane);
    if (sample.counts) samples_.push_back(sample);
  }
}

BreakSample BayesShard::step(const JobPlan& plan, const Execution& execution, const Lane*& lane) {
  const std::uint32_t number = local(execution.test);
  Lane& own = enter(*plan.job, execution.branch).lane(number);
  lane = &own;
  const Outcome outcome{execution.failed, execution.can_prove && (!plan.outage || execution.disagrees)};
  const Likelihood& outside = execution.disagrees ? *plan.undisturbed : *plan.ordinary;
  const Likelihood& likelihood = execution.contended ? *plan.contended : outside;
  return filter_.apply(states_[number], own, arena_, visit(*plan.job, execution.branch), outcome, likelihood,
                       plan.break_rate);
}

}  // namespace flakestat::stats
