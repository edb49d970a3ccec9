#include "run/report_slot.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "run/report_glob.hpp"
#include "sys/copy_back.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::run {
namespace {

namespace fs = std::filesystem;

bool earlier(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

std::string aside_of(const std::string& path) { return path + kAsideSuffix; }

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

// The time as the file system of `folder` stamps it: a file server's clock, or a coarse one, is not ours.
timespec file_system_now(const std::string& folder) {
  std::string name = folder + "/.flakestat-XXXXXX";
  const sys::Fd fd(::mkostemp(name.data(), O_CLOEXEC));
  struct stat info {};
  if (fd.valid()) {
    ::unlink(name.c_str());
    if (::fstat(fd.get(), &info) == 0) return info.st_mtim;
  }
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now;
}

// A link to a report stays a link: what it points to is set aside.
std::string behind_links(const std::string& path) {
  std::error_code error;
  auto target = fs::canonical(path, error);
  return error ? path : target.string();
}

// The folder that is there whatever the pattern matches.
std::string base_of(const std::string& pattern) {
  return is_glob(pattern) ? glob_base(pattern) : fs::path(pattern).parent_path().string();
}

// Where we can open what a run calls `path`. Links are followed as the run would follow them, not out of its files.
std::string opened_in(const std::string& root, const std::string& path) {
  if (root.empty()) return path;
  auto real = sys::real_path_in(root, path);
  return root + (real ? *real : path);
}

Result<void> must_be_a_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode)) return {};
  if (S_ISDIR(info.st_mode)) {
    return Error{ErrorKind::usage,
                 "--junit " + path + " is a folder: name the files in it, as in '" + path + "/*.xml'"};
  }
  return Error{ErrorKind::usage, "--junit " + path + " is no regular file: the report cannot be told from an old one"};
}

}  // namespace

bool is_old_copy(const timespec& begin, const timespec& modified, const timespec& changed) {
  timespec limit = begin;
  if (modified.tv_nsec == 0) limit = {begin.tv_sec - 2, 0};
  return earlier(modified, limit) && !earlier(changed, begin);
}

std::vector<std::string> ReportSlot::listed(const std::string& pattern, const std::string& root) {
  if (!is_glob(pattern)) {
    struct stat info {};  // follows links: one that points to nothing holds no report, and stays where it is
    const bool there = ::stat(opened_in(root, pattern).c_str(), &info) == 0;
    return there ? std::vector{pattern} : std::vector<std::string>{};
  }
  auto paths = expand_glob(pattern, root);
  std::erase_if(paths, [](const std::string& path) { return path.ends_with(kAsideSuffix); });
  return paths;
}

bool ReportSlot::is_for_several() const { return is_glob(pattern_); }

Result<ReportSlot> ReportSlot::prepare(const std::string& pattern) {
  ReportSlot slot(pattern);
  const auto folder = base_of(pattern);
  if (!is_glob(pattern)) {
    FLAKESTAT_TRY(must_be_a_file(pattern));
    FLAKESTAT_TRY(sys::make_directories(folder));
  }
  slot.adopt_leftovers();
  FLAKESTAT_TRY(slot.set_aside());
  slot.begin_ = file_system_now(folder);
  return slot;
}

void ReportSlot::adopt_leftovers() {
  for (const auto& leftover : expand_glob(pattern_ + kAsideSuffix)) {
    const auto path = leftover.substr(0, leftover.size() - std::string_view(kAsideSuffix).size());
    if (!exists(path)) aside_.push_back(path);
  }
}

Result<void> ReportSlot::set_aside() {
  for (const auto& listed_path : listed(pattern_, "")) {
    const auto path = behind_links(listed_path);
    if (::rename(path.c_str(), aside_of(path).c_str()) != 0) {
      return sys::errno_error("set the old report " + path + " aside", errno);
    }
    aside_.push_back(path);
  }
  return {};
}

ReportSlot::ReportSlot(ReportSlot&& other) noexcept
    : pattern_(std::move(other.pattern_)),
      aside_(std::exchange(other.aside_, {})),
      keep_old_(other.keep_old_),
      begin_(other.begin_) {}

ReportSlot::~ReportSlot() {
  for (const auto& path : aside_) {
    if (exists(path) && !keep_old_) ::unlink(aside_of(path).c_str());
    else ::rename(aside_of(path).c_str(), path.c_str());
  }
}

bool ReportSlot::is_stale(const std::string& path) const {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && is_old_copy(begin_, info.st_mtim, info.st_ctim);
}

FreshReports ReportSlot::collect(const std::string& root) const {
  FreshReports fresh;
  std::string stale;
  for (const auto& shown : listed(pattern_, root)) {
    const auto path = opened_in(root, shown);
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    if (is_stale(path)) {
      stale = shown;
    } else if (info.st_size == 0) {
      return {ReportState::empty, {}, shown + " is empty (0 bytes)"};
    } else {
      fresh.paths.push_back(path);
    }
  }
  if (!fresh.paths.empty()) return fresh;
  if (!stale.empty()) return {ReportState::stale, {}, stale + " was written before the run (a copy out of a cache?)"};
  const auto* none = is_glob(pattern_) ? "no file matches " : "no report at ";
  return {ReportState::missing, {}, none + pattern_};
}

}  // namespace flakestat::run
