#include "env/git.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>

#include "base/strings.hpp"
#include "sys/capture.hpp"

namespace flakestat::env {
namespace {

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// The blank-separated field at the front, taken off `rest`.
std::string_view take_field(std::string_view& rest) {
  const auto end = rest.find(' ');
  const auto field = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return field;
}

// `1 XY sub mH mI mW hH hI path`, with renames switched off the only form of a changed path.
void parse_ordinary(std::string_view rest, GitState& state) {
  const auto xy = take_field(rest);
  const auto submodule = take_field(rest);
  const auto commit_mode = take_field(rest);
  take_field(rest);  // mode in the index
  const auto file_mode = take_field(rest);
  const auto commit_blob = take_field(rest);
  take_field(rest);  // blob in the index
  ChangedPath changed;
  changed.path = rest;
  changed.kind = submodule.starts_with('S') ? ChangedPath::Kind::submodule : ChangedPath::Kind::content;
  changed.in_commit = commit_mode != "000000";
  const bool both_differ = xy.size() == 2 && xy[0] != '.' && xy[1] != '.';
  if (both_differ && commit_mode == file_mode && commit_mode.starts_with("100")) changed.blob = commit_blob;
  state.changes.push_back(std::move(changed));
}

// `u XY sub m1 m2 m3 mW h1 h2 h3 path`
void parse_unmerged(std::string_view rest, GitState& state) {
  for (int i = 0; i < 9; ++i) take_field(rest);
  state.changes.push_back({std::string(rest), ChangedPath::Kind::content, true, false, {}});
}

void parse_untracked(std::string_view path, GitState& state) {
  const bool folder = path.ends_with('/');
  if (folder) path.remove_suffix(1);
  const auto kind = folder ? ChangedPath::Kind::nested : ChangedPath::Kind::content;
  state.changes.push_back({std::string(path), kind, false, true, {}});
}

void parse_header(std::string_view rest, GitState& state) {
  const auto name = take_field(rest);
  if (name == "branch.oid" && rest != "(initial)") state.commit = rest;
  if (name == "branch.head" && rest != "(detached)") state.branch = rest;
}

bool exists_ref(const std::string& refs, std::string_view name) {
  for (const auto line : split(refs, '\n')) {
    if (line == name) return true;
  }
  return false;
}

std::string default_branch(const std::string& root) {
  static constexpr std::string_view kOrigin = "refs/remotes/origin/";
  if (const auto head = run_git(root, {"symbolic-ref", "-q", "refs/remotes/origin/HEAD"})) {
    const auto ref = without_line_end(*head);
    if (ref.starts_with(kOrigin)) return std::string(ref.substr(kOrigin.size()));
  }
  const auto refs = run_git(root, {"for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/heads/master",
                                   "refs/remotes/origin/main", "refs/remotes/origin/master"});
  if (!refs) return {};
  for (const auto* name : {"main", "master"}) {
    if (exists_ref(*refs, std::string("refs/heads/") + name) || exists_ref(*refs, std::string(kOrigin) + name))
      return name;
  }
  return {};
}

// The nearest folder upward that holds a `.git`, for a message.
std::optional<std::string> find_dot_git(const std::string& directory) {
  std::error_code ignored;
  auto folder = std::filesystem::absolute(directory.empty() ? "." : directory, ignored);
  for (;;) {
    if (std::filesystem::exists(folder / ".git", ignored)) return folder.string();
    if (!folder.has_relative_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

void explain_failure(const std::string& directory, const Error& error, GitState& state) {
  const auto folder = find_dot_git(directory);
  if (!folder) return;
  if (error.kind == ErrorKind::missing) {
    state.notes.push_back("there is a repository in " + *folder +
                          " but git cannot be run: commit and branch are not known");
    return;
  }
  struct stat info {};
  const bool foreign = ::stat(folder->c_str(), &info) == 0 && info.st_uid != ::geteuid();
  state.notes.push_back(
      "git refuses the repository in " + *folder + ": commit and branch are not known" +
      (foreign ? " (another user owns it: git config --global --add safe.directory " + *folder + ")" : ""));
}

// True when git knows the place; fills in root and shallow.
bool read_place(const std::string& directory, GitState& state) {
  const auto place = run_git(directory, {"rev-parse", "--is-shallow-repository", "--show-toplevel"});
  if (!place) {
    explain_failure(directory, place.error(), state);
    return false;
  }
  // The root comes last: it may hold line ends.
  const auto first_line = place->find('\n');
  if (first_line == std::string::npos) return false;
  state.shallow = place->substr(0, first_line) == "true";
  state.root = without_line_end(std::string_view(*place).substr(first_line + 1));
  state.repository = !state.root.empty();
  return state.repository;
}

}  // namespace

Result<std::string> run_git(const std::string& directory, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {"git", "--no-optional-locks", "--no-pager"};
  for (const auto* setting :
       {"core.fsmonitor=false", "core.quotepath=false", "core.hooksPath=/dev/null", "core.untrackedCache=keep",
        "status.showUntrackedFiles=all", "color.ui=false", "submodule.recurse=false", "log.showSignature=false"}) {
    argv.insert(argv.end(), {"-c", setting});
  }
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  sys::CaptureOptions options;
  options.directory = directory;
  options.timeout = std::chrono::minutes(2);
  auto captured = sys::capture(argv, options);
  if (!captured) return captured.error();
  const auto what = "git " + (arguments.empty() ? std::string() : arguments.front());
  if (captured->exit_code != 0)
    return Error{ErrorKind::io, what + " ended with " + std::to_string(captured->exit_code)};
  if (captured->truncated) return Error{ErrorKind::io, what + " said too much"};
  return std::move(captured->output);
}

void parse_git_status(std::string_view output, GitState& state) {
  for (const auto record : split(output, '\0')) {
    if (record.size() < 2 || record[1] != ' ') continue;
    const auto rest = record.substr(2);
    switch (record[0]) {
      case '#': parse_header(rest, state); break;
      case '1': parse_ordinary(rest, state); break;
      case 'u': parse_unmerged(rest, state); break;
      case '?': parse_untracked(rest, state); break;
      default: break;
    }
  }
}

GitState read_git(const std::string& directory) {
  GitState state;
  if (!read_place(directory, state)) return state;
  const auto status = run_git(state.root, {"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all",
                                           "--ignore-submodules=none", "--no-renames", "--no-ahead-behind"});
  if (status) {
    parse_git_status(*status, state);
    state.changes_known = true;
  } else {
    state.notes.push_back(status.error().message + ": it is not known whether the tree is modified");
    if (const auto head = run_git(state.root, {"rev-parse", "-q", "--verify", "HEAD"})) {
      state.commit = without_line_end(*head);
    }
  }
  state.default_branch = default_branch(state.root);
  return state;
}

GitState read_git_names(const std::string& directory) {
  static constexpr std::string_view kHeads = "refs/heads/";
  GitState state;
  if (!read_place(directory, state)) return state;
  if (const auto head = run_git(state.root, {"symbolic-ref", "-q", "HEAD"})) {
    const auto ref = without_line_end(*head);
    if (ref.starts_with(kHeads)) state.branch = ref.substr(kHeads.size());
  }
  state.default_branch = default_branch(state.root);
  return state;
}

}  // namespace flakestat::env
