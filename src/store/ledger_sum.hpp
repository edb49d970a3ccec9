// From what single runs say of tests to what the ledger says of them. Pure: no file, no clock.
#pragma once

#include <cstdint>
#include <span>

#include "model/ledger.hpp"

namespace flakestat::store {

/// When an entry is forgotten: `now - last_epoch > retention`. Seconds.
struct LedgerAge {
  std::int64_t now = 0;
  std::int64_t retention = std::int64_t{90} * 86'400;  ///< 0: never

  /// An entry without a date never ages: nothing says that it is old.
  [[nodiscard]] bool forgets(std::int64_t epoch) const { return retention > 0 && epoch > 0 && now - epoch > retention; }
};

/// The events of one run as its entries. A run counts once for a test, however often the test is named.
[[nodiscard]] LedgerTests tests_of(std::span<const LedgerEvent> events);

/// Unites what two copies of one run say, by the larger numbers: uniting twice changes nothing. True when it changed
/// `into`.
bool unite(LedgerTests& into, const LedgerTests& other);
bool unite(LedgerRuns& into, const LedgerRuns& other);

/// All that the runs say, old or not.
[[nodiscard]] LedgerTests total(const LedgerRuns& runs);

/// What is remembered of the runs: a test whose last event is too old is forgotten; so is what lay before a pause that
/// long, since it was forgotten when the pause ended. The order in which the runs became known makes no difference.
[[nodiscard]] LedgerTests remembered(const LedgerRuns& runs, const LedgerAge& age);

/// What `ledger` has beyond `known`, as entries that bring `known` up to it.
[[nodiscard]] LedgerTests excess(const LedgerTests& ledger, const LedgerTests& known);

/// Leaves out the tests that are too old.
[[nodiscard]] LedgerTests without_forgotten(const LedgerTests& tests, const LedgerAge& age);

}  // namespace flakestat::store
