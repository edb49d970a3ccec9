#include "run/outcomes.hpp"

#include <algorithm>

namespace flakestat::run {
namespace {

constexpr std::uint8_t kPassed = 1;
constexpr std::uint8_t kFailed = 2;
constexpr std::uint8_t kBoth = kPassed | kFailed;

std::uint8_t outcome_of(const Case& each) {
  if (is_failure(each.status)) return kFailed;
  const std::uint8_t passed = each.status == Status::pass ? kPassed : 0;
  return each.known_flaky ? static_cast<std::uint8_t>(passed | kFailed) : passed;
}

// The cases of one test in one run.
struct Tries {
  std::uint8_t seen = 0;
  bool last_passed = false;
  std::size_t passes = 0;

  void add(std::uint8_t outcome) {
    if (outcome == 0) return;
    seen |= outcome;
    last_passed = (outcome & kPassed) != 0;
    passes += last_passed ? 1 : 0;
  }
  [[nodiscard]] std::uint8_t result() const {
    if (seen != kBoth) return seen;
    return last_passed && passes == 1 ? kBoth : kFailed;
  }
};

}  // namespace

std::vector<TestOutcome> outcomes_of(std::span<const Case> cases) {
  std::unordered_map<TestId, std::size_t> places;
  std::vector<Tries> tries;
  std::vector<TestOutcome> out;
  TestIdDigester digest;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& each = cases[i];
    const auto id = digest(each.suite, each.class_name, each.name);
    const auto [place, is_new] = places.try_emplace(id, tries.size());
    if (is_new) {
      tries.emplace_back();
      out.push_back({id, RunOutcome::none, i});
    }
    tries[place->second].add(outcome_of(each));
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].outcome = RunOutcome{tries[i].result()};
  std::erase_if(out, [](const TestOutcome& each) { return each.outcome == RunOutcome::none; });
  return out;
}

void Outcomes::introduce(const std::vector<TestOutcome>& run, std::span<const Case> cases) {
  for (const auto& each : run) {
    const auto [test, is_new] = tests_.try_emplace(each.id);
    const auto& first = cases[each.at];
    if (is_new) test->second.test = {first.suite, first.class_name, first.name, first.file};
  }
}

void Outcomes::add(RunMode mode, const std::vector<TestOutcome>& run) {
  for (const auto& each : run) {
    auto& test = tests_[each.id];
    const bool before = test.total().disagreed();
    (mode == RunMode::alone ? test.alone : test.beside).count(each.outcome);
    if (before || !test.total().disagreed()) continue;
    if (seen_to_disagree_.insert(each.id).second) disagreeing_.push_back(each.id);
  }
}

void Outcomes::remove(RunMode mode, const std::vector<TestOutcome>& run) {
  for (const auto& each : run) {
    auto& test = tests_[each.id];
    auto& tally = mode == RunMode::alone ? test.alone : test.beside;
    if (passed(each.outcome)) --tally.passes;
    if (failed(each.outcome)) --tally.fails;
  }
}

bool Outcomes::disagreed() const {
  return std::any_of(disagreeing_.begin(), disagreeing_.end(),
                     [this](TestId id) { return tests_.at(id).total().disagreed(); });
}

}  // namespace flakestat::run
