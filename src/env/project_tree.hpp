// The files of a project as far as the search for test frameworks looks: names by folder, and small texts on demand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::env {

struct TreeLimits {
  std::size_t depth = 8;  ///< folders below the root; src/test/java/a/b is 5
  std::size_t folders = 5000;
  std::size_t names = 200'000;
};

struct ProjectFolder {
  std::string path;                ///< relative to the root, no trailing slash; the root is ""
  std::vector<std::string> files;  ///< names of regular files, sorted; symbolic links are not among them
};

/// Folders by path, the root first, each before those below it. Folders that hold what others made (node_modules, .git,
/// target, build, virtual environments, vendor and the like) and symbolic links are not looked into.
class ProjectTree {
 public:
  /// Walks `root`. What cannot be read or is over the limits becomes a note; nothing is an error.
  [[nodiscard]] static ProjectTree read(const std::string& root, const TreeLimits& limits = {});

  [[nodiscard]] const std::vector<ProjectFolder>& folders() const { return folders_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] const std::string& root() const { return root_; }

  /// True when the walk saw this regular file; `path` is relative to the root.
  [[nodiscard]] bool has(std::string_view path) const;
  /// True when something is there, in skipped folders and behind links too (a tool in node_modules/.bin).
  [[nodiscard]] bool exists(std::string_view path) const;
  /// The text of a file that the walk saw, at most 1 MiB; empty when it was not seen, is larger or cannot be read.
  [[nodiscard]] std::string text(std::string_view path) const;
  /// The absolute path of `path`.
  [[nodiscard]] std::string absolute(std::string_view path) const;

 private:
  std::string root_;
  std::vector<ProjectFolder> folders_;
  std::vector<std::string> notes_;
};

/// `folder`/`name`, where the root is "".
[[nodiscard]] std::string joined(std::string_view folder, std::string_view name);

/// The folder above; the root's is the root.
[[nodiscard]] std::string parent_of(std::string_view folder);

/// True for the folder itself and everything below it.
[[nodiscard]] bool lies_in(std::string_view path, std::string_view folder);

}  // namespace flakestat::env
