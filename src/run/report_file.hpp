// Reads a JUnit report from a file: the default ReadReport.
#pragma once

#include <string>

#include "base/result.hpp"
#include "run/hunt.hpp"

namespace flakestat::run {

/// Errors: `io` when the file cannot be read. A file that is no JUnit report is content with a rejection.
[[nodiscard]] Result<ReportContent> read_report_file(const std::string& path);

}  // namespace flakestat::run
