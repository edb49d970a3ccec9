#include "stats/bayes_filter.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::stats {
namespace {

// Codes of the project that a lane outside the default branch may miss before it is forgotten.
constexpr std::uint32_t kSilentCodes = 64;
constexpr double kMaxHitRate = 0.95;
constexpr double kMoreLikelyThanNot = 0.5;  // step 7

// Keeps every denominator of the filter above zero, whatever the configuration says.
BayesParameters usable(BayesParameters p) {
  const auto rate = [](double value) { return std::clamp(value, 0.0, 1.0); };
  if (p.break_rate) p.break_rate = rate(*p.break_rate);
  p.break_rate_feature = rate(p.break_rate_feature);
  p.start_broken = rate(p.start_broken);
  p.start_broken_feature = rate(p.start_broken_feature);
  p.shared_break = rate(p.shared_break);
  p.shared_repair = rate(p.shared_repair);
  p.change_rate = rate(p.change_rate);
  p.noise_floor = std::clamp(p.noise_floor, 1e-15, 0.5);
  p.prior_flaky = std::clamp(p.prior_flaky, 1e-9, 1 - 1e-9);
  p.start_streak = std::clamp(p.start_streak, 0, 1'000'000);
  return p;
}

const BranchEvidence* find_evidence(const TestState& test, std::uint32_t branch) {
  const BranchEvidence* entry = test.evidence;
  while (entry != nullptr && entry->branch != branch) entry = entry->next;
  return entry;
}

// The branch's entry, else the entry of a branch whose newest code is over, else a new one.
BranchEvidence& claim_evidence(TestState& test, EvidenceArena& arena, std::uint32_t branch, std::uint32_t code) {
  for (auto* entry = test.evidence; entry != nullptr; entry = entry->next) {
    if (entry->branch == branch) return *entry;
  }
  for (auto* entry = test.evidence; entry != nullptr; entry = entry->next) {
    if (entry->code != code) return *entry;
  }
  BranchEvidence& added = arena.make();
  added.next = std::exchange(test.evidence, &added);
  return added;
}

// Step 4's L beside the two numbers that made it.
struct Explained {
  Levels whole;                     ///< L
  const Levels* healthy = nullptr;  ///< H
  double broken = 0;                ///< Q
};

// Steps 4 and 5 for w. The sum runs in index order: it decides the last bits.
Explained weigh(Levels& weight, const Levels& broken, bool failed, const Likelihood& likelihood) {
  Explained out;
  const Levels& healthy = failed ? likelihood.healthy_fail : likelihood.healthy_pass;
  out.healthy = &healthy;
  out.broken = failed ? likelihood.broken_fail : likelihood.broken_pass;
  Levels product;
  for (std::size_t k = 0; k < kLevels; ++k) {
    out.whole[k] = (1 - broken[k]) * healthy[k] + broken[k] * out.broken;
    product[k] = weight[k] * out.whole[k];
  }
  double sum = 0;
  for (std::size_t k = 0; k < kLevels; ++k) sum += product[k];
  if (!(sum > 0)) return out;
  for (std::size_t k = 0; k < kLevels; ++k) weight[k] = product[k] / sum;
  return out;
}

// Step 5 for b.
void settle(Levels& broken, const Explained& explained) {
  for (std::size_t k = 0; k < kLevels; ++k) broken[k] = broken[k] * explained.broken / explained.whole[k];
}

// Step 5 for ent and rep; `fresh`: step 2 has just made them 0.
void share(BranchEvidence& evidence, bool fresh, const Levels& in, const Levels& out, const Explained& explained) {
  const Levels& healthy = *explained.healthy;
  if (fresh) {
    for (std::size_t k = 0; k < kLevels; ++k) {
      evidence.entered[k] = std::max(0.0, in[k] * explained.broken / explained.whole[k]);
      evidence.repaired[k] = std::max(0.0, out[k] * healthy[k] / explained.whole[k]);
    }
    return;
  }
  for (std::size_t k = 0; k < kLevels; ++k) {
    evidence.entered[k] = std::max(evidence.entered[k], in[k] * explained.broken / explained.whole[k]);
    evidence.repaired[k] = std::max(evidence.repaired[k], out[k] * healthy[k] / explained.whole[k]);
  }
}

void open_cell(Lane& lane, std::uint32_t generation, const Visit& visit) {
  lane.code = visit.code;
  lane.generation = generation;
  lane.cell_start = visit.job_start;
  lane.cell_passed = false;
  lane.cell_failed = false;
}

void count_proof(TestState& test, Lane& lane, const Visit& visit, Outcome outcome) {
  if (!outcome.can_prove) return;
  const bool proven = lane.cell_passed && lane.cell_failed;
  (outcome.failed ? lane.cell_failed : lane.cell_passed) = true;
  if (proven || !lane.cell_passed || !lane.cell_failed) return;
  ++test.proofs;
  test.proof = {visit.code, visit.environment, lane.cell_start};
}

}  // namespace

