// One test of a run as text for a terminal or a log: why it failed, or how it came to pass. All is escaped.
#pragma once

#include <string>

#include "model/run_event.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// `--- FAILED <id> ---  (attempt 3 of 3, gw0; flaked 7x, failed 2x before)`, the note, earlier attempts with a line
/// each, the traceback, what was captured. Of a quarantined test `--- QUARANTINED <id> ---  (flaked 7x, failed 2x
/// before)` and the excuse. Ends with an empty line.
[[nodiscard]] std::string failure_text(const RunTest& test, const TestSettled& settled, const text::Look& look);

/// The same without the heading, for outputs that have headings of their own.
[[nodiscard]] std::string failure_body(const TestSettled& settled, const text::Look& look);

/// `  <id>  (1 rerun; flaked 7x before, failed 2x)`, then a line for each attempt that failed.
[[nodiscard]] std::string flaky_text(const RunTest& test, const TestSettled& settled, const text::Look& look);

/// `FAILED <id> - <message>`, in one line that fits the look.
[[nodiscard]] std::string short_line(std::string_view word, std::string_view id, std::string_view message,
                                     const text::Look& look);

}  // namespace flakestat::report
