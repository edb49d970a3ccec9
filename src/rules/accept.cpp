#include "rules/accept.hpp"

#include <algorithm>
#include <map>

namespace flakestat::rules {
namespace {

AcceptedTest as_accepted(const TestScore& test) {
  return {test.test_id, test.suite, test.class_name, test.name, std::string(to_string(test.verdict)), test.score};
}

// More likely flaky than not: an accepted test is not healthy yet.
bool is_unwell(const TestScore* test) {
  return test != nullptr && (test->verdict == Verdict::flaky || test->verdict == Verdict::suspect);
}

bool says_nothing(const TestScore* test) {
  return test == nullptr || test->verdict == Verdict::always_skipped || test->verdict == Verdict::insufficient_data;
}

}  // namespace

BaselineChange accept(const stats::Scores& scores, const std::string& model, const Baseline& before, bool prune) {
  BaselineChange change;
  change.baseline.model = model;
  change.model_before = before.model;
  std::map<TestId, const TestScore*> now;
  for (const auto& test : scores.tests) now.emplace(test.test_id, &test);
  std::map<TestId, AcceptedTest> next;
  for (const auto& entry : before.tests) {
    const auto found = now.find(entry.test_id);
    const auto* test = found == now.end() ? nullptr : found->second;
    if (is_unwell(test)) {
      change.kept.push_back(next[entry.test_id] = as_accepted(*test));
    } else if (says_nothing(test) && !prune) {
      change.kept.push_back(next[entry.test_id] = entry);
      change.unseen.push_back(entry);
    } else {
      change.removed.push_back(entry);
    }
  }
  for (const auto& [id, test] : now) {
    if (test->verdict != Verdict::flaky || next.contains(id)) continue;
    change.added.push_back(next[id] = as_accepted(*test));
  }
  for (auto& [id, entry] : next) change.baseline.tests.push_back(std::move(entry));
  return change;
}

}  // namespace flakestat::rules
