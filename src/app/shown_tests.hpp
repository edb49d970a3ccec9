// `--filter`: which scored tests are shown. Scores never depend on it: an outage is a matter of the whole job.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/identity.hpp"
#include "stats/scoring.hpp"

namespace flakestat::app {

/// Whether the glob (on display names) or the 16-digit test_id selects the test; without a filter every one is.
[[nodiscard]] bool is_shown(const std::optional<std::string>& filter, TestId test_id, std::string_view suite,
                            std::string_view class_name, std::string_view name);
[[nodiscard]] bool is_shown(const TestScore& test, const std::optional<std::string>& filter);

/// Removes the tests that neither the glob (on display names) nor the 16-digit test_id selects.
void keep_shown(stats::Scores& scores, const std::optional<std::string>& filter);

}  // namespace flakestat::app
