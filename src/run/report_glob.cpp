#include "run/report_glob.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sys/copy_back.hpp"

namespace flakestat::run {
namespace {

namespace fs = std::filesystem;

// A folder that was reached, and how many parts of the pattern led there.
struct Reached {
  fs::path folder;
  std::size_t part;
};

struct Search {
  std::string root;  ///< of whose files it is about; folders and findings are named without it
  std::vector<std::string> parts;
  std::vector<Reached> open;
  std::vector<std::string> found;

  [[nodiscard]] fs::path opened(const fs::path& path) const;
  [[nodiscard]] bool is_folder(const fs::path& parent, const fs::directory_entry& entry) const;
  void visit(const Reached& at);
  void visit_wildcard(const Reached& at);
  void visit_any_depth(const Reached& at);
};

bool is_last(const Search& search, std::size_t part) { return part + 1 == search.parts.size(); }

template <class Visitor>
void for_each_entry(const fs::path& folder, const Visitor& visitor) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    visitor(*entry);
  }
}

// Where a path can be opened by us.
fs::path Search::opened(const fs::path& path) const {
  if (root.empty()) return path;
  const auto real = sys::real_path_in(root, path);
  return real ? root + *real : root + path.string();
}

bool Search::is_folder(const fs::path& parent, const fs::directory_entry& entry) const {
  std::error_code ignored;
  if (root.empty() || !entry.is_symlink(ignored)) return entry.is_directory(ignored);
  return fs::is_directory(opened(parent / entry.path().filename()), ignored);
}

void Search::visit_wildcard(const Reached& at) {
  for_each_entry(opened(at.folder), [&](const fs::directory_entry& entry) {
    const auto name = entry.path().filename();
    if (::fnmatch(parts[at.part].c_str(), name.c_str(), FNM_PERIOD) != 0) return;
    std::error_code ignored;
    const auto path = at.folder / name;
    if (!is_last(*this, at.part)) {
      if (is_folder(at.folder, entry)) open.push_back({path, at.part + 1});
    } else if (fs::is_regular_file(opened(path), ignored)) {
      found.push_back(path);
    }
  });
}

void Search::visit_any_depth(const Reached& at) {
  open.push_back({at.folder, at.part + 1});
  for_each_entry(opened(at.folder), [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    const auto name = entry.path().filename();
    if (!entry.is_symlink(ignored) && entry.is_directory(ignored) && name.native()[0] != '.') {
      open.push_back({at.folder / name, at.part});
    }
  });
}

void Search::visit(const Reached& at) {
  const auto& part = parts[at.part];
  if (part == "**" && !is_last(*this, at.part)) return visit_any_depth(at);
  if (is_glob(part)) return visit_wildcard(at);
  const auto path = at.folder / part;
  std::error_code ignored;
  if (!is_last(*this, at.part)) open.push_back({path, at.part + 1});
  else if (fs::is_regular_file(opened(path), ignored)) found.push_back(path);
}

}  // namespace

bool is_glob(std::string_view path) { return path.find_first_of("*?") != std::string_view::npos; }

std::string glob_base(const std::string& pattern) {
  fs::path base;
  for (const auto& part : fs::path(pattern)) {
    if (is_glob(part.native())) break;
    base /= part;
  }
  return base.empty() ? "." : base.string();
}

std::vector<std::string> expand_glob(const std::string& pattern, const std::string& root) {
  Search search;
  search.root = root;
  const fs::path path(pattern);
  for (const auto& part : path.relative_path()) {
    const bool repeated = part == "**" && !search.parts.empty() && search.parts.back() == "**";
    if (!repeated && !part.empty()) search.parts.push_back(part);
  }
  if (search.parts.empty()) return {};
  search.open.push_back({path.has_root_path() ? path.root_path() : fs::path("."), 0});
  while (!search.open.empty()) {
    const Reached at = std::move(search.open.back());
    search.open.pop_back();
    search.visit(at);
  }
  std::sort(search.found.begin(), search.found.end());
  search.found.erase(std::unique(search.found.begin(), search.found.end()), search.found.end());
  return std::move(search.found);
}

}  // namespace flakestat::run
