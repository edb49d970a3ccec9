// Tests grouped by family: the test with its parameters stripped. For reading only; nothing gates on a family.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/test_score.hpp"

namespace flakestat::report {

/// The members keep their own verdicts; the family shows the worst of them and sums of what can be summed.
struct Family {
  TestId id{};
  std::string name;                       ///< the family's name, without parameters
  std::vector<const TestScore*> members;  ///< worst first; never empty; they point into the scores
  double score = 0;                       ///< the largest of a member
  double lower_bound = 0;                 ///< the largest of a member
  std::uint64_t runs = 0;
  std::uint64_t passes = 0;
  std::uint64_t fails = 0;
  std::uint64_t skips = 0;

  [[nodiscard]] const TestScore& worst() const { return *members.front(); }
};

/// Families in the order of their worst members. `tests` are worst first, as the models give them.
[[nodiscard]] std::vector<Family> group_families(std::span<const TestScore> tests);

/// `3 tests: 1 flaky, 2 stable`.
[[nodiscard]] std::string describe_members(const Family& family);

}  // namespace flakestat::report
