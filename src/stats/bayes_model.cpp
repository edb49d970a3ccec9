#include "stats/bayes_model.hpp"

#include <algorithm>

#include "stats/bayes_reading.hpp"
#include "stats/context.hpp"
#include "stats/detectability.hpp"
#include "stats/job_reader.hpp"

namespace flakestat::stats {
namespace {

// A failure under contention is explained by the contention as far as the filter can: it says next to nothing.
constexpr double kContendedHitRate = 0.95;

}  // namespace

BayesModel::BayesModel(const Prepared& prepared)
    : prepared_(prepared),
      filter_(prepared.options.bayes, prepared.options.same_code_window_ms, prepared.batches.environments.size() > 1),
      break_rate_(prepared.options.bayes.break_rate),
      ordinary_(filter_.likelihood(0)),
      contended_(filter_.likelihood(kContendedHitRate)),
      states_(prepared.timeline.test_of_rank.size(), filter_.fresh()),
      outage_jobs_(prepared.timeline.jobs.size()) {
  const auto& branches = prepared.store.branches;
  const std::string& wanted = prepared.options.default_branch;
  for (std::uint32_t b = 0; b < branches.size(); ++b) {
    is_default_.push_back(!wanted.empty() && branches.text(b) == wanted);
  }
}

void BayesModel::fold(Tallies& tallies) {
  std::vector<Execution> executions;
  const auto& jobs = prepared_.timeline.jobs;
  for (std::uint32_t number = 0; number < jobs.size(); ++number) {
    read_job(prepared_.store, prepared_.timeline, jobs[number], tallies, executions);
    fold_job(number, executions);
  }
}

Visit BayesModel::visit(const Job& job, const Execution& execution) const {
  return {execution.branch, job.environment, job.code, is_default_[execution.branch] != 0, job.start};
}

// Only whole runs show an outage: a run that selected tests may have selected the failing ones.
FailureLoad BayesModel::load(const Job& job, std::span<const Execution> executions, double rate) const {
  FailureLoad out;
  for (const Execution& e : executions) {
    if (!e.first || e.partial) continue;
    ++out.tests;
    if (e.failed) ++out.failures;
  }
  if (out.failures < kLeastOutageFailures) return out;
  for (const Execution& e : executions) {
    if (!e.first || e.partial) continue;
    out.add(filter_.expected_failure(states_[e.test], visit(job, e), rate));
    if (!is_excessive(out)) return out;  // the sums only grow: it cannot become an outage again
  }
  return out;
}

void BayesModel::fold_job(std::uint32_t number, std::span<const Execution> executions) {
  const Job& job = prepared_.timeline.jobs[number];
  const double rate = break_rate_.current();
  const FailureLoad failures = load(job, executions, rate);
  const double hit = hit_rate(failures);
  const bool outage = hit > 0;
  if (outage) {
    outage_jobs_[number] = true;
    outages_.push_back({std::string(prepared_.store.runs.text(job.lead_run)), job.start, failures.tests,
                        failures.failures, hit});
  }
  const Likelihood in_outage = outage ? filter_.likelihood(hit) : Likelihood{};
  for (const Execution& e : executions) {
    if (e.skipped) continue;
    const Likelihood& likelihood = e.contended ? contended_ : outage ? in_outage : ordinary_;
    const Outcome outcome{e.failed, e.can_prove && !outage};
    break_rate_.add(filter_.apply(states_[e.test], visit(job, e), outcome, likelihood, rate));
  }
}

void BayesModel::write(std::uint32_t rank, const Tally& tally, TestScore& out) const {
  const TestState& test = states_[rank];
  const auto& parameters = prepared_.options.bayes;
  const auto reading = read_state(test, filter_);
  const RunCounts counts{tally.passes, tally.fails, tally.contended_failure};
  out.verdict = bayes_verdict(counts, test, reading, parameters, prepared_.options.min_runs);
  out.confidence = bayes_confidence(out.verdict, test, reading);
  out.score = reading.score;
  out.lower_bound = reading.lower;
  out.p_flaky = reading.p_flaky;
  out.p_broken = reading.p_broken;
  out.rate = reading.rate;
  out.transitions = test.transitions;
  out.same_commit_flips = test.same_code_flips;
  out.cross_commit_flips = test.cross_code_flips;
  out.proofs = test.proofs;
  out.clean_runs = test.clean;
  out.ruled_out_above = ruled_out_above(test.clean);
  out.failing_run = test.failing_run;
  out.possibly_fixed = out.verdict == Verdict::flaky && reading.p_flaky < parameters.enter;
  auto broken = reading.broken_environments;
  std::sort(broken.begin(), broken.end());
  for (const std::uint32_t environment : broken) {
    out.broken_lanes.push_back(environment_name(prepared_.batches.environments[environment]));
  }
}

bool BayesModel::in_newest_proof(const Job& job, std::uint32_t job_number, std::uint32_t record) const {
  const Record& r = prepared_.store.records[record];
  const ProofCell& proof = states_[prepared_.timeline.rank_of_test[r.test]].proof;
  if (proof.code != job.code || proof.environment != job.environment || outage_jobs_[job_number]) return false;
  if (status_of(r) == Status::skip || r.ambiguous || r.contended || r.shared_host) return false;
  if (proof.start == 0 || job.start == 0) return true;
  const std::int64_t window = std::max<std::int64_t>(prepared_.options.same_code_window_ms, 0);
  return job.start >= proof.start && job.start - proof.start <= window;
}

std::vector<std::vector<std::uint32_t>> BayesModel::proof_runs() const {
  std::vector<std::vector<std::uint32_t>> out(states_.size());
  const auto& timeline = prepared_.timeline;
  for (std::uint32_t number = 0; number < timeline.jobs.size(); ++number) {
    const Job& job = timeline.jobs[number];
    for (std::uint32_t i = job.begin; i < job.end; ++i) {
      const std::uint32_t record = timeline.records[i];
      if (!in_newest_proof(job, number, record)) continue;
      const Record& r = prepared_.store.records[record];
      auto& runs = out[timeline.rank_of_test[r.test]];
      const std::uint32_t run = prepared_.store.groups[r.group].run;
      if (runs.empty() || runs.back() != run) runs.push_back(run);
    }
  }
  return out;
}

}  // namespace flakestat::stats
