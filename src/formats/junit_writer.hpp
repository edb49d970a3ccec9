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

/// What a report may say of a case beyond its result. Raw: the writer escapes, and takes ANSI sequences out of texts.
struct JunitExtras {
  std::string type;                   ///< of the element that decided
  std::string details;                ///< its text
  std::vector<std::string> attempts;  ///< texts of the earlier, then of the later attempts; may be fewer
  std::vector<std::pair<std::string, std::string>> properties;
  std::string system_out;
  std::string system_err;
};

/// One suite of a report to write. The cases' own `suite` is not looked at: `name` is written.
struct JunitSuite {
  std::string name;
  std::optional<UnixMillis> timestamp;
  std::string run_id;  ///< property `flakestat.run_id`; empty: none
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<Case> cases;
  std::vector<JunitExtras> extras{};  ///< of the cases, by their index; may be fewer
};

/// What stands beside a case in a report but is no part of its result.
struct JunitReport {
  std::string name;
  std::vector<JunitSuite> suites;
};

/// The whole document, UTF-8. What the reader makes of it equals the cases written: suite, class, name, status,
/// duration to the millisecond's thousandth, file, line, message, attempts with their statuses and messages, start,
/// exec_key, run_id and marks, for names and messages that are clean (base/clean_text.hpp). Characters that XML cannot
/// hold come out as clean_name shows them. A known-flaky case needs `earlier` attempts to stay one. A quarantined
/// failure has no `<failure>` and does not count as one: all its attempts are `rerunFailure`s, which other readers take
/// for no result.
[[nodiscard]] std::string write_junit(const JunitReport& report);

}  // namespace flakestat::formats
