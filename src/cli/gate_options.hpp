// The gate's options, shared by check and ci-report.
#pragma once

#include "app/requests.hpp"
#include "cli/invocation.hpp"

namespace flakestat::cli {

/// --baseline, --fail-on-new, --fail-on-regression, --regression-delta, --new-tests, --fail-on-sanitised, --expect.
void add_gate(CLI::App& command, app::GateFlags& flags);

}  // namespace flakestat::cli
