// The files of src/hooks/, which runners load, as text inside the binary (cmake/Hooks.cmake).
#pragma once

#include <string_view>

namespace flakestat {

/// A hook's source by its file name; empty: there is none of that name.
[[nodiscard]] std::string_view hook_source(std::string_view file_name);

}  // namespace flakestat