// What an execution meets: which lane, and what is new about its code.
struct BayesFilter::Arrival {
  std::uint32_t branch = 0;  ///< of the lane
  std::uint32_t generation = 0;
  bool new_lane = false;
  bool new_cell = false;  ///< the code is new to the lane, or the lane itself is new
  bool new_to_test = false;
  bool new_to_branch = false;
};

// Step 3: chances that the new code broke and that it repaired what was broken.
struct BayesFilter::Shift {
  Levels in;
  Levels out;
};

bool is_silent_too_long(std::uint32_t newest_code, std::uint32_t code) {
  return code > newest_code && code - newest_code - 1 > kSilentCodes;
}

bool is_forgotten(const Lane& lane, std::uint32_t code) {
  return lane.branch != kNone && !lane.default_branch && is_silent_too_long(lane.code, code);
}

BayesFilter::BayesFilter(const BayesParameters& parameters, std::int64_t window_ms, bool several_environments)
    : parameters_(usable(parameters)),
      window_ms_(std::max<std::int64_t>(window_ms, 0)),
      several_environments_(several_environments),
      drift_keep_(1 - parameters_.change_rate) {
  rates_[0] = parameters_.noise_floor;
  prior_[0] = 1 - parameters_.prior_flaky;
  for (std::size_t k = 1; k < kLevels; ++k) {
    rates_[k] = kFlakeRates[k - 1];
    prior_[k] = parameters_.prior_flaky / static_cast<double>(kLevels - 1);
  }
  for (std::size_t k = 0; k < kLevels; ++k) drift_in_[k] = parameters_.change_rate * prior_[k];
}

TestState BayesFilter::fresh() const {
  TestState test;
  test.weight = prior_;
  return test;
}

Likelihood BayesFilter::likelihood(double hit_rate) const {
  const double h = std::clamp(hit_rate, 0.0, kMaxHitRate);
  Likelihood out;
  for (std::size_t k = 0; k < kLevels; ++k) {
    out.healthy_pass[k] = (1 - rates_[k]) * (1 - h);
    out.healthy_fail[k] = 1 - (1 - rates_[k]) * (1 - h);
  }
  out.broken_pass = parameters_.noise_floor * (1 - h);
  out.broken_fail = 1 - parameters_.noise_floor * (1 - h);
  return out;
}

bool BayesFilter::reopened(const Lane& lane, const Visit& visit) const {
  if (lane.cell_start == 0 || visit.job_start == 0) return false;
  return visit.job_start > lane.cell_start && visit.job_start - lane.cell_start > window_ms_;
}

BayesFilter::Arrival BayesFilter::arrive(const TestState& test, const Lane* lane, const Visit& visit) const {
  Arrival out;
  out.new_lane = lane == nullptr || lane->branch == kNone;
  out.branch = out.new_lane ? visit.branch : lane->branch;
  out.new_cell = true;
  if (!out.new_lane && lane->code == visit.code) {
    out.new_cell = reopened(*lane, visit);
    out.generation = lane->generation + (out.new_cell ? 1 : 0);
  }
  if (!out.new_cell) return out;
  out.new_to_test = test.code != visit.code || out.generation > test.generation;
  if (several_environments_) {
    const auto* evidence = find_evidence(test, out.branch);
    out.new_to_branch = evidence == nullptr || evidence->code != visit.code || out.generation > evidence->generation;
  }
  return out;
}

double BayesFilter::lane_break_rate(const Lane& lane, double break_rate) const {
  return lane.default_branch ? break_rate : parameters_.break_rate_feature;
}

Lane BayesFilter::new_lane(const Visit& visit) const {
  Lane lane;
  lane.broken.at.fill(visit.default_branch ? parameters_.start_broken : parameters_.start_broken_feature);
  lane.branch = visit.branch;
  lane.environment = visit.environment;
  lane.default_branch = visit.default_branch;
  return lane;
}

// Step 1.
void BayesFilter::drift(Levels& weight) const {
  for (std::size_t k = 0; k < kLevels; ++k) weight[k] = drift_keep_ * weight[k] + drift_in_[k];
}

// Step 3 for a lane that moves to a new code. Without evidence of other environments its terms are exact zeros.
void BayesFilter::shift(Lane& lane, const BranchEvidence* evidence, double break_rate, Shift& out) const {
  const double lambda = lane_break_rate(lane, break_rate);
  const double mu = 1 / (1 + static_cast<double>(std::max<std::uint32_t>(lane.streak, 1)));
  auto& broken = lane.broken;
  if (evidence == nullptr) {
    for (std::size_t k = 0; k < kLevels; ++k) {
      out.in[k] = (1 - broken[k]) * lambda;
      out.out[k] = broken[k] * mu;
      broken[k] += out.in[k] - out.out[k];
    }
    return;
  }
  const double more_lambda = std::max(parameters_.shared_break, lambda) - lambda;
  const double more_mu = std::max(parameters_.shared_repair, mu) - mu;
  for (std::size_t k = 0; k < kLevels; ++k) {
    out.in[k] = (1 - broken[k]) * (lambda + more_lambda * evidence->entered[k]);
    out.out[k] = broken[k] * (mu + more_mu * evidence->repaired[k]);
    broken[k] += out.in[k] - out.out[k];
  }
}

