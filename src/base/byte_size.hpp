// Amounts of bytes as people write them: `64K`, `10MB`, `1.5GiB`; a bare number is bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace flakestat {

/// A number (a decimal point is allowed), then nothing, `B`, or one of `K M G T` with an optional `B` or `iB`, in either
/// case, all in steps of 1024; a blank may stand between. At most 2^50 bytes; parts of a byte are cut. Otherwise a usage
/// error.
[[nodiscard]] Result<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace flakestat
