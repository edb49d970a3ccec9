// The mounts of this process as the kernel lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace flakestat::sys {

/// Pure. The mount points in the text of /proc/self/mountinfo, in its order; later ones may lie over earlier ones.
[[nodiscard]] std::vector<std::string> mount_points_in(std::string_view mountinfo);

/// Pure. From mount points those below `folder` (not itself) that are not below another of them, each once, sorted.
[[nodiscard]] std::vector<std::string> topmost_below(const std::vector<std::string>& mount_points,
                                                     std::string_view folder);

/// topmost_below of what /proc/self/mountinfo says now.
[[nodiscard]] Result<std::vector<std::string>> mounts_below(std::string_view folder);

}  // namespace flakestat::sys
