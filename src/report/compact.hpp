// What `compact` says of the log that it shrank.
#pragma once

#include <cstdint>
#include <string>

#include "text/json_writer.hpp"

namespace flakestat::report {

struct CompactSummary {
  std::uint64_t lines = 0;  ///< the sum of the next four
  std::uint64_t kept = 0;
  std::uint64_t duplicates = 0;  ///< executions that were recorded twice
  std::uint64_t superseded = 0;  ///< lines of damaged reports that a whole report brought again
  std::uint64_t rejected = 0;    ///< what was no record
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
  bool dry_run = false;
  std::string rejected_file;  ///< where the rejected went; not in the JSON document
};

/// docs/schema/compact.schema.json.
[[nodiscard]] std::string compact_json(const CompactSummary& summary, text::JsonStyle style = text::JsonStyle::pretty);

/// A line on what stays, one on what goes for each reason there is, one on the size.
[[nodiscard]] std::string compact_text(const CompactSummary& summary);

}  // namespace flakestat::report
