# The hooks of src/hooks/ as string constants: they stay real files for editors and linters, and the binary needs no
# folder beside it. Writes the source of base/hook_source.hpp's function.
function(flakestat_embed_hooks out)
  file(GLOB _hooks CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/hooks/*)
  set(_table "")
  foreach(_hook ${_hooks})
    get_filename_component(_name ${_hook} NAME)
    file(READ ${_hook} _text)
    string(APPEND _table "    {\"${_name}\", R\"flakestat(${_text})flakestat\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_hook})
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/hook_sources.cpp @ONLY CONTENT [=[// Made by cmake/Hooks.cmake from src/hooks/.
#include <algorithm>
#include <array>
#include <utility>

#include "base/hook_source.hpp"

namespace flakestat {

std::string_view hook_source(std::string_view file_name) {
  static constexpr std::pair<std::string_view, std::string_view> kHooks[] = {
@_table@  };
  const auto* found = std::find_if(std::begin(kHooks), std::end(kHooks), [&](const auto& hook) { return hook.first == file_name; });
  return found == std::end(kHooks) ? std::string_view{} : found->second;
}

}  // namespace flakestat
]=])
  set(${out} ${CMAKE_BINARY_DIR}/generated/hook_sources.cpp PARENT_SCOPE)
endfunction()
