// Option tables that several commands share.
#pragma once

#include <string>

#include "app/requests.hpp"
#include "cli/invocation.hpp"

namespace flakestat::cli {

/// --dir, --format (one of `formats`, the first is the default), --quiet, --verbose, --no-color: what a command takes
/// that shows no tests.
void add_basics(CLI::App& command, app::CommonFlags& flags, Invocation& invocation,
                const std::vector<std::string>& formats);

/// --default-branch.
void add_default_branch(CLI::App& command, app::CommonFlags& flags);

/// --dir, --format (one of `formats`, the first is the default), --filter, --default-branch, --quiet, --verbose,
/// --no-color.
void add_common(CLI::App& command, app::CommonFlags& flags, Invocation& invocation,
                const std::vector<std::string>& formats);

/// A number from 0 to 1.
[[nodiscard]] CLI::Validator probability();

/// --since, --branch, --dimension: which recorded executions are looked at.
void add_narrowing(CLI::App& command, app::NarrowingFlags& flags);

/// --dimension, --no-host.
void add_place(CLI::App& command, app::ProvenanceFlags& flags);

/// --commit, --branch, --run-id, --dimension, --no-host.
void add_provenance(CLI::App& command, app::ProvenanceFlags& flags);

/// Every scoring parameter by its name in docs/scoring.md.
void add_scoring(CLI::App& command, app::ScoringFlags& flags);

/// A new subcommand with `-h, --help` and an example below its options.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what, const std::string& example);

}  // namespace flakestat::cli
