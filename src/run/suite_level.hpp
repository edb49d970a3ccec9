// The suite-level test: what stands for a whole run when there are no reports, or when a run cannot be believed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/case.hpp"

namespace flakestat::run {

/// Suite and class of every suite-level test.
inline constexpr const char* kSuiteLevel = "(command)";

/// The test's name: the command line as it was given, `{run}` and `{junit}` unexpanded (so that it is the same in every
/// run), arguments quoted as a POSIX shell would need it, bytes that are not printable text as `\xNN`. Names over 256
/// bytes are cut and end in `...#` and 16 hex digits of the whole name's SHA-256.
[[nodiscard]] std::string suite_level_name(const std::vector<std::string>& command);

/// One line of printable UTF-8, at most `limit` bytes: other bytes are written as `\xNN`.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 1024);

/// One result of it. `message` is made printable.
[[nodiscard]] Case suite_level_case(const std::vector<std::string>& command, Status status, std::string_view message,
                                    double duration_ms);

}  // namespace flakestat::run
