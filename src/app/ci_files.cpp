#include "app/ci_files.hpp"

#include <filesystem>
#include <system_error>

#include "env/ci.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

// GitHub drops the summary of a step that is larger.
constexpr std::uintmax_t kMostSummaryBytes = std::uintmax_t{1} << 20;

}  // namespace

void append_step_summary(const World& world, const std::string& markdown) {
  const auto path = env::step_summary_file(world.env);
  if (path.empty()) return;
  std::error_code none_yet;
  const auto present = std::filesystem::file_size(path, none_yet);
  const auto before = none_yet ? 0 : present;
  if (before + markdown.size() + 1 > kMostSummaryBytes) {
    world.warn("flakestat: " + path + ": no room below GitHub's 1 MiB; nothing was appended");
    return;
  }
  // A text before us may lack its line end.
  if (auto written = sys::append_file(path, "\n" + markdown); !written) {
    world.warn("flakestat: job summary not written: " + written.error().message);
  }
}

}  // namespace flakestat::app
