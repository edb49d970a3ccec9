#include "sys/glob.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "sys/file.hpp"

namespace flakestat::sys {
namespace {

constexpr std::size_t kLongestPattern = 4096;

enum class EntryKind { file, folder, other };

EntryKind kind_of(const std::string& path, bool through_links) {
  struct stat info {};
  if ((through_links ? ::stat(path.c_str(), &info) : ::lstat(path.c_str(), &info)) != 0) return EntryKind::other;
  if (S_ISDIR(info.st_mode)) return EntryKind::folder;
  return S_ISREG(info.st_mode) ? EntryKind::file : EntryKind::other;
}

struct Segment {
  std::string text;
  bool any_depth = false;  // `**`
  bool magic = false;
};

// A folder to look into and the places in the pattern that its entries may continue.
struct Visit {
  std::string folder;  // as spelled: "", "a/", "/x/"
  std::vector<std::size_t> at;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// One alternative of a pattern, matched against the tree. Every folder is visited with all places at once, so that
// several `**` cost no more than one.
class Walk {
 public:
  Walk(std::string_view pattern, std::string base, GlobResult& result) : base_(std::move(base)), result_(result) {
    const bool absolute = pattern.starts_with('/');
    for (const auto part : split(pattern, '/')) {
      if (part.empty()) continue;
      const bool any_depth = part == "**";
      if (any_depth && !segments_.empty() && segments_.back().any_depth) continue;
      const bool magic = has_glob_magic(part);
      segments_.push_back({magic ? std::string(part) : glob_unescape(part), any_depth, magic});
    }
    if (!segments_.empty()) pending_.push_back({absolute ? "/" : "", {0}});
  }

  void run() {
    while (!pending_.empty()) {
      auto visit = std::move(pending_.back());
      pending_.pop_back();
      close(visit.at);
      const bool literal =
          std::none_of(visit.at.begin(), visit.at.end(), [&](std::size_t i) { return segments_[i].magic; });
      if (literal) look_up(visit);
      else read_folder(visit);
    }
  }

 private:
  // `**` may stand for nothing: what follows it may match here as well.
  void close(std::vector<std::size_t>& at) const {
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (segments_[at[i]].any_depth && at[i] + 1 < segments_.size()) at.push_back(at[i] + 1);
    }
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
  }

  [[nodiscard]] std::string on_disk(const std::string& path) const {
    return path.starts_with('/') || base_.empty() ? path : base_ + '/' + path;
  }

  // Names without pattern characters are tried, not searched: that also works in folders that cannot be listed.
  void look_up(const Visit& visit) {
    for (const auto place : visit.at) consider(visit.folder, segments_[place].text, {place}, false);
  }

  void read_folder(const Visit& visit) {
    const auto path = on_disk(visit.folder.empty() ? "." : visit.folder);
    const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(path.c_str()));
    if (!directory) {
      result_.notes.push_back(errno_error("read folder " + path, errno).message);
      return;
    }
    while (const auto* entry = ::readdir(directory.get())) {
      const std::string_view name(entry->d_name);
      if (name == "." || name == "..") continue;
      const bool surely_no_folder = entry->d_type == DT_REG || entry->d_type == DT_FIFO || entry->d_type == DT_SOCK;
      consider(visit.folder, std::string(name), visit.at, surely_no_folder);
    }
  }

  void consider(const std::string& folder, const std::string& name, const std::vector<std::size_t>& at,
                bool no_folder) {
    bool file_matches = false;
    std::vector<std::size_t> deeper;     // places for the entry as a folder
    std::vector<std::size_t> any_depth;  // of these, those that do not go through links
    for (const auto place : at) {
      const auto& segment = segments_[place];
      const bool last = place + 1 == segments_.size();
      if (segment.any_depth) {
        if (name.starts_with('.')) continue;
        any_depth.push_back(place);
        file_matches |= last;
      } else if (matches(segment, name)) {
        if (last) file_matches = true;
        else deeper.push_back(place + 1);
      }
    }
    const auto path = folder + name;
    if (file_matches && kind_of(on_disk(path), true) == EntryKind::file) result_.paths.push_back(path);
    if (no_folder || (deeper.empty() && any_depth.empty())) return;
    enter(path, std::move(deeper), any_depth);
  }

  void enter(const std::string& path, std::vector<std::size_t> deeper, const std::vector<std::size_t>& any_depth) {
    const auto kind = kind_of(on_disk(path), false);
    if (kind == EntryKind::folder) deeper.insert(deeper.end(), any_depth.begin(), any_depth.end());
    else if (deeper.empty() || kind_of(on_disk(path), true) != EntryKind::folder) return;
    if (!deeper.empty()) pending_.push_back({path + '/', std::move(deeper)});
  }

  static bool matches(const Segment& segment, const std::string& name) {
    if (!segment.magic) return segment.text == name;
    const bool pattern_hidden = segment.text.starts_with('.') || segment.text.starts_with("\\.");
    if (name.starts_with('.') && !pattern_hidden) return false;
    return glob_match(segment.text, name);
  }

  std::string base_;
  GlobResult& result_;
  std::vector<Segment> segments_;
  std::vector<Visit> pending_;
};

bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

}  // namespace

Result<GlobResult> expand_glob(const std::string& argument, const std::string& directory) {
  GlobResult result;
  const bool relative = !argument.starts_with('/') && !directory.empty();
  if (!argument.empty() && exists(relative ? directory + '/' + argument : argument)) {
    result.paths = {argument};
    return result;
  }
  if (!has_glob_magic(argument)) return Error{ErrorKind::missing, "there is no file " + in_quotes(argument)};
  if (argument.size() > kLongestPattern)
    return Error{ErrorKind::usage, "pattern " + in_quotes(argument) + " is longer than 4096 bytes"};
  const auto alternatives = expand_braces(argument);
  if (!alternatives) return alternatives.error();
  result.was_pattern = true;
  for (const auto& alternative : *alternatives) Walk(alternative, directory, result).run();
  std::sort(result.paths.begin(), result.paths.end());
  result.paths.erase(std::unique(result.paths.begin(), result.paths.end()), result.paths.end());
  if (!result.paths.empty()) return result;
  auto message = "no file matches " + in_quotes(argument);
  if (!result.notes.empty()) message += " (" + result.notes.front() + ")";
  return Error{ErrorKind::missing, message};
}

}  // namespace flakestat::sys
