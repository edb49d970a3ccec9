// The one test that a word on the command line means.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/test_score.hpp"

namespace flakestat::app {

/// By test_id (16 hex digits), else by name, else by display name, else by a part of the display name: the first of
/// these that any test matches decides. Errors: `usage` when several match there, `missing` when none does; `say` hears
/// the candidates or the nearest names before, a line each with its id. The pointer goes into `tests`.
[[nodiscard]] Result<const TestScore*> find_test(const std::vector<TestScore>& tests, const std::string& wanted,
                                                 const std::function<void(std::string_view)>& say);

}  // namespace flakestat::app
