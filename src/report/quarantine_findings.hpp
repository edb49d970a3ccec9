// What `quarantine --update` and `--validate` say of a list, as documents.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flakestat::report {

/// One entry that something is to be said of.
struct ListFinding {
  std::size_t line = 0;  ///< from 1; of the list as it was read
  std::string kind;      ///< `duplicate`, `recovered`, ...
  std::string entry;
  std::string message;
  bool removed = false;
};

struct AddedEntry {
  std::string entry;
  std::string test_id;
  std::string test;  ///< display name
  std::string owner;
  std::string expires;
  std::string reason;
};

struct ListUpdate {
  std::string file;
  bool changed = false;
  std::vector<AddedEntry> added;
  std::vector<ListFinding> findings;
};

struct ListCheck {
  std::string file;
  std::size_t entries = 0;
  bool history_known = true;  ///< false: whether entries name a test was not checked
  std::vector<ListFinding> problems;
};

/// docs/schema/quarantine-update.schema.json
[[nodiscard]] std::string list_update_json(const ListUpdate& update);

/// docs/schema/quarantine-validate.schema.json
[[nodiscard]] std::string list_check_json(const ListCheck& check);

/// `q.txt:3: C::t: recovered: has run without a failure since 2026-08-01`; foreign text unescaped.
[[nodiscard]] std::string finding_line(const std::string& file, const ListFinding& finding);

}  // namespace flakestat::report
