// How several cases of one identity in one report relate to each other (design, section 5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/case.hpp"
#include "model/identity.hpp"

namespace flakestat::formats {

/// - repetitions: every test of the suite occurs equally often (`-count`, `--gtest_repeat`);
/// - attempts: all but the last failed (reruns);
/// - ambiguous: anything else, for example equal names of different parameters.
/// A suite that holds only one test gives no such comparison: there, outcomes that disagree are repetitions only when
/// the whole report has several tests and all occur equally often; else attempts or ambiguous. When in doubt nothing
/// is concluded from a disagreement. Go (property `go.version`) makes equal names unequal itself: there an equal name
/// is a repetition, however often its neighbours occur (a panic ends a `-count` early).
enum class Relation : std::uint8_t { single, repetitions, attempts, ambiguous };

/// The place of one case among those of its identity.
struct GroupPlace {
  Relation relation = Relation::single;
  std::uint32_t group = 0;    ///< cases of one identity share it; dense from 0, in no particular order
  std::uint32_t ordinal = 0;  ///< among the cases of the group, in document order
};

/// `ids[i]` is the identity of `cases[i]`; the result has the same order. O(n log n).
[[nodiscard]] std::vector<GroupPlace> group_cases(std::span<const Case> cases, std::span<const TestId> ids);

}  // namespace flakestat::formats
