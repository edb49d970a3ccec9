// Legacy encodings through ICU's converters, linked statically with a package that holds nothing else
// (cmake/icu_converters.txt).
#pragma once

#include <memory>
#include <string_view>

#include "text/encoding.hpp"

namespace flakestat::text {

/// A converter for any name that ICU knows and the package holds; nothing otherwise, and in builds without ICU. Never
/// opens a file, whatever the name. Its original sizes are exact for encodings of one byte a character and estimates
/// for others.
[[nodiscard]] std::unique_ptr<Transcoder> make_icu_transcoder(std::string_view name);

}  // namespace flakestat::text
