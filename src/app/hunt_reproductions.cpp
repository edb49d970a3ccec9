#include "app/hunt_reproductions.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include "run/outcomes.hpp"

namespace flakestat::app {
namespace {

bool holds(run::RunOutcome outcome, run::RunOutcome what) {
  return (static_cast<unsigned>(outcome) & static_cast<unsigned>(what)) != 0;
}

}  // namespace

void Reproductions::add(const run::RunEvidence& evidence) {
  const auto look = [&](std::span<const Case> cases) {
    for (const auto& each : run::outcomes_of(cases)) {
      auto& seen = tests_[each.id];
      const auto& found = cases[each.at];
      if (seen.test.empty()) seen.test = display_name(found.suite, found.class_name, found.name);
      if (holds(each.outcome, run::RunOutcome::passed)) seen.passed = true;
      if (holds(each.outcome, run::RunOutcome::failed)) seen.failed_in = std::max(seen.failed_in, evidence.run);
    }
  };
  look(evidence.cases);
  if (evidence.suite_level) look(std::span(&*evidence.suite_level, 1));
}

std::vector<Reproduction> Reproductions::choose(const std::vector<run::Doubt>& contended, std::size_t most) const {
  std::set<TestId> doubtful;
  for (const auto& each : contended) {
    const auto& test = each.tally.test;
    doubtful.insert(test_id(test.suite, test.class_name, test.name));
  }
  std::vector<std::tuple<bool, std::string, int>> found;
  for (const auto& [id, seen] : tests_) {
    if (seen.passed && seen.failed_in > 0) found.emplace_back(doubtful.contains(id), seen.test, seen.failed_in);
  }
  std::sort(found.begin(), found.end());
  std::vector<Reproduction> chosen;
  for (const auto& [doubt, test, run] : found) {
    const bool there =
        std::any_of(chosen.begin(), chosen.end(), [run = run](const Reproduction& each) { return each.run == run; });
    if (!there && chosen.size() < most) chosen.push_back({run, test});
  }
  return chosen;
}

}  // namespace flakestat::app
