// The texts of the ledger (docs/formats/ledger.md): `flakes.json`, and the files of `flakes.d/`.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/ledger.hpp"

namespace flakestat::store {

inline constexpr std::size_t kMostLedgerBytes = std::size_t{64} << 20;

/// Keys that we do not know, with their values as JSON: kept for whoever wrote them.
using UnknownKeys = std::vector<std::pair<std::string, std::string>>;

/// `flakes.json`. A value that is no object belongs to no test and is kept.
struct LedgerFile {
  LedgerTests tests;
  std::map<std::string, UnknownKeys, std::less<>> unknown_of;  ///< by test
  UnknownKeys unknown;
};

/// `{"id":{"flaky":7,"failed":2,"last_epoch":1783850000,"last_failed_epoch":1783760000}}`. Keys that are absent are 0.
/// Errors: `damaged`, naming `path` and what is wrong: no JSON object, a number that is none or below 0, a key that is
/// there twice (the halves of a bad merge), more than 64 MiB.
[[nodiscard]] Result<LedgerFile> parse_ledger(std::string_view json, const std::string& path);

/// One test a line, by id; a function of the content alone.
[[nodiscard]] std::string encode_ledger(const LedgerFile& ledger);

/// `{"version":1,"runs":{"20260817T100000-9f2ac1":{"id":{...}}}}`. Errors: `damaged` as parse_ledger; `config` for a
/// newer version.
[[nodiscard]] Result<LedgerRuns> parse_ledger_runs(std::string_view json, const std::string& path);

[[nodiscard]] std::string encode_ledger_runs(const LedgerRuns& runs);

/// Whether the text is one of `flakes.d/` rather than a `flakes.json`: its "runs" is an object, and it has a version.
[[nodiscard]] bool holds_ledger_runs(std::string_view json);

}  // namespace flakestat::store
