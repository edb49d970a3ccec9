// XML out: escaping in one place.
#pragma once

#include <string>
#include <string_view>

namespace flakestat::text {

/// Appends ` name="value"`. The value comes back exactly from an XML parser: line ends and tabs as references,
/// characters that XML 1.0 forbids as visible escapes, broken UTF-8 as U+FFFD.
void append_attribute(std::string& out, std::string_view name, std::string_view value);

/// Appends text content, escaped in the same way (a carriage return as a reference).
void append_content(std::string& out, std::string_view text);

}  // namespace flakestat::text
