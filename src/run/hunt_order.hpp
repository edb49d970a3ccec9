// What a hunt asks of one run.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "model/identity.hpp"

namespace flakestat::run {

/// A test as a command can be told to run it.
struct TestChoice {
  std::string suite;
  std::string class_name;
  std::string name;
  std::string file;  ///< as a report had it; may be empty

  friend bool operator==(const TestChoice&, const TestChoice&) = default;
};

[[nodiscard]] inline TestId id_of(const TestChoice& test) { return test_id(test.suite, test.class_name, test.name); }

/// The order in which tests are listed.
[[nodiscard]] inline bool is_named_before(const TestChoice& a, const TestChoice& b) {
  return std::tie(a.suite, a.class_name, a.name) < std::tie(b.suite, b.class_name, b.name);
}

/// What else runs at the same time.
enum class RunMode : std::uint8_t {
  alone,   ///< nothing of ours: what it shows is the test's own doing
  beside,  ///< other copies of the same command: what it shows may be their doing (design, section 7)
};

enum class RunPurpose : std::uint8_t {
  measure,  ///< one of the runs that were asked for
  verify,   ///< beyond them: whether what was seen beside other copies happens alone too
};

struct RunOrder {
  int run = 1;  ///< from 1, as in {run} and FLAKESTAT_RUN
  RunMode mode = RunMode::alone;
  RunPurpose purpose = RunPurpose::measure;
  std::vector<TestChoice> tests;  ///< only these are to run; empty: all that the command runs
};

}  // namespace flakestat::run
