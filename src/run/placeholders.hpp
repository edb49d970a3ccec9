// `{run}` and `{junit}` in a command and in --junit. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flakestat::run {

inline constexpr std::string_view kRunPlaceholder = "{run}";
inline constexpr std::string_view kJunitPlaceholder = "{junit}";

/// Every `{run}` becomes the run's number. Other braces stay as they are.
[[nodiscard]] std::string expand_run(std::string_view text, int run);

/// The argv of one run: `{run}`, then `{junit}`, in every argument. `junit` is the expanded, absolute report path.
[[nodiscard]] std::vector<std::string> expand_command(const std::vector<std::string>& command, int run,
                                                      const std::string& junit);

/// The reverse for `{junit}`: every argument with the report's path replaced. An empty path replaces nothing.
[[nodiscard]] std::vector<std::string> without_junit(const std::vector<std::string>& argv, const std::string& junit);

/// True when some argument holds `{junit}`.
[[nodiscard]] bool uses_junit(const std::vector<std::string>& command);

}  // namespace flakestat::run
