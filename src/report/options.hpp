// What a report shows and how it looks. Plain values: the commands fill them from flags and the terminal.
#pragma once

#include <cstddef>
#include <optional>

#include "stats/scoring.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

struct ReportOptions {
  stats::Model model = stats::Model::bayes;
  bool all = false;                ///< every test, not only flaky, suspect and consistently failing ones
  std::optional<std::size_t> top;  ///< at most so many rows (families with by_family); broken tests come in addition
  std::optional<double> severity;  ///< leave out rows whose lower bound is below it; broken tests stay
  bool by_family = false;
  text::Look look;  ///< tables only
  text::JsonStyle json = text::JsonStyle::pretty;
};

}  // namespace flakestat::report
