// One line of the log: the record of one execution (design, section 4; docs/formats/store.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "model/dimensions.hpp"
#include "model/identity.hpp"
#include "model/status.hpp"
#include "model/timestamp.hpp"

namespace flakestat {

/// The record of one execution, as it is written. Empty strings and false flags are absent in the log.
struct Observation {
  UnixMillis ts = 0;
  std::string run_id;
  std::string commit;
  std::string code;  ///< what the tests ran against; empty: equal to `commit`
  std::string branch;
  Source source = Source::ci;
  std::int32_t attempt = 0;     ///< 0 for the first try; in a hunt the run's number
  std::int32_t repetition = 0;  ///< 0.. for `-count`-like repeats inside one report
  TestId test_id{};
  std::string suite;
  std::string class_name;
  std::string name;
  Status status = Status::pass;
  std::optional<Status> raw_status;  ///< set with `sanitised`: what the test itself said
  std::string file;
  std::optional<std::int64_t> duration_ms;
  std::string message;
  bool known_flaky = false;
  bool quarantined = false;
  bool would_sanitise = false;
  bool partial = false;    ///< a run that selected tests
  bool ambiguous = false;  ///< equal names whose relation is unknown
  bool contended = false;
  std::string isolation;
  std::string sanitised_assumption;  ///< non-empty: sanitised
  std::string sanitised_detail;
  SharedDimensions dimensions;  ///< one map for all observations of a report
  std::string artifact;
  std::string exec_key;
};

/// The same record as the log reader gives it: views into the reader's buffer, valid during the callback only.
struct ObservationView {
  UnixMillis ts = 0;
  bool has_ts = false;  ///< false: `ts` was absent or unreadable
  std::string_view run_id;
  std::string_view commit;
  std::string_view code;  ///< never empty when `commit` is not: equals it when the line has no `code`
  std::string_view branch;
  Source source = Source::ci;
  std::int32_t attempt = 0;
  std::int32_t repetition = 0;
  TestId test_id{};
  std::string_view suite;
  std::string_view class_name;
  std::string_view name;
  Status status = Status::pass;
  std::optional<Status> raw_status;
  std::string_view file;
  std::optional<std::int64_t> duration_ms;
  std::string_view message;
  bool known_flaky = false;
  bool quarantined = false;
  bool would_sanitise = false;
  bool sanitised = false;
  std::string_view sanitised_assumption;
  std::string_view sanitised_detail;
  bool partial = false;
  bool ambiguous = false;
  bool contended = false;
  std::string_view isolation;
  std::span<const std::pair<std::string_view, std::string_view>> dimensions;  ///< as written; keys usually sorted
  std::string_view dimensions_raw;  ///< the object's JSON text: equal text means equal dimensions (a cheap cache key)
  std::string_view artifact;
  std::string_view exec_key;  ///< empty in logs of the predecessor
};

}  // namespace flakestat
