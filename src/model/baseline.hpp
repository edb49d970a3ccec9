// The flakiness that a project has accepted (docs/formats/baseline.md): what the gate measures new and worse against.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/identity.hpp"

namespace flakestat {

/// One accepted flaky test, as it was when it was accepted.
struct AcceptedTest {
  TestId test_id{};
  std::string suite;
  std::string class_name;
  std::string name;
  std::string verdict;  ///< `flaky`; other words of other writers are kept
  double score = 0;

  friend bool operator==(const AcceptedTest&, const AcceptedTest&) = default;
};

struct Baseline {
  std::string model;                ///< whose scores these are: `bayes` or `flip-rate`
  std::vector<AcceptedTest> tests;  ///< by test_id, each once

  friend bool operator==(const Baseline&, const Baseline&) = default;
};

}  // namespace flakestat
