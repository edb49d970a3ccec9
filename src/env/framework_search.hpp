// What the searches for single frameworks share. Internal to `env`.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "env/frameworks.hpp"
#include "env/project_tree.hpp"

namespace flakestat::env {

/// One search over one tree: what it looks at, and what it has found so far.
struct FrameworkSearch {
  const ProjectTree& tree;
  const Machine& machine;
  std::string state_dir;
  std::vector<FoundFramework> found = {};
  std::vector<std::string> notes = {};

  /// The usual place of a run's report.
  [[nodiscard]] std::string report() const { return state_dir + "/reports/run-{run}.xml"; }
  /// True when a folder of `framework` that was found already includes `folder`.
  [[nodiscard]] bool covered(Framework framework, std::string_view folder) const;
  /// The first of `names` that is in `folder` (relative to the root); empty: none.
  [[nodiscard]] std::string first_of(std::string_view folder, std::initializer_list<std::string_view> names) const;
  /// The nearest folder at or above `folder` that has one of `names`; nothing: the root, or none.
  [[nodiscard]] std::string owner(std::string_view folder, std::initializer_list<std::string_view> names) const;
  /// True when `path` exists in `folder` or in a folder above it, up to the root; looks into skipped folders too.
  [[nodiscard]] bool exists_upward(std::string_view folder, std::string_view path) const;
  /// Where `program` is not on the PATH, that is missing.
  void need_program(FoundFramework& framework, std::string_view program, std::string_view install) const;
};

/// `path` as seen from `folder`.
[[nodiscard]] std::string below(std::string_view path, std::string_view folder);
[[nodiscard]] bool contains(std::string_view text, std::string_view part);
/// The lines of `text` that do not begin with `#`, in lower case.
[[nodiscard]] std::string without_comments(std::string_view text);

void find_python(FrameworkSearch& search);
void find_go(FrameworkSearch& search);
void find_cargo(FrameworkSearch& search);
void find_jvm(FrameworkSearch& search);
void find_node(FrameworkSearch& search);
void find_cmake(FrameworkSearch& search);
void find_dotnet(FrameworkSearch& search);
void find_ruby(FrameworkSearch& search);
void find_phpunit(FrameworkSearch& search);
void find_bats(FrameworkSearch& search);
void find_bazel(FrameworkSearch& search);

}  // namespace flakestat::env
