// The scores now against those that were accepted.
#include <algorithm>
#include <set>

#include "rules/gate_items.hpp"
#include "rules/known_failure.hpp"

namespace flakestat::rules {
namespace {

using Accepted = std::unordered_map<TestId, const AcceptedTest*>;

// A score that was written and read back, plus a delta that is no binary fraction: equality is no rise.
constexpr double kRounding = 1e-9;

Accepted by_id(const Baseline& baseline) {
  Accepted out;
  for (const auto& test : baseline.tests) out.emplace(test.test_id, &test);
  return out;
}

// Ids of the flaky tests that are known failures.
std::set<TestId> known(const stats::Scores& scores, const RunBook& book) {
  std::set<TestId> flaky;
  for (const auto& test : scores.tests) {
    if (test.verdict == Verdict::flaky) flaky.insert(test.test_id);
  }
  std::set<std::uint32_t> candidates;
  for (std::uint32_t number = 0; number < book.tests().size(); ++number) {
    if (flaky.contains(book.tests()[number].id)) candidates.insert(number);
  }
  std::set<TestId> out;
  for (const auto number : known_failures(book, candidates)) out.insert(book.tests()[number].id);
  return out;
}

void add_flaky(const TestScore& test, const AcceptedTest* accepted, bool known_failing, const GateOptions& options,
               GateResult& result) {
  auto item = item_of(test);
  if (accepted != nullptr) item.was = accepted->score;
  const bool excused = options.excused.contains(test.test_id);
  if (known_failing) {
    item.commit = test.last_pass_commit;
    result.known_failing.push_back(std::move(item));
  } else if (accepted == nullptr) {
    const bool severe = !options.severity || test.lower_bound >= *options.severity;
    auto& fatal = excused ? result.quarantined : result.new_flaky;
    (severe ? fatal : result.below_threshold).push_back(std::move(item));
  } else {
    const bool rose = test.score > accepted->score + options.regression_delta + kRounding;
    auto& fatal = excused ? result.quarantined : result.worse;
    (rose ? fatal : result.accepted).push_back(std::move(item));
  }
}

// An accepted test that is not flaky now. Not run is not healthy.
void add_other(const AcceptedTest& accepted, const TestScore* test, GateResult& result) {
  auto item = test == nullptr ? item_of(accepted) : item_of(*test);
  item.was = accepted.score;
  if (test == nullptr) {
    item.reason = "no execution in this history";
    result.not_seen.push_back(std::move(item));
    return;
  }
  switch (test->verdict) {
    case Verdict::stable: result.fixed.push_back(std::move(item)); break;
    case Verdict::suspect: result.accepted.push_back(std::move(item)); break;
    case Verdict::consistently_failing: result.broken.push_back(std::move(item)); break;
    case Verdict::always_skipped:
      item.reason = "only skipped";
      result.not_seen.push_back(std::move(item));
      break;
    case Verdict::insufficient_data:
      item.reason = "too few executions to tell";
      result.not_seen.push_back(std::move(item));
      break;
    case Verdict::flaky: break;
  }
}

}  // namespace

void compare_with_baseline(const stats::Scores& scores, const ScoreIndex& index, const Baseline& baseline,
                           const RunBook& book, const GateOptions& options, GateResult& result) {
  const auto accepted = by_id(baseline);
  const auto known_failing = known(scores, book);
  for (const auto& test : scores.tests) {
    if (test.verdict != Verdict::flaky) continue;
    const auto entry = accepted.find(test.test_id);
    add_flaky(test, entry == accepted.end() ? nullptr : entry->second, known_failing.contains(test.test_id), options,
              result);
  }
  for (const auto& entry : baseline.tests) {
    const auto* test = index.find(entry.test_id);
    if (test == nullptr || test->verdict != Verdict::flaky) add_other(entry, test, result);
  }
}

}  // namespace flakestat::rules
