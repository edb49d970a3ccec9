// The one test that a word on the command line means.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/test_score.hpp"

namespace flakestat::app {

/// By test_id (16 hex digits), else by name, else by display name, else by a part of the display name: the first of
/// these that any test matches decides. Errors: `usage` when several match there (they are listed with their ids),
/// `missing` when none does (with the nearest names). The pointer goes into `tests`.
[[nodiscard]] Result<const TestScore*> find_test(const std::vector<TestScore>& tests, const std::string& wanted);

}  // namespace flakestat::app
