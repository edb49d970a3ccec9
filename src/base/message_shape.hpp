// A failure message without what changes from run to run: what messages are grouped by.
#pragma once

#include <string>
#include <string_view>

namespace flakestat {

/// The message as one clean line (clean_text.hpp: colour codes go whole) in which numbers are `<n>`, hexadecimal
/// addresses and digests `<hex>`, UUIDs `<uuid>`, dates and times of day `<time>`, paths `<path>`. What stands in a URL
/// keeps its words. Linear time.
[[nodiscard]] std::string message_shape(std::string_view message);

}  // namespace flakestat
