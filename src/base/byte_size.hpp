// Sizes as people write them: `64K`, `10MB`, `1.5GiB`; a bare number is bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace flakestat {

/// A number (a decimal point is allowed), blanks, and one of the units `B K M G T`, each also with `B` or `iB` behind,
/// in any case, all of 1024; parts of a byte are cut. Not negative, at most 1024 TiB. Otherwise a usage error.
[[nodiscard]] Result<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace flakestat
