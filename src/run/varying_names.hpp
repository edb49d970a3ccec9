// Test names that change from run to run (time stamps, counters, addresses): found by comparing two runs. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::run {

/// Suite, class and name of a test, as its report has them.
struct TestName {
  std::string suite;
  std::string class_name;
  std::string name;

  // NOLINTNEXTLINE(modernize-use-nullptr): the check misreads comparison with the literal 0
  friend auto operator<=>(const TestName&, const TestName&) = default;
};

/// The text with what usually varies replaced by `#`: runs of digits, and words of hex digits with a digit in them
/// (UUIDs, addresses, digests). Two names with equal masks may be one test.
[[nodiscard]] std::string masked(std::string_view text);
[[nodiscard]] TestName masked(const TestName& test);

struct VaryingNames {
  std::size_t tests = 0;    ///< of the later run: new name, known mask
  std::string field;        ///< "suite", "class" or "name"
  std::string before;       ///< an example: the field in the earlier run
  std::string after;        ///< the same in the later run
  std::string part_before;  ///< the words in it that differ
  std::string part_after;
  std::string cure;  ///< what is known to help; empty when nothing is
};

/// Compares the tests of two runs (numbers `run_before`, `run_after`): those that only one has, but with equal masks.
/// Nothing when there are none.
[[nodiscard]] std::optional<VaryingNames> compare_names(const std::vector<TestName>& before, int run_before,
                                                        const std::vector<TestName>& after, int run_after);

}  // namespace flakestat::run
