// A ChildResult as bytes, to be handed from the process that watched a command to the one that asked for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sys/child.hpp"

namespace flakestat::sys {

[[nodiscard]] std::string encode_result(const ChildResult& result);

/// Nothing when the bytes are no encoded result, or more output is in them than the spec keeps.
[[nodiscard]] std::optional<ChildResult> decode_result(std::string_view bytes, const ChildSpec& spec);

/// More than any encoded result of this spec has, unless millions of processes outlived the command.
[[nodiscard]] std::size_t encoded_result_limit(const ChildSpec& spec);

}  // namespace flakestat::sys
