#include "app/kept_failures.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/strings.hpp"
#include "store/hunt_files.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

namespace fs = std::filesystem;

constexpr store::KeepRule kKeep{20, 90};
constexpr std::size_t kMostReport = std::size_t{64} << 20;

// The first part of a report of any size. True when it was cut.
Result<bool> copy_bounded(const std::string& from, const std::string& to) {
  auto in = sys::open_read(from);
  if (!in) return in.error();
  std::string content(kMostReport + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const auto count = sys::read_some(in->get(), content.data() + size, content.size() - size, from);
    if (!count) return count.error();
    if (*count == 0) break;
    size += *count;
  }
  const bool cut = size > kMostReport;
  content.resize(cut ? kMostReport : size);
  FLAKESTAT_TRY(sys::make_directories(fs::path(to).parent_path().string()));
  FLAKESTAT_TRY(sys::append_file(to, content));
  return cut;
}

// `<run_id>-run-<n>`
bool is_kept_failure(const fs::directory_entry& entry) {
  static constexpr std::string_view kMark = "-run-";
  std::error_code error;
  const auto name = entry.path().filename().string();
  const auto at = name.rfind(kMark);
  return fs::is_directory(entry.symlink_status(error)) && at != std::string::npos &&
         number_in<int>(std::string_view(name).substr(at + kMark.size())).has_value();
}

// The longest folder that all paths lie in.
fs::path common_folder(const std::vector<std::string>& paths) {
  fs::path common = fs::path(paths.front()).parent_path();
  for (const auto& path : paths) {
    const auto folder = fs::path(path).parent_path();
    const auto differ = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end()).first;
    fs::path shorter;
    for (auto part = common.begin(); part != differ; ++part) shorter /= *part;
    common = shorter;
  }
  return common;
}

}  // namespace

std::vector<std::string> kept_names(const std::vector<std::string>& reports) {
  if (reports.size() == 1) return {"report.xml"};
  std::vector<std::string> names;
  if (reports.empty()) return names;
  const auto common = common_folder(reports);
  for (const auto& report : reports) names.push_back("report/" + fs::path(report).lexically_relative(common).string());
  return names;
}

KeptFailures::KeptFailures(const World& world, std::string dir, std::string run_id)
    : world_(world), dir_(std::move(dir)), run_id_(std::move(run_id)) {}

Result<void> KeptFailures::keep(const run::RunLeavings& left, const std::string& folder,
                                const std::string& text) const {
  FLAKESTAT_TRY(store::make_own_folder(dir_ + "/failures"));
  std::error_code none;
  fs::remove_all(folder, none);  // of an earlier hunt with the same --run-id
  FLAKESTAT_TRY(sys::make_directories(folder));
  FLAKESTAT_TRY(sys::append_file(folder + "/output.txt", left.output.text()));
  auto command = text;
  const auto names = kept_names(left.reports);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto cut = copy_bounded(left.reports[i], folder + "/" + names[i]);
    if (!cut) return cut.error();
    if (*cut) command += "# " + names[i] + " is cut off after 64 MiB\n";
  }
  return sys::append_file(folder + "/command.txt", command);
}

void KeptFailures::add(const run::RunLeavings& left, const std::string& line, const std::string& again) {
  if (!left.result.failed()) return;
  const auto folder = dir_ + "/failures/" + store::file_stem(run_id_) + "-run-" + std::to_string(left.result.run);
  const auto kept = keep(left, folder, line + "\n# again: " + again + "\n");
  if (kept) {
    folders_[left.result.run] = folder;
    if (folders_.size() > kKeep.most) {
      std::error_code error;
      fs::remove_all(folders_.begin()->second, error);
      folders_.erase(folders_.begin());
    }
  } else if (!std::exchange(warned_, true)) {
    world_.warn("flakestat: what run " + std::to_string(left.result.run) +
                " left is not kept: " + kept.error().message);
  }
}

std::optional<std::string> KeptFailures::conclude(std::optional<int> run) {
  std::optional<std::string> chosen;
  for (const auto& [number, folder] : folders_) {
    std::error_code error;
    if (run == number) {
      if (fs::is_directory(folder, error)) chosen = folder;
    } else {
      fs::remove_all(folder, error);
    }
  }
  folders_.clear();
  if (chosen) store::prune_oldest(dir_ + "/failures", kKeep, world_.now(), is_kept_failure);
  return chosen;
}

}  // namespace flakestat::app
