#include "run/selection_doubts.hpp"

namespace flakestat::run {
namespace {

void count(Tally& tally, RunOutcome outcome) {
  if (outcome != RunOutcome::failed) ++tally.passes;
  if (outcome != RunOutcome::passed) ++tally.fails;
}

}  // namespace

bool SelectionDoubts::add(std::span<const TestChoice> selected, std::span<const TestOutcome> results) {
  auto& same = selected.empty() ? whole_ : narrowed_;
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
