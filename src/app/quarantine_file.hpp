// Quarantine lists as files: flakestat's own format, or YAML by the file's ending.
#pragma once

#include <string>

#include "base/result.hpp"
#include "rules/quarantine_list.hpp"

namespace flakestat::app {

/// `.yaml` or `.yml`: such a list is read, never edited.
[[nodiscard]] bool is_yaml_list(const std::string& path);

/// Every line of the list, problems included. Errors: `missing`, `io`; of YAML also `config`. A YAML document has
/// entries (by test_id, else by name) but no text.
[[nodiscard]] Result<rules::QuarantineDocument> read_list_file(const std::string& path);

/// The list ready to be asked: what every command with `--quarantine FILE` begins with. A list that cannot be read
/// whole, or excuses for more than a year, is an error of kind config.
[[nodiscard]] Result<rules::QuarantineList> load_quarantine_list(const std::string& path, rules::Day today);

}  // namespace flakestat::app
