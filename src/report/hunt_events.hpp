// A hunt as it happens, for tools: one JSON object a line (docs/schema/hunt-events.schema.json).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/identity.hpp"
#include "report/hunt.hpp"

namespace flakestat::report {

/// What is going to be done, as far as it is known before the first run.
struct PlanEvent {
  std::string run_id;
  std::vector<std::string> command;
  std::string directory;
  std::string junit;  ///< as it was given; empty: exit codes only
  int runs = 0;
  int parallel = 1;
  std::optional<std::int64_t> timeout_ms;
};

struct RunEvent {
  HuntRun run;
  bool failed = false;                ///< a failing case, or the run itself
  std::string isolation;              ///< what it had of its own beside other copies; empty: it was alone
  std::vector<std::string> selected;  ///< names of the tests that were asked for; none: all
};

/// A test has passed and failed now, and had not before.
struct DisagreementEvent {
  int run = 1;  ///< the run after which that was known
  TestId test_id{};
  std::string suite, class_name, name;
  std::uint64_t passes = 0;  ///< runs so far
  std::uint64_t fails = 0;
};

/// Each a line with its end.
[[nodiscard]] std::string event_line(const PlanEvent& event);
[[nodiscard]] std::string event_line(const RunEvent& event);
[[nodiscard]] std::string event_line(const DisagreementEvent& event);
/// The last event: `document` is what --format json would have written.
[[nodiscard]] std::string end_event_line(std::string document);

}  // namespace flakestat::report
