// What `ledger` shows and says of its changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ledger.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

struct LedgerRow {
  std::string id;
  LedgerEntry entry;
};

/// The tests that `--filter` selects, those with the most flaky runs first, then by failed runs, the last time, the id.
struct LedgerTable {
  std::vector<LedgerRow> rows;
  std::size_t total = 0;            ///< selected; `rows` may be fewer
  std::int64_t retention_days = 0;  ///< 0: nothing is forgotten
};

/// Ranks them and keeps the first `top`.
[[nodiscard]] LedgerTable rank_ledger(std::vector<LedgerRow> rows, std::optional<std::size_t> top,
                                      std::int64_t retention_days);

/// Empty when there is nothing to show.
[[nodiscard]] std::string ledger_table(const LedgerTable& table, const text::Look& look);

/// docs/schema/ledger.schema.json.
[[nodiscard]] std::string ledger_json(const LedgerTable& table, text::JsonStyle style = text::JsonStyle::pretty);

struct LedgerFileRead {
  std::string path;
  bool plain = false;  ///< a `flakes.json`: its counts are those of no run in particular
  std::size_t runs = 0;
};

/// What merge, rebuild and import did.
struct LedgerChange {
  std::string action;
  std::vector<LedgerFileRead> files;
  std::vector<std::string> missing;   ///< paths, of files that are not there
  std::vector<std::string> rejected;  ///< paths, of files that are no ledger
  std::uint64_t runs = 0;             ///< with something to tell, in what was read
  std::uint64_t new_runs = 0;         ///< of them, that were not known
  std::uint64_t tests = 0;            ///< remembered afterwards
  bool changed = false;
  std::string moved_away;  ///< where a damaged flakes.json went; empty: nowhere
};

[[nodiscard]] std::string ledger_change_text(const LedgerChange& change);

/// docs/schema/ledger-change.schema.json.
[[nodiscard]] std::string ledger_change_json(const LedgerChange& change,
                                             text::JsonStyle style = text::JsonStyle::pretty);

}  // namespace flakestat::report
