#include "run/selection_doubts.hpp"

#include <algorithm>

namespace flakestat::run {
namespace {

// The order of the tests in a selection is always that of their names, but nothing depends on it here.
std::uint64_t key_of(std::span<const TestChoice> selected) {
  std::uint64_t key = selected.size();
  for (const auto& test : selected) {
    key += static_cast<std::uint64_t>(test_id(test.suite, test.class_name, test.name)) * 0x9e3779b97f4a7c15U;
  }
  return key;
}

void count(Tally& tally, RunOutcome outcome) {
  if (outcome != RunOutcome::failed) ++tally.passes;
  if (outcome != RunOutcome::passed) ++tally.fails;
}

}  // namespace

SelectionDoubts::Tallies& SelectionDoubts::tallies_of(std::span<const TestChoice> selected) {
  if (selected.empty()) return whole_;
  const auto key = key_of(selected);
  const auto known = std::find_if(selections_.begin(), selections_.end(),
                                  [key](const Selected& selection) { return selection.key == key; });
  if (known != selections_.end()) return known->tests;
  if (selections_.size() == kMostSelections) selections_.pop_front();
  return selections_.emplace_back(Selected{key, {}}).tests;
}

bool SelectionDoubts::add(std::span<const TestChoice> selected, std::span<const TestOutcome> results) {
  auto& same = tallies_of(selected);
  bool is_new = false;
  for (const auto& [id, outcome, at] : results) {
    if (outcome == RunOutcome::none || proved_.contains(id)) continue;
    count(same[id], outcome);
    count(all_[id], outcome);
    if (same[id].disagreed()) {
      proved_.insert(id);
      doubtful_.erase(id);
    } else if (all_[id].disagreed()) {
      is_new = doubtful_.insert(id).second || is_new;
    }
  }
  return is_new;
}

}  // namespace flakestat::run
