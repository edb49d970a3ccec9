// Report paths with wildcards: `*` and `?` inside a folder name or file name, `**` for any number of folders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flakestat::run {

/// True when the path holds `*` or `?`; brackets alone are part of a name.
[[nodiscard]] bool is_glob(std::string_view path);

/// The folder in front of the first wildcard: "/a/b" of "/a/b/*/c-*.xml".
[[nodiscard]] std::string glob_base(const std::string& pattern);

/// The regular files that match, sorted. `**` does not follow links to folders; names that start with a dot are matched
/// only by a pattern that does, too. Folders that cannot be read are left out. With `root` the (absolute) pattern and
/// the answer are as processes with that root folder see them, and links are followed as they would follow them.
[[nodiscard]] std::vector<std::string> expand_glob(const std::string& pattern, const std::string& root = "");

}  // namespace flakestat::run
