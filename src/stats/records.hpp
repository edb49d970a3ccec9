// The compact form of an observation: 16 bytes, plus what a whole batch shares in a Group.
#pragma once

#include <cstdint>

#include "model/observation.hpp"

namespace flakestat::stats {

/// What observations of one batch have in common, as numbers of interned texts. The high bits of time, attempt and
/// repetition are here too, so that a record needs only the low ones and still loses nothing.
struct Group {
  std::uint32_t run = 0;
  std::uint32_t commit = 0;
  std::uint32_t code = 0;
  std::uint32_t branch = 0;
  std::uint32_t dimensions = 0;
  std::int32_t time_high = 0;
  std::uint32_t attempt_high = 0;
  std::uint32_t repetition_high = 0;
  bool hunt = false;

  friend bool operator==(const Group&, const Group&) = default;
};

struct Record {
  std::uint32_t test = 0;
  std::uint32_t group = 0;
  std::uint32_t time_low : 31;
  std::uint32_t known_flaky : 1;
  std::uint32_t attempt_low : 13;
  std::uint32_t repetition_low : 10;
  std::uint32_t status : 2;
  std::uint32_t quarantined : 1;
  std::uint32_t sanitised : 1;
  std::uint32_t partial : 1;
  std::uint32_t ambiguous : 1;
  std::uint32_t contended : 1;
  std::uint32_t shared_host : 1;  ///< ran beside other copies without a network of its own: no proof
  std::uint32_t undated : 1;

  Record()
      : time_low(0),
        known_flaky(0),
        attempt_low(0),
        repetition_low(0),
        status(0),
        quarantined(0),
        sanitised(0),
        partial(0),
        ambiguous(0),
        contended(0),
        shared_host(0),
        undated(0) {}
};
static_assert(sizeof(Record) == 16);

inline constexpr int kTimeBits = 31;
inline constexpr int kAttemptBits = 13;
inline constexpr int kRepetitionBits = 10;

/// Unknown times are 0.
[[nodiscard]] inline UnixMillis time_of(const Record& record, const Group& group) {
  if (record.undated) return 0;
  return group.time_high * (std::int64_t{1} << kTimeBits) + record.time_low;
}

[[nodiscard]] inline std::uint32_t attempt_of(const Record& record, const Group& group) {
  return group.attempt_high << kAttemptBits | record.attempt_low;
}

[[nodiscard]] inline std::uint32_t repetition_of(const Record& record, const Group& group) {
  return group.repetition_high << kRepetitionBits | record.repetition_low;
}

[[nodiscard]] inline Status status_of(const Record& record) { return static_cast<Status>(record.status); }

}  // namespace flakestat::stats
