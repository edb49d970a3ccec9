#include "stats/bayes_model.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "stats/bayes_reading.hpp"
#include "stats/context.hpp"
#include "stats/detectability.hpp"

namespace flakestat::stats {
namespace {

// A failure under contention is explained by the contention as far as the filter can: it says next to nothing.
constexpr double kContendedHitRate = 0.95;

// Fewer records than this are folded sooner than a thread wakes up.
constexpr std::size_t kWorthWaking = 4096;

}  // namespace

BayesModel::BayesModel(const Prepared& prepared, Team& team)
    : prepared_(prepared),
      team_(team),
      filter_(prepared.options.bayes, prepared.options.same_code_window_ms, prepared.batches.environments.size() > 1),
      break_rate_(prepared.options.bayes.break_rate),
      ordinary_(filter_.likelihood(0)),
      contended_(filter_.likelihood(kContendedHitRate)),
      is_default_(default_branches(prepared)),
      outage_jobs_(prepared.timeline.jobs.size()) {
  const auto tests = static_cast<std::uint32_t>(prepared.timeline.test_of_rank.size());
  const auto members = static_cast<std::uint32_t>(team.size());
  tests_a_shard_ = std::max<std::uint32_t>((tests + members - 1) / members, 1);
  for (std::uint32_t member = 0; member < members; ++member) {
    const std::uint32_t begin = std::min(member * tests_a_shard_, tests);
    shards_.push_back(
        std::make_unique<BayesShard>(prepared, filter_, is_default_, begin, std::min(begin + tests_a_shard_, tests)));
  }
}

void BayesModel::fold() {
  const auto& jobs = prepared_.timeline.jobs;
  if (jobs.empty()) return;
  for (auto& shard : shards_) shard->read(jobs.front());
  for (std::uint32_t number = 0; number < jobs.size(); ++number) {
    Likelihood in_outage;
    const JobPlan now = plan(number, in_outage);
    const Job* next = number + 1 < jobs.size() ? &jobs[number + 1] : nullptr;
    const auto work = [&](std::size_t member) {
      shards_[member]->apply(now);
      if (next != nullptr) shards_[member]->read(*next);
    };
    const std::size_t size = jobs[number].end - jobs[number].begin + (next != nullptr ? next->end - next->begin : 0);
    if (size < kWorthWaking) team_.run_alone(work);
    else team_.run(work);
    for (const auto& shard : shards_) {
      for (const BreakSample& sample : shard->samples()) break_rate_.add(sample);
    }
  }
}

// Only whole runs show an outage: a run that selected tests may have selected the failing ones.
FailureLoad BayesModel::load(const Job& job, double rate) {
  FailureLoad out;
  for (const auto& shard : shards_) {
    for (const Execution& e : shard->executions()) {
      if (!e.first || e.partial || e.disagrees) continue;
      ++out.tests;
      if (e.failed) ++out.failures;
    }
  }
  if (out.failures < kLeastOutageFailures) return out;
  for (const auto& shard : shards_) {
    if (!shard->add_expected(job, rate, out)) break;  // the sums only grow: it cannot become an outage again
  }
  return out;
}

JobPlan BayesModel::plan(std::uint32_t number, Likelihood& in_outage) {
  const Job& job = prepared_.timeline.jobs[number];
  JobPlan out{&job, break_rate_.current(), &ordinary_, &contended_, &ordinary_, false};
  const FailureLoad failures = load(job, out.break_rate);
  const double hit = hit_rate(failures);
  if (!(hit > 0)) return out;
  in_outage = filter_.likelihood(hit);
  out.ordinary = &in_outage;
  out.outage = true;
  outage_jobs_[number] = true;
  outages_.push_back({std::string(prepared_.store.runs.text(job.lead_run)), job.start, failures.tests,
                      failures.failures, hit, number});
  return out;
}

void BayesModel::write(std::uint32_t rank, TestScore& out) const {
  const BayesShard& home = shard(rank);
  const TestState& test = home.state(rank);
  const Tally& tally = home.tallies().of(rank);
  home.tallies().write(rank, out);
  const auto& parameters = prepared_.options.bayes;
  const auto reading = read_state(test, home.lanes(), home.local(rank), filter_);
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
  // A test that keeps failing drifts below the limit, too: that mends nothing.
  out.possibly_fixed = out.verdict == Verdict::flaky && reading.p_flaky < parameters.enter && test.failing_run == 0;
  auto broken = reading.broken_environments;
  std::sort(broken.begin(), broken.end());
  for (const std::uint32_t environment : broken) {
    out.broken_lanes.push_back(environment_name(prepared_.batches.environments[environment]));
  }
}

bool BayesModel::disagrees(const Job& job, std::uint32_t rank) const {
  const std::span<const std::uint32_t> all(prepared_.timeline.records.data() + job.begin, job.end - job.begin);
  const auto rank_of = [&](std::uint32_t r) {
    return prepared_.timeline.rank_of_test[prepared_.store.records[r].test];
  };
  const auto first = std::partition_point(all.begin(), all.end(), [&](std::uint32_t r) { return rank_of(r) < rank; });
  const auto last = std::partition_point(first, all.end(), [&](std::uint32_t r) { return rank_of(r) == rank; });
  if (first == last) return false;
  std::vector<Execution> executions;
  read_executions(prepared_.store, rank, std::span(first, last), executions);
  return std::any_of(executions.begin(), executions.end(), [](const Execution& each) { return each.disagrees; });
}

bool BayesModel::in_newest_proof(const std::vector<ProofCell>& proofs, const Job& job, std::uint32_t job_number,
                                 std::uint32_t record) const {
  const Record& r = prepared_.store.records[record];
  const std::uint32_t rank = prepared_.timeline.rank_of_test[r.test];
  const ProofCell& proof = proofs[rank];
  if (proof.code != job.code || proof.environment != job.environment) return false;
  if (outage_jobs_[job_number] && !disagrees(job, rank)) return false;
  if (status_of(r) == Status::skip || r.ambiguous || r.contended || r.shared_host) return false;
  if (proof.start == 0 || job.start == 0) return true;
  const std::int64_t window = std::max<std::int64_t>(prepared_.options.same_code_window_ms, 0);
  return job.start >= proof.start && job.start - proof.start <= window;
}

std::vector<std::vector<std::uint32_t>> BayesModel::proof_runs() const {
  std::vector<std::vector<std::uint32_t>> out(prepared_.timeline.test_of_rank.size());
  const auto& timeline = prepared_.timeline;
  std::vector<ProofCell> proofs;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;  // code, environment: most jobs hold no newest proof
  for (std::uint32_t rank = 0; rank < out.size(); ++rank) {
    proofs.push_back(shard(rank).state(rank).proof);
    if (proofs.back().code != kNone) places.emplace(proofs.back().code, proofs.back().environment);
  }
  for (std::uint32_t number = 0; number < timeline.jobs.size(); ++number) {
    const Job& job = timeline.jobs[number];
    if (!places.contains({job.code, job.environment})) continue;
    for (std::uint32_t i = job.begin; i < job.end; ++i) {
      const std::uint32_t record = timeline.records[i];
      if (!in_newest_proof(proofs, job, number, record)) continue;
      const Record& r = prepared_.store.records[record];
      auto& runs = out[timeline.rank_of_test[r.test]];
      const std::uint32_t run = prepared_.store.groups[r.group].run;
      if (runs.empty() || runs.back() != run) runs.push_back(run);
    }
  }
  return out;
}

}  // namespace flakestat::stats
