#include "env/project_tree.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "base/strings.hpp"
#include "sys/file.hpp"

namespace flakestat::env {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = std::size_t{1} << 20;

// Made by tools, other people's code, or what tests read: tests in there are not this project's.
constexpr std::array<std::string_view, 28> kSkipped = {
    ".git",          ".hg",          ".svn",           "node_modules", "bower_components",
    "target",        "build",        "dist",           "out",          "_build",
    "bin",           "obj",          "venv",           "env",          "__pycache__",
    "site-packages", "vendor",       "third_party",    "thirdparty",   "external",
    "bazel-bin",     "bazel-out",    "bazel-testlogs", "coverage",     "testdata",
    "fixtures",      "__fixtures__", "__mocks__"};

bool is_skipped(std::string_view name) {
  // Hidden folders are tools' own; .config holds settings of some (nextest).
  if (name == ".config") return false;
  if (name.starts_with('.') || name.starts_with("cmake-build-")) return true;
  return std::find(kSkipped.begin(), kSkipped.end(), name) != kSkipped.end();
}

struct Walk {
  const std::string& root;
  const TreeLimits& limits;
  std::vector<ProjectFolder>& folders;
  std::vector<std::string>& notes;
  std::size_t names = 0;
  bool cut_off = false;

  struct Open {
    std::string path;
    std::size_t depth;
  };
  std::vector<Open> open = {};

  void note_cut() {
    if (!std::exchange(cut_off, true)) notes.emplace_back("the project is large: not every folder was looked into");
  }

  void visit(const Open& at) {
    ProjectFolder folder{at.path, {}};
    std::vector<std::string> below;
    std::error_code error;
    fs::directory_iterator entry(at.path.empty() ? fs::path(root) : fs::path(root) / at.path, error);
    for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
      if (++names > limits.names) {
        note_cut();
        break;
      }
      std::error_code gone;
      const auto status = entry->symlink_status(gone);
      auto name = entry->path().filename().string();
      if (fs::is_regular_file(status)) folder.files.push_back(std::move(name));
      else if (fs::is_directory(status) && !is_skipped(name)) below.push_back(std::move(name));
    }
    if (error) {
      notes.push_back("cannot look into " + in_quotes(at.path.empty() ? "." : at.path) + ": " + error.message());
    }
    std::sort(folder.files.begin(), folder.files.end());
    folders.push_back(std::move(folder));
    descend(at, below);
  }

  void descend(const Open& at, std::vector<std::string>& below) {
    if (below.empty()) return;
    if (at.depth >= limits.depth) return note_cut();
    std::sort(below.begin(), below.end(), std::greater<>());
    for (const auto& name : below) open.push_back({joined(at.path, name), at.depth + 1});
  }

  void run() {
    open.push_back({"", 0});
    while (!open.empty()) {
      if (folders.size() >= limits.folders) return note_cut();
      const Open at = std::move(open.back());
      open.pop_back();
      visit(at);
    }
  }
};

}  // namespace

std::string joined(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  return std::string(folder) + "/" + std::string(name);
}

std::string parent_of(std::string_view folder) {
  const auto slash = folder.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(folder.substr(0, slash));
}

bool lies_in(std::string_view path, std::string_view folder) {
  return folder.empty() || path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

ProjectTree ProjectTree::read(const std::string& root, const TreeLimits& limits) {
  ProjectTree tree;
  tree.root_ = root;
  Walk walk{tree.root_, limits, tree.folders_, tree.notes_};
  walk.run();
  // By path, so that lookups can halve; "a" comes before "a/b", and the root's "" before all.
  std::sort(tree.folders_.begin(), tree.folders_.end(),
            [](const ProjectFolder& a, const ProjectFolder& b) { return a.path < b.path; });
  return tree;
}

bool ProjectTree::has(std::string_view path) const {
  const auto folder = parent_of(path);
  const auto name = path.substr(folder.empty() ? 0 : folder.size() + 1);
  const auto found =
      std::lower_bound(folders_.begin(), folders_.end(), folder,
                       [](const ProjectFolder& a, const std::string& wanted) { return a.path < wanted; });
  if (found == folders_.end() || found->path != folder) return false;
  return std::binary_search(found->files.begin(), found->files.end(), name, std::less<>());
}

bool ProjectTree::exists(std::string_view path) const {
  std::error_code ignored;
  return fs::exists(absolute(path), ignored);
}

std::string ProjectTree::text(std::string_view path) const {
  if (!has(path)) return {};
  auto content = sys::read_file(absolute(path), kMostText);
  return content ? std::move(content).value() : std::string();
}

std::string ProjectTree::absolute(std::string_view path) const { return root_ + "/" + std::string(path); }

}  // namespace flakestat::env
