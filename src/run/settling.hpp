// When a hunt stops asking about a test (docs/scoring.md, section 9). Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "run/outcomes.hpp"

namespace flakestat::run {

/// What is known of a test while a hunt goes on.
enum class Standing : std::uint8_t {
  unseen,     ///< neither passed nor failed: skipped, or lost with its runs
  open,       ///< another run may still change what is said of it
  disagreed,  ///< passed and failed: further runs cannot take that back
  clean,      ///< passed as often as was wanted, and never failed
  broken,     ///< failed as often as was wanted, and never passed
};

/// Another run tells nothing about the test that was asked for.
[[nodiscard]] constexpr bool is_settled(Standing standing) {
  return standing != Standing::open && standing != Standing::unseen;
}

/// How many equal results settle a test.
struct SettlingRule {
  int clean_after = 20;   ///< passes
  int broken_after = 20;  ///< failures

  friend bool operator==(const SettlingRule&, const SettlingRule&) = default;
};

/// The passes that rule out failure rates of `rule_out` and more at 95 %: the budget of `--rule-out`. `rule_out` in
/// (0, 1); at most a million, which is more than anybody runs.
[[nodiscard]] int runs_that_rule_out(double rule_out);

/// With `--rule-out`, N(0.20) = 14 failures without a pass settle a test as broken, for a pass rate of 20 % or more is
/// ruled out then; without it only the whole budget does.
[[nodiscard]] SettlingRule settling_rule(int budget, std::optional<double> rule_out);

[[nodiscard]] Standing standing_of(const Tally& seen, const SettlingRule& rule);

/// Runs that settle the test if each of them ends as the ones before: max(0, N - m). Nothing to ask for once settled;
/// a test that was never seen needs as many as a clean one.
[[nodiscard]] int runs_to_settle(const Tally& seen, const SettlingRule& rule);

}  // namespace flakestat::run
