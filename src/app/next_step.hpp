// Which command would tell more about a test, with numbers from its evidence.
#pragma once

#include "app/requests.hpp"
#include "app/settings.hpp"
#include "report/explain.hpp"

namespace flakestat::app {

/// A command as it can be typed in the working directory. Where no test command is configured it ends in a word for
/// the reader to replace, and `why` says so.
[[nodiscard]] report::NextStep next_step(const report::Explanation& found, const Settings& settings,
                                         const CommonFlags& common);

}  // namespace flakestat::app
