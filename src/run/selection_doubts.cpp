#include "run/selection_doubts.hpp"

namespace flakestat::run {

bool SelectionDoubts::add(std::span<const TestChoice> selected, std::span<const TestOutcome> results) {
  auto& same = selected.empty() ? whole_ : narrowed_;
  bool is_new = false;
  for (const auto& [id, outcome, at] : results) {
    if (outcome == RunOutcome::none || proved_.contains(id)) continue;
    same[id].count(outcome);
    all_[id].count(outcome);
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
