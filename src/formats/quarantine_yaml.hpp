// The YAML form of a quarantine list, as flakestat and its predecessor write it (docs/quarantine.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace flakestat::formats {

struct QuarantinedTest {
  std::string test_id;   ///< as written; empty: the entry has none
  std::string test;      ///< display name; empty: the entry has none
  std::size_t line = 0;  ///< of the entry, from 1
};

/// `version: 1` and `quarantined:`, a list of mappings of which `test_id` and `test` are read; other keys are skipped
/// whole, however deep. Errors are of kind config and name `name` and the line: no YAML, another version, an entry
/// without either name. Anchors, aliases and tags are refused: no list needs them, and they can blow up. Constant
/// memory beside the result.
[[nodiscard]] Result<std::vector<QuarantinedTest>> read_quarantine_yaml(std::string_view text, const std::string& name);

}  // namespace flakestat::formats
