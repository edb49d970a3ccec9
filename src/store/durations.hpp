// `<dir>/durations.json`: how long tests take, so that a run can be spread evenly. A cache: what cannot be read is as
// if it were not there (docs/formats/durations.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/timestamp.hpp"

namespace flakestat::store {

inline constexpr std::string_view kDurationsName = "durations.json";

struct TestDuration {
  double seconds = 0;           ///< mean of passed executions, the latest weighing most
  std::int64_t last_epoch = 0;  ///< when the test last passed, in seconds since 1970
  friend bool operator==(const TestDuration&, const TestDuration&) = default;
};

/// By node id.
using Durations = std::map<std::string, TestDuration, std::less<>>;

struct ReadDurations {
  Durations tests;
  std::vector<std::string> notes;  ///< why there are none although there is a file
};

/// What is known in a state directory. Never an error.
[[nodiscard]] ReadDurations read_durations(const std::string& dir);

/// One passed execution.
struct PassedExecution {
  std::string_view id;
  double seconds = 0;
};

/// Takes a run's executions into what is known: several of one test count as their mean, which then weighs three
/// tenths. Drops what was not seen for 90 days, and the oldest beyond two million. Negative or infinite durations and
/// names over 4 KiB are left out.
void merge_into(Durations& known, const std::vector<PassedExecution>& passed, UnixMillis now);

/// The same under the directory's lock, with the file replaced as a whole; nothing is written when nothing passed. A
/// damaged file is replaced, one of a newer version is left alone. Returns notes for the user. Errors: io.
[[nodiscard]] Result<std::vector<std::string>> merge_durations(const std::string& dir,
                                                               const std::vector<PassedExecution>& passed,
                                                               UnixMillis now);

/// The bytes of the file: a function of the durations alone.
[[nodiscard]] std::string encode_durations(const Durations& durations);

}  // namespace flakestat::store
