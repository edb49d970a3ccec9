// Our dialect of JUnit XML: Surefire-compatible, with the attempts of a run, always valid XML 1.0
// (docs/formats/junit.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/case.hpp"

namespace flakestat::formats {

/// One suite of a report to write. The cases' own `suite` is not looked at: `name` is written.
struct JunitSuite {
  std::string name;
  std::optional<UnixMillis> timestamp;
  std::string run_id;  ///< property `flakestat.run_id`; empty: none
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<Case> cases;
};

/// What stands beside a case in a report but is no part of its result.
struct JunitReport {
  std::string name;
  std::vector<JunitSuite> suites;
};

/// The whole document, UTF-8. What the reader makes of it equals the cases written: suite, class, name, status,
/// duration to the millisecond's thousandth, file, line, message, attempts with their statuses and messages, start,
/// exec_key and run_id, for names and messages that are clean (base/clean_text.hpp). Characters that XML cannot hold
/// come out as clean_name shows them. A known-flaky case needs `earlier` attempts to stay one.
[[nodiscard]] std::string write_junit(const JunitReport& report);

}  // namespace flakestat::formats
