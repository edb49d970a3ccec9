#include "store/hunt_files.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "sys/file.hpp"

namespace flakestat::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".json";
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::int64_t kDay = 86'400'000;
constexpr std::size_t kMostNamed = 5;

bool is_safe(char c, bool first) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '_' || c == '-' || (c == '.' && !first);
}

std::string encoded(std::string_view run_id) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string name;
  for (const char c : run_id) {
    if (is_safe(c, name.empty())) {
      name += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      name += '%';
      name += kDigits[byte >> 4];
      name += kDigits[byte & 15U];
    }
  }
  return name;
}

std::string folder_of(const std::string& dir) { return dir + "/hunts"; }

std::vector<fs::directory_entry> entries_of(const std::string& folder) {
  std::vector<fs::directory_entry> found;
  std::error_code error;
  for (fs::directory_iterator next(folder, error), end; !error && next != end; next.increment(error)) {
    found.push_back(*next);
  }
  return found;
}

// File names without their ending, sorted.
std::vector<std::string> stems_in(const std::string& folder) {
  std::vector<std::string> stems;
  for (const auto& entry : entries_of(folder)) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(kExtension) && is_own_json(entry))
      stems.push_back(name.substr(0, name.size() - kExtension.size()));
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

Result<HuntRecord> read_hunt(const std::string& path) {
  const auto json = sys::read_file(path, kMostBytes);
  if (!json) return json.error();
  return parse_hunt(*json, path);
}

Result<HuntRecord> latest_hunt(const std::string& dir, const std::vector<std::string>& stems) {
  Result<HuntRecord> latest = Error{ErrorKind::missing, "no hunt is recorded in " + folder_of(dir)};
  for (const auto& stem : stems) {
    auto record = read_hunt(folder_of(dir) + "/" + stem + std::string(kExtension));
    if (!record) return record.error();
    if (!latest || record->started >= latest->started) latest = std::move(*record);
  }
  return latest;
}

Error ambiguous(std::string_view prefix, const std::vector<std::string>& stems) {
  std::string list;
  for (std::size_t i = 0; i < std::min(stems.size(), kMostNamed); ++i) list += (i == 0 ? "" : ", ") + stems[i];
  if (stems.size() > kMostNamed) list += " and " + std::to_string(stems.size() - kMostNamed) + " more";
  return {ErrorKind::usage, std::to_string(stems.size()) + " hunts begin with " + in_quotes(prefix) + ": " + list};
}

}  // namespace

Result<void> refuse_link(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return {};
  return Error{ErrorKind::io, path + " is a link, and nothing is written behind it: remove it"};
}

bool is_own_json(const fs::directory_entry& entry) {
  constexpr std::size_t kTemporary = 7;
  std::error_code error;
  if (!fs::is_regular_file(entry.symlink_status(error))) return false;
  const auto name = entry.path().filename().string();
  const auto at = name.rfind(kExtension);
  if (at == std::string::npos) return false;
  const auto rest = std::string_view(name).substr(at + kExtension.size());
  return rest.empty() || (rest.size() == kTemporary && rest.front() == '.');
}

std::string file_stem(std::string_view run_id) {
  auto name = encoded(run_id);
  if (name.size() <= kLongestName) return name;
  // "%%" is no encoded byte, so that no other run_id is written like this.
  return name.substr(0, kLongestName) + "%%" + hex_prefix(sha256(run_id), 8);
}

std::string hunt_file(const std::string& dir, std::string_view run_id) {
  return folder_of(dir) + "/" + file_stem(run_id) + std::string(kExtension);
}

Result<void> make_own_folder(const std::string& folder) {
  FLAKESTAT_TRY(refuse_link(folder));
  return sys::make_directories_durably(folder);
}

Result<void> write_hunt(const std::string& dir, const HuntRecord& record) {
  FLAKESTAT_TRY(make_own_folder(folder_of(dir)));
  FLAKESTAT_TRY(refuse_link(hunt_file(dir, record.run_id)));
  return sys::replace_file(hunt_file(dir, record.run_id), encode_hunt(record));
}

Result<HuntRecord> find_hunt(const std::string& dir, std::string_view prefix) {
  auto stems = stems_in(folder_of(dir));
  if (prefix.empty()) return latest_hunt(dir, stems);
  if (std::binary_search(stems.begin(), stems.end(), file_stem(prefix))) return read_hunt(hunt_file(dir, prefix));
  std::erase_if(stems, [start = encoded(prefix)](const std::string& stem) { return !stem.starts_with(start); });
  if (stems.empty()) {
    return Error{ErrorKind::missing,
                 "no hunt in " + folder_of(dir) + " has a run id that begins with " + in_quotes(prefix)};
  }
  if (stems.size() > 1) return ambiguous(prefix, stems);
  return read_hunt(folder_of(dir) + "/" + stems.front() + std::string(kExtension));
}

void prune_oldest(const std::string& folder, const KeepRule& rule, UnixMillis now, const IsOurs& is_ours) {
  if (!refuse_link(folder)) return;
  using Clock = fs::file_time_type::clock;
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (const auto& entry : entries_of(folder)) {
    const auto changed = fs::last_write_time(entry.path(), error);
    if (!error && is_ours(entry)) found.emplace_back(changed, entry.path());
  }
  std::sort(found.rbegin(), found.rend());
  const auto limit = Clock::from_sys(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(now - rule.days * kDay)));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i >= rule.most || found[i].first < limit) fs::remove_all(found[i].second, error);
  }
}

void prune_hunts(const std::string& dir, UnixMillis now) { prune_oldest(folder_of(dir), {}, now, is_own_json); }

}  // namespace flakestat::store
