// Which test frameworks a project uses, and the command that makes each report as `hunt` needs it (docs/init.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/ci.hpp"
#include "env/project_tree.hpp"

namespace flakestat::env {

/// In the order in which one is chosen where a folder has several.
enum class Framework : std::uint8_t {
  pytest,
  unittest,
  go_test,
  nextest,
  cargo_test,
  maven,
  gradle,
  vitest,
  jest,
  mocha,
  node_test,
  playwright,
  ctest,
  dotnet,
  rspec,
  minitest,
  phpunit,
  bats,
  bazel,
};

/// `pytest`, `go`, `node-test`: what --framework takes and JSON shows.
[[nodiscard]] std::string_view to_string(Framework framework);
/// All of them, in order.
[[nodiscard]] const std::vector<Framework>& all_frameworks();
[[nodiscard]] std::optional<Framework> framework_named(std::string_view name);

/// Something the command needs that is not there.
struct Prerequisite {
  std::string what;     ///< a sentence without its stop: `jest-junit is not installed`
  std::string install;  ///< the command (or edit) that mends it
};

/// A file of our own that the command needs.
struct CompanionFile {
  std::string path;  ///< relative to the framework's folder
  std::string content;
};

struct FoundFramework {
  Framework framework{};
  std::string folder;                ///< relative to the root, which is ""; the command runs there
  std::string evidence;              ///< the file that told, relative to the root
  std::vector<std::string> command;  ///< argv with {junit} and {run}; empty: none is known, `missing` says why
  std::string junit;                 ///< where the report lands, relative to `folder`; empty: exit codes only
  std::vector<Prerequisite> missing;
  std::vector<std::string> notes;  ///< what else the user should know
  std::optional<CompanionFile> companion;
};

/// What the machine offers, handed in so that tests can say it.
struct Machine {
  std::function<bool(std::string_view program)> has_program;
  /// Runs a short query (is this module there?) in a folder; true when it ended with 0.
  std::function<bool(const std::vector<std::string>& argv, const std::string& directory)> succeeds;
};

/// The real one: PATH from `variable`; queries end after 20 s.
[[nodiscard]] Machine this_machine(const EnvLookup& variable);

struct FrameworkScan {
  /// By folder; there those that the folder's own files tell of before those that files below it do; then in the order
  /// of Framework, except that the runner which the script `test` of package.json names leads those of Node.
  std::vector<FoundFramework> frameworks;
  std::vector<std::string> notes;  ///< what could not be read
};

/// A folder below another one with the same framework belongs to that one, except Go modules, which do not include each
/// other. `state_dir` is where reports land, relative to each folder.
[[nodiscard]] FrameworkScan find_frameworks(const ProjectTree& tree, const Machine& machine,
                                            const std::string& state_dir = ".flakestat");

}  // namespace flakestat::env
