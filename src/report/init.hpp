// What `init` found and did, as text and as JSON (docs/schema/init.schema.json), and the config file it writes.
#pragma once

#include <string>
#include <vector>

#include "text/style.hpp"

namespace flakestat::report {

/// What became of one framework's config.
enum class ConfigState {
  written,
  shown,       ///< --dry-run: it would be written
  kept,        ///< a config is there already, and --force was not given
  not_chosen,  ///< another framework was written for this folder, or sub-folders were not asked for
  no_command,  ///< there is nothing to write yet
};

struct InitMissing {
  std::string what;
  std::string install;
};

struct InitFramework {
  std::string framework;
  std::string folder;  ///< relative to the directory; "" is the directory itself
  std::string evidence;
  std::vector<std::string> command;
  std::string junit;
  std::vector<InitMissing> missing;
  std::vector<std::string> notes;
  std::string config;  ///< the file, relative to the directory
  ConfigState state = ConfigState::not_chosen;
  std::string content;  ///< of the config; shown by a dry run
};

struct InitOutcome {
  std::string directory;
  bool dry_run = false;
  std::vector<InitFramework> frameworks;
  std::vector<std::string> files;  ///< what else was (or would be) written, relative to the directory
  std::string ignore_file;         ///< the .gitignore that has (or would have) the lines
  std::vector<std::string> ignore_lines;
  std::vector<std::string> notes;
};

/// What `.flakestat.json` holds. `settings`: further top-level strings, as `dir`.
struct InitConfig {
  std::vector<std::string> command;
  std::string junit;
  std::string dir;             ///< empty: the default
  std::string default_branch;  ///< empty: found out by each command
};
[[nodiscard]] std::string init_config(const InitConfig& config);

[[nodiscard]] std::string init_text(const InitOutcome& outcome, const text::Look& look);
[[nodiscard]] std::string init_json(const InitOutcome& outcome);

}  // namespace flakestat::report
