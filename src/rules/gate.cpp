#include "rules/gate.hpp"

#include <algorithm>

#include "rules/gate_items.hpp"

namespace flakestat::rules {
namespace {

std::string some(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

class Judge {
 public:
  Judge(GateResult& result, const GateOptions& options) : result_(result), options_(options) {}

  void judge() {
    const auto& r = result_;
    if (options_.fail_on_regression)
      because(Decision::worse, r.worse, "accepted flaky test", "accepted flaky tests", " got worse");
    if (options_.fail_on_new) because(Decision::failed, r.new_flaky, "newly flaky test", "newly flaky tests", "");
    because(Decision::failed, r.unproven, "new test", "new tests",
            " without " + some(options_.new_tests.value_or(0), "clean execution", "clean executions in a row"));
    because(Decision::failed, r.sanitised, "test", "tests",
            " sanitised in each of the last " + some(options_.sanitised.value_or(0), "run", "runs"));
    judge_completeness();
    if (!r.outages.empty()) reach(Decision::undecided, "the newest run was an outage");
    if (r.damaged) reach(Decision::undecided, "a report of the newest run is damaged");
    if (r.nothing_brought) reach(Decision::undecided, "the given reports hold no test");
    if (r.selected) reach(Decision::undecided, "the newest run selected tests");
  }

 private:
  void judge_completeness() {
    const auto& r = result_;
    if (options_.expect.all) {
      because(Decision::failed, r.missing, "test", "tests", " of the run before missing from the newest run");
    }
    if (r.newest.tests < options_.expect.tests) {
      reach(Decision::failed, "the newest run has " + some(r.newest.tests, "test", "tests") + ", expected at least " +
                                  std::to_string(options_.expect.tests));
    }
  }

  void because(Decision decision, const std::vector<GateItem>& items, std::string_view one, std::string_view many,
               const std::string& rest) {
    if (!items.empty()) reach(decision, some(items.size(), one, many) + rest);
  }

  void reach(Decision decision, std::string reason) {
    result_.decision = std::max(result_.decision, decision);
    result_.reasons.push_back(std::move(reason));
  }

  GateResult& result_;
  const GateOptions& options_;
};

}  // namespace

ScoreIndex::ScoreIndex(const stats::Scores& scores) {
  for (const auto& test : scores.tests) tests_.emplace(test.test_id, &test);
}

const TestScore* ScoreIndex::find(TestId id) const {
  const auto found = tests_.find(id);
  return found == tests_.end() ? nullptr : found->second;
}

GateItem item_of(const TestScore& test) {
  GateItem item;
  item.test_id = test.test_id;
  item.suite = test.suite;
  item.class_name = test.class_name;
  item.name = test.name;
  item.file = test.file;
  item.score = test.score;
  item.lower_bound = test.lower_bound;
  return item;
}

GateItem item_of(const AcceptedTest& test) {
  GateItem item;
  item.test_id = test.test_id;
  item.suite = test.suite;
  item.class_name = test.class_name;
  item.name = test.name;
  return item;
}

GateResult decide(const stats::Scores& scores, const Baseline& baseline, const RunBook& book,
                  const GateOptions& options) {
  GateResult result;
  result.nothing_brought = options.nothing_brought;
  const ScoreIndex index(scores);
  compare_with_baseline(scores, index, baseline, book, options, result);
  look_at_newest_run(scores, index, book, options, result);
  result.changing = find_changing_names(book, result.newest.branch, scores.tests);
  Judge(result, options).judge();
  return result;
}

}  // namespace flakestat::rules
