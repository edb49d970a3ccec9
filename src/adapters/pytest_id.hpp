// From pytest's node ids to the names of its own JUnit report. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/run_event.hpp"

namespace flakestat::adapters {

/// How pytest names its suite and its classes (`junit_suite_name`, `--junit-prefix`).
struct PytestNaming {
  std::string suite = "pytest";
  std::string prefix;
  std::string folder;  ///< of the project below the root of the run, in front of ids and files; empty: it is the root
};

/// `tests/test_a.py::TestOne::test_x[p::q]` is class `tests.test_a.TestOne`, name `test_x[p::q]`. Control characters in
/// the name come out as the report would spell them (`#x1B`).
[[nodiscard]] RunTest pytest_test(std::string_view node_id, std::string_view file, const PytestNaming& naming);

}  // namespace flakestat::adapters
