// Which tests the next run of a settling hunt is asked for, and whether the runner did as it was asked. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "run/hunt_order.hpp"
#include "run/outcomes.hpp"
#include "run/selection.hpp"
#include "run/selection_doubts.hpp"
#include "run/settling.hpp"

namespace flakestat::run {

/// Whether the user asks about a test (`--filter`); empty: about every one.
using Asks = std::function<bool(const TestChoice&)>;

/// The tests that a hunt asks about, as far as they are known.
struct Asked {
  std::vector<TestChoice> open;  ///< not settled, by name; those that never passed or failed are not waited for
  std::size_t asked = 0;         ///< that passed or failed
  int most_missing = 0;          ///< runs that the slowest of the open tests still needs
  std::size_t known = 0;         ///< of the whole suite

  /// Further runs tell nothing that was asked for.
  [[nodiscard]] bool settled() const { return asked > 0 && open.empty(); }
};

/// Tests that are in doubt for their selections are open.
[[nodiscard]] Asked asked_tests(const Outcomes& outcomes, const Asks& asks, const SettlingRule& rule,
                                const SelectionDoubts& doubts = {});

/// A name by which the runner can be asked again.
[[nodiscard]] TestNames names_of(const TestChoice& test);

/// Asks for the open tests alone, as long as that works.
class Narrowing {
 public:
  explicit Narrowing(const std::optional<Selection>& selection) : selection_(selection) {}

  /// What run `run` is to be asked for; empty: the whole suite, because nothing is gained, or because some open test
  /// cannot be named to the runner. `junit` as in narrowed_command.
  [[nodiscard]] std::vector<TestChoice> choose(const Asked& asked, int run, const std::string& junit);

  /// After a run that was asked for `tests`: drops skips, which is what many runners write about the others, and notes
  /// tests that were asked for and did not run, unless the run `was_ended`. After two such runs nothing is narrowed any
  /// more.
  void check(int run, const std::vector<TestChoice>& tests, bool was_ended, std::vector<Case>& cases);

  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  const std::optional<Selection>& selection_;
  std::string unnamable_;       ///< the first time that a test could not be named; raw
  std::vector<int> lost_runs_;  ///< in which a test that was asked for did not appear
  std::string lost_test_;       ///< an example; raw
};

}  // namespace flakestat::run
