// From a hunt's result to what its document shows. Pure.
#pragma once

#include "app/provenance.hpp"
#include "report/hunt.hpp"
#include "run/hunt.hpp"

namespace flakestat::app {

[[nodiscard]] report::HuntSummary summary_of(const run::HuntResult& found, const run::HuntPlan& plan,
                                             const Provenance& provenance, std::uint64_t stored);

[[nodiscard]] report::HuntEnd shown_end(run::RunEnd end);

/// One run, as far as it is known.
[[nodiscard]] report::HuntRun shown_run(const run::RunResult& result);

/// `tests.api.TestAuth::login`.
[[nodiscard]] std::string name_of(const run::TestChoice& test);

/// The reports that the plan writes: results, no part of the code. Patterns, since `{run}` is not yet filled in.
[[nodiscard]] std::vector<std::string> own_files(const run::HuntPlan& plan);

}  // namespace flakestat::app
