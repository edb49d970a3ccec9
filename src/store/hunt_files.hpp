// The folder of hunt records: `<dir>/hunts/`, one file a run_id.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/hunt_record.hpp"

namespace flakestat::store {

/// How many things of a kind are kept, and how long; what is written next is always kept.
struct KeepRule {
  std::size_t most = 100;
  std::int64_t days = 90;
};

/// A run_id as a file's name. Bytes other than ASCII letters, digits, `_`, `-` and an inner `.` are written as `%2F`;
/// long names are cut and end in a digest. Two run_ids never have one name. At most 218 bytes.
[[nodiscard]] std::string file_stem(std::string_view run_id);

/// The record's file of a run_id.
[[nodiscard]] std::string hunt_file(const std::string& dir, std::string_view run_id);

/// Writes or replaces the record of its run_id, durably. Errors: io.
[[nodiscard]] Result<void> write_hunt(const std::string& dir, const HuntRecord& record);

/// The record of the only run_id that is `prefix` or begins with it; with an empty prefix the hunt that began last.
/// Errors: `missing` when there is none; `usage` when several begin so; `damaged` and `config` as parse_hunt.
[[nodiscard]] Result<HuntRecord> find_hunt(const std::string& dir, std::string_view prefix);

/// Removes entries (files or folders) of `folder`, the oldest changes first, until the rule holds: more than `most`,
/// and those that were last changed more than `days` before `now`. What cannot be removed stays.
void prune_oldest(const std::string& folder, const KeepRule& rule, UnixMillis now);

}  // namespace flakestat::store
