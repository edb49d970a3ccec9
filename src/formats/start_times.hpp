// When the cases of a report started (design, section 4, Time).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/timestamp.hpp"

namespace flakestat::formats {

struct StartTimesContext {
  UnixMillis modified = 0;  ///< the report's modification time; 0 unknown
  UnixMillis now = 0;       ///< 0 unknown: nothing is clamped
  std::int32_t local_offset_minutes = 0;
};

/// One start a case. Cases in a row that share suite and stamp ran one after the other: each starts when those before
/// it ended, where all their durations are known and the last one then ends before the report was written (else they
/// ran side by side, and all keep the stamp). Without a stamp: the modification time, else now. Stamps without an
/// offset are UTC unless, for the whole report, the newest of them (or the end of what it stamps) read as local time
/// lies within 15 minutes of the modification time and read as UTC does not. Stamps more than 5 minutes ahead of now
/// become the modification time, or now when that is ahead too. Both are noted.
[[nodiscard]] std::vector<UnixMillis> start_times(std::span<const Case> cases, const StartTimesContext& context,
                                                  std::vector<std::string>& notes);

}  // namespace flakestat::formats
