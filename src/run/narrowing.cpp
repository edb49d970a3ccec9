#include "run/narrowing.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/strings.hpp"
#include "model/identity.hpp"
#include "run/hunt_judge.hpp"

namespace flakestat::run {
namespace {

constexpr std::size_t kMostLostRuns = 2;

}  // namespace

Asked asked_tests(const Outcomes& outcomes, const Asks& asks, const SettlingRule& rule, const SelectionDoubts& doubts) {
  Asked found;
  for (const auto& [id, test] : outcomes.tests()) {
    ++found.known;
    if (test.total().runs() == 0 || (asks && !asks(test.test))) continue;
    ++found.asked;
    const bool doubtful = doubts.is_doubtful(id);
    if (!doubtful && is_settled(standing_of(test.total(), rule))) continue;
    found.open.push_back(test.test);
    found.most_missing = std::max({found.most_missing, runs_to_settle(test.total(), rule), doubtful ? 1 : 0});
  }
  std::sort(found.open.begin(), found.open.end(), is_named_before);
  return found;
}

TestNames names_of(const TestChoice& test) { return {test.suite, test.class_name, test.name, test.file}; }

std::vector<TestChoice> Narrowing::choose(const Asked& asked, int run, const std::string& junit) {
  const bool gains = !asked.open.empty() && asked.open.size() < asked.known;
  if (!selection_ || !gains || lost_runs_.size() >= kMostLostRuns) return {};
  std::vector<TestNames> names;
  for (const auto& test : asked.open) names.push_back(names_of(test));
  auto command = narrowed_command(*selection_, names, run, junit);
  if (command.problem.empty()) return asked.open;
  if (unnamable_.empty()) unnamable_ = std::move(command.problem);
  return {};
}

void Narrowing::check(int run, const std::vector<TestChoice>& tests, bool was_ended, std::vector<Case>& cases) {
  // Many runners report what was not selected as skipped, and all of it when the selection matched nothing.
  std::erase_if(cases, [](const Case& each) { return each.status == Status::skip; });
  if (was_ended) return;
  std::unordered_set<TestId> there;
  for (const auto& each : cases) there.insert(test_id(each.suite, each.class_name, each.name));
  const auto lost =
      std::find_if(tests.begin(), tests.end(), [&](const TestChoice& test) { return !there.contains(id_of(test)); });
  if (lost == tests.end()) return;
  if (lost_runs_.empty()) lost_test_ = lost->name;
  lost_runs_.push_back(run);
}

std::vector<std::string> Narrowing::warnings() const {
  std::vector<std::string> out;
  if (!unnamable_.empty())
    out.push_back("the open tests could not be run alone, so the whole suite was: " + unnamable_);
  if (lost_runs_.empty()) return out;
  out.push_back(run_list(lost_runs_) + ": asked for some tests alone, such as " + in_quotes(lost_test_) +
                ", and not all of them ran; " +
                (lost_runs_.size() >= kMostLostRuns ? "after that the whole suite was run again"
                                                    : "that says nothing of those that did not") +
                ": see --id");
  return out;
}

}  // namespace flakestat::run
