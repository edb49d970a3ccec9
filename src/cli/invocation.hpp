// One parsed invocation: the flags every command shares and the action that the chosen command set.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>

#include "app/commands.hpp"

namespace flakestat::cli {

struct Invocation {
  bool quiet = false;
  bool verbose = false;
  bool no_color = false;
  std::function<Result<app::Ending>(const app::World&)> action;
};

/// Adds one subcommand each; the request lives as long as the app.
void add_init(CLI::App& app, Invocation& invocation);
void add_inspect(CLI::App& app, Invocation& invocation);
void add_ingest(CLI::App& app, Invocation& invocation);
void add_report(CLI::App& app, Invocation& invocation);
void add_check(CLI::App& app, Invocation& invocation);
void add_ci_report(CLI::App& app, Invocation& invocation);
void add_explain(CLI::App& app, Invocation& invocation);
void add_hunt(CLI::App& app, Invocation& invocation);
void add_run(CLI::App& app, Invocation& invocation);
void add_config(CLI::App& app, Invocation& invocation);
void add_completions(CLI::App& app, Invocation& invocation);
void add_man(CLI::App& app, Invocation& invocation);
void add_compact(CLI::App& app, Invocation& invocation);
void add_ledger(CLI::App& app, Invocation& invocation);
void add_shard_verify(CLI::App& app, Invocation& invocation);
void add_quarantine(CLI::App& app, Invocation& invocation);

}  // namespace flakestat::cli
