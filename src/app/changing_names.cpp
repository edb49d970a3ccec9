#include "app/changing_names.hpp"

#include <algorithm>

#include "report/gate_rows.hpp"
#include "rules/changing_names.hpp"

namespace flakestat::app {
namespace {

// The runs are walked through only when at least this share of the tests was seen at one time alone.
constexpr std::size_t kOneInSoMany = 50;

bool is_worth_a_look(const stats::Scores& scores) {
  const auto once = std::count_if(scores.tests.begin(), scores.tests.end(),
                                  [](const TestScore& test) { return test.first_seen == test.last_seen; });
  return once > 0 && static_cast<std::size_t>(once) * kOneInSoMany >= scores.tests.size();
}

}  // namespace

void warn_of_changing_names(const World& world, const ScoredHistory& scored) {
  if (!is_worth_a_look(scored.scores)) return;
  rules::RunBook book;
  scored.history.walk(scored.scoring, book);
  if (book.runs().size() < 2) return;
  const auto& newest = book.runs()[book.newest_first().front()];
  const auto changing = rules::find_changing_names(book, newest.branch, scored.scores.tests);
  if (!changing) return;
  const auto note = report::changing_names_note(*changing);
  world.warn("flakestat: " + note.before + note.foreign + note.after);
}

}  // namespace flakestat::app
