// What a hunt saw only beside other copies of its command: in words, for people. Pure.
#pragma once

#include <string>
#include <vector>

#include "report/hunt.hpp"

namespace flakestat::report {

/// How parallel runs were made and what of their disagreements did not happen alone, a line each. Names come escaped
/// for a terminal.
[[nodiscard]] std::vector<std::string> describe_doubts(const HuntSummary& hunt);

}  // namespace flakestat::report