BreakSample BayesFilter::apply(TestState& test, Lane& lane, EvidenceArena& arena, const Visit& visit, Outcome outcome,
                               const Likelihood& likelihood, double break_rate) const {
  const Arrival arrival = arrive(test, &lane, visit);
  if (arrival.new_lane) lane = new_lane(visit);
  if (arrival.new_to_test) {
    if (test.code != kNone) drift(test.weight);
    test.code = visit.code;
    test.generation = arrival.generation;
  }
  BreakSample sample;
  if (arrival.new_cell && !arrival.new_lane) {
    sample = move(test, lane, arena, arrival, visit, outcome.failed, likelihood, break_rate);
  } else {
    if (arrival.new_to_branch) begin_evidence(claim_evidence(test, arena, arrival.branch, visit.code), arrival, visit);
    settle(lane.broken, weigh(test.weight, lane.broken, outcome.failed, likelihood));
  }
  count(test, lane, arrival, visit, outcome);
  return sample;
}

// Step 2 where nothing follows that would fill the entry: a new lane shows neither a break nor a repair.
void BayesFilter::begin_evidence(BranchEvidence& evidence, const Arrival& arrival, const Visit& visit) {
  evidence.entered.at.fill(0);
  evidence.repaired.at.fill(0);
  evidence.branch = arrival.branch;
  evidence.code = visit.code;
  evidence.generation = arrival.generation;
}

// Steps 2 to 5 for a lane that moves to a new code.
BreakSample BayesFilter::move(TestState& test, Lane& lane, EvidenceArena& arena, const Arrival& arrival,
                              const Visit& visit, bool failed, const Likelihood& likelihood, double break_rate) const {
  BranchEvidence* evidence = several_environments_ ? &claim_evidence(test, arena, arrival.branch, visit.code) : nullptr;
  const BranchEvidence* known = arrival.new_to_branch ? nullptr : evidence;
  BreakSample sample;
  sample.counts = lane.default_branch && test.weight[0] > 0.5 && (known == nullptr || known->entered[0] < 0.5);
  Shift change;
  shift(lane, known, break_rate, change);
  const auto explained = weigh(test.weight, lane.broken, failed, likelihood);
  sample.broke = test.weight[0] * change.in[0] * explained.broken / explained.whole[0];
  if (evidence != nullptr) {
    evidence->branch = arrival.branch;
    evidence->code = visit.code;
    evidence->generation = std::max(arrival.generation, known != nullptr ? known->generation : 0);
    share(*evidence, known == nullptr, change.in, change.out, explained);
  }
  settle(lane.broken, explained);
  return sample;
}

// Steps 6 and 7, and the evidence counters.
void BayesFilter::count(TestState& test, Lane& lane, const Arrival& arrival, const Visit& visit,
                        Outcome outcome) const {
  if (!arrival.new_lane) {
    ++test.transitions;
    if (lane.last_failed != outcome.failed) ++(arrival.new_cell ? test.cross_code_flips : test.same_code_flips);
  }
  if (arrival.new_cell) open_cell(lane, arrival.generation, visit);
  if (lane.cell_start == 0) lane.cell_start = visit.job_start;
  lane.last_failed = outcome.failed;
  if (!outcome.failed) lane.streak = 0;
  else if (arrival.new_cell)
    lane.streak += arrival.new_lane ? 1 + static_cast<std::uint32_t>(parameters_.start_streak) : 1;
  test.failing_run = outcome.failed ? test.failing_run + 1 : 0;
  count_proof(test, lane, visit, outcome);
  const double flaky = 1 - test.weight[0];
  test.flagged = flaky >= parameters_.enter || (test.flagged && flaky >= parameters_.leave);
  if (flaky >= kMoreLikelyThanNot) test.clean = 0;
  else if (!outcome.failed) ++test.clean;
}

double BayesFilter::expected_failure(const TestState& test, const Lane* known, const Visit& visit,
                                     double break_rate) const {
  const Arrival arrival = arrive(test, known, visit);
  Levels weight = test.weight;
  if (arrival.new_to_test && test.code != kNone) drift(weight);
  Lane lane = arrival.new_lane ? new_lane(visit) : *known;
  if (arrival.new_cell && !arrival.new_lane) {
    const bool informed = several_environments_ && !arrival.new_to_branch;
    Shift change;
    shift(lane, informed ? find_evidence(test, arrival.branch) : nullptr, break_rate, change);
  }
  double out = 0;
  for (std::size_t k = 0; k < kLevels; ++k) {
    out += weight[k] * (lane.broken[k] + (1 - lane.broken[k]) * rates_[k]);
  }
  return out;
}

}  // namespace flakestat::stats
