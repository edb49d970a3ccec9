#include "app/hunt_reproductions.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace flakestat::app {

void Reproductions::add(const run::RunEvidence& evidence) {
  for (const auto& each : evidence.outcomes) {
    auto& seen = tests_[each.id];
    const auto& found = evidence.suite_level ? *evidence.suite_level : evidence.cases[each.at];
    if (seen.test.empty()) seen.test = display_name(found.suite, found.class_name, found.name);
    if (run::passed(each.outcome)) seen.passed = true;
    if (run::failed(each.outcome)) seen.failed_in = std::max(seen.failed_in, evidence.run);
  }
}

std::vector<Reproduction> Reproductions::choose(const std::vector<run::Doubt>& contended, std::size_t most) const {
  std::set<TestId> doubtful;
  for (const auto& each : contended) doubtful.insert(run::id_of(each.tally.test));
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
