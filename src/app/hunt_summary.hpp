// From a hunt's result to what its document shows. Pure.
#pragma once

#include "app/provenance.hpp"
#include "report/hunt.hpp"
#include "report/progress.hpp"
#include "run/hunt.hpp"

namespace flakestat::app {

[[nodiscard]] report::HuntSummary summary_of(const run::HuntResult& found, const run::HuntPlan& plan,
                                             const Provenance& provenance, std::uint64_t stored);

[[nodiscard]] report::Progress progress_of(const run::HuntProgress& now);

/// The reports that the plan writes: results, no part of the code. Patterns, since `{run}` is not yet filled in.
[[nodiscard]] std::vector<std::string> own_files(const run::HuntPlan& plan);

}  // namespace flakestat::app
