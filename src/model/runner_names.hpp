// What a test is called by its own runner, worked out from suite, class, name and file of its report. Pure; the facts
// of each runner's report are in docs/quarantine.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flakestat {

/// A test as its report names it. Views: the caller keeps the text.
struct TestNames {
  std::string_view suite;
  std::string_view class_name;
  std::string_view name;
  std::string_view file;
};

/// A runner's own spelling of one test, and the place inside which it is unique. `problem` says why there is none.
struct RunnerName {
  std::string scope;    ///< file, package or binary; empty: the runner has none
  std::string name;     ///< as the runner spells it inside `scope`
  std::string problem;  ///< not empty: the runner has no name for this test

  friend bool operator==(const RunnerName&, const RunnerName&) = default;
};

/// `tests/test_a.py::TestOne::test_x[p]` in `name`. With a `file` the classes are what the dotted class has beyond the
/// module; without one the first segment with a capital letter is taken for the first class.
[[nodiscard]] RunnerName pytest_name(const TestNames& test);

/// `tests.test_a.One.test_x`; a subtest's is that of its test. Set-up and import errors are no tests.
[[nodiscard]] RunnerName unittest_name(const TestNames& test);

/// Import path and `TestOdd/a_b`.
[[nodiscard]] RunnerName go_name(const TestNames& test);

/// File and the titles: joined by ` > ` where the report keeps them apart, else by blanks.
[[nodiscard]] RunnerName jest_name(const TestNames& test);
[[nodiscard]] RunnerName vitest_name(const TestNames& test);
/// The titles joined by blanks; the file where the report has it.
[[nodiscard]] RunnerName mocha_name(const TestNames& test);

/// Titles as Jest, Vitest and Mocha match them with a pattern: joined by one blank.
[[nodiscard]] std::string blank_joined(std::string_view titles);

/// File, and `Outer › same`, with `[project] ` in front where the report has it.
[[nodiscard]] RunnerName playwright_name(const TestNames& test);

/// `Suite.Name`, `Inst/P.T/0`.
[[nodiscard]] RunnerName gtest_name(const TestNames& test);
[[nodiscard]] RunnerName ctest_name(const TestNames& test);
[[nodiscard]] RunnerName catch2_name(const TestNames& test);

/// Class `p.Outer$Inner` as scope, the method as name, without the parameters and the index that reports write behind
/// it.
[[nodiscard]] RunnerName java_name(const TestNames& test);

/// Binary id (`sample`, `sample::it`) and the test's path.
[[nodiscard]] RunnerName rust_name(const TestNames& test);

/// File and full description.
[[nodiscard]] RunnerName rspec_name(const TestNames& test);
/// `Class#test_x`.
[[nodiscard]] RunnerName minitest_name(const TestNames& test);
/// `Sub\BTest::testOdd with data set "a b"`.
[[nodiscard]] RunnerName phpunit_name(const TestNames& test);

/// Every spelling by which an entry of a quarantine list may name the test, beside display name and test_id: each
/// runner's id, where suite, class and name have that runner's form.
[[nodiscard]] std::vector<std::string> framework_ids(const TestNames& test);

}  // namespace flakestat
