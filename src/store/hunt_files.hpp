// The folder of hunt records: `<dir>/hunts/`, one file a run_id.
#pragma once

#include <filesystem>
#include <functional>
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

/// A folder of the state directory, made when needed. A link in its place may lead anywhere (a checkout can bring one):
/// nothing is written or removed behind it. Errors: io.
[[nodiscard]] Result<void> make_own_folder(const std::string& folder);

/// Writes or replaces the record of its run_id, durably. Errors: io.
[[nodiscard]] Result<void> write_hunt(const std::string& dir, const HuntRecord& record);

/// The record of the only run_id that is `prefix` or begins with it; with an empty prefix the hunt that began last.
/// Errors: `missing` when there is none; `usage` when several begin so; `damaged` and `config` as parse_hunt.
[[nodiscard]] Result<HuntRecord> find_hunt(const std::string& dir, std::string_view prefix);

/// Nothing is written behind a link in the place of a file. Errors: io.
[[nodiscard]] Result<void> refuse_link(const std::string& path);

/// A `.json` file, or what a writer that was killed left of one: `r.json.aB3xYz`. No link.
[[nodiscard]] bool is_own_json(const std::filesystem::directory_entry& entry);

/// Whether an entry of a folder is one that flakestat made; others are never removed.
using IsOurs = std::function<bool(const std::filesystem::directory_entry&)>;

/// Removes what `is_ours` in `folder`, the oldest changes first, until the rule holds: more than `most`, and what was
/// last changed more than `days` before `now`. What cannot be removed stays, and so does all behind a link.
void prune_oldest(const std::string& folder, const KeepRule& rule, UnixMillis now, const IsOurs& is_ours);

/// The same for the records of `dir`.
void prune_hunts(const std::string& dir, UnixMillis now);

}  // namespace flakestat::store
