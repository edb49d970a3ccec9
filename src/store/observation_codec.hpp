// What the writer and the reader of the log agree on (docs/formats/store.md has an example of every kind of line).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flakestat::store {

/// Longer lines are neither written nor read.
inline constexpr std::size_t kMaxLine = std::size_t{16} << 20;

/// How every line of ours starts. Inside a JSON string the quotes would be escaped, so wherever these bytes stand, a
/// record begins: what a glued or damaged line is cut at.
inline constexpr std::string_view kLineStart = R"({"ts":)";

/// How a line of ours ends when it has an exec_key: this, 16 hex digits, `"}`. The key is the last one for the sake of
/// the search for duplicates, which looks at the ends of lines only.
inline constexpr std::string_view kExecKeyField = R"("exec_key":")";

/// Further dimensions of one line are ignored.
inline constexpr std::size_t kMaxDimensions = 1024;

/// `<dir>/runs.ndjson`
[[nodiscard]] inline std::string log_path(const std::string& dir) { return dir + "/runs.ndjson"; }
/// `<dir>/lock`
[[nodiscard]] inline std::string lock_path(const std::string& dir) { return dir + "/lock"; }

}  // namespace flakestat::store
