// What git says of a working directory: commit, branch, default branch, root, and the changed files. Git runs as argv
// with the parts of a user's configuration that could change or slow its answers switched off, and takes no lock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace flakestat::env {

/// A path that differs from the commit, or is untracked and not ignored. Paths are bytes, relative to the root.
struct ChangedPath {
  enum class Kind {
    content,    ///< a file, a symbolic link, or something gone: look at the path
    submodule,  ///< a submodule that differs: its own commit and changes count
    nested,     ///< an untracked folder that is a repository of its own
  };
  std::string path;
  Kind kind = Kind::content;
  bool in_commit = false;  ///< the commit has it
  bool untracked = false;  ///< the index has not
  std::string blob;        ///< of the commit's file, when index and file both differ from the commit; else empty
};

struct GitState {
  bool repository = false;
  std::string root;            ///< absolute, without a trailing slash
  std::string commit;          ///< empty: no commits yet
  std::string branch;          ///< empty: detached head
  std::string default_branch;  ///< origin/HEAD, else main or master where it exists; empty: not known
  bool shallow = false;
  std::vector<ChangedPath> changes;
  bool changes_known = false;      ///< false: git could not tell (see notes), `changes` is empty
  std::vector<std::string> notes;  ///< why something is not known, and the mend
};

/// Reads the repository that `directory` is in. Never fails: without git or a repository the state is empty and a note
/// says why where that is surprising (git missing, a repository that git refuses).
[[nodiscard]] GitState read_git(const std::string& directory);

/// The same without looking for changes and the commit, which takes long in a big tree: root, branch, default branch.
[[nodiscard]] GitState read_git_names(const std::string& directory);

/// Status lines (`git status --porcelain=v2 --branch -z`) as commit, branch and changes. Pure.
void parse_git_status(std::string_view output, GitState& state);

/// Runs git in `directory` with our switches; the output when it ended with 0, else an io error (`missing`: no git).
[[nodiscard]] Result<std::string> run_git(const std::string& directory, const std::vector<std::string>& arguments);

}  // namespace flakestat::env
