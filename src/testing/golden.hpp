// Rendered text against a golden file: tests/golden/NAME. FLAKESTAT_UPDATE_GOLDEN=1 rewrites; review that diff.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace flakestat::testing {

/// Whether `actual` is exactly the content of `<source_dir>/tests/golden/<name>`; the message shows the first line that
/// differs. In update mode the file is written instead, and only a file that cannot be written fails.
[[nodiscard]] ::testing::AssertionResult matches_golden(std::string_view source_dir, std::string_view name,
                                                        std::string_view actual);

}  // namespace flakestat::testing

/// FLAKESTAT_SOURCE_DIR is defined for every test binary.
#define EXPECT_GOLDEN(name, actual) \
  EXPECT_TRUE(::flakestat::testing::matches_golden(FLAKESTAT_SOURCE_DIR, name, actual))
