#include "report/progress.hpp"

#include "report/words.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

// `10.3s/run` for slow steps, `350/s` for fast ones.
std::string rate(const Progress& progress) {
  const auto done = static_cast<std::int64_t>(progress.done);
  if (progress.elapsed_ms >= 1000 * done) {
    return format_duration(progress.elapsed_ms / done) + "/" + std::string(progress.noun);
  }
  return std::to_string(done * 1000 / progress.elapsed_ms) + "/s";
}

std::int64_t remaining_ms(const Progress& progress) {
  const double share = static_cast<double>(progress.total - progress.done) / static_cast<double>(progress.done);
  return static_cast<std::int64_t>(static_cast<double>(progress.elapsed_ms) * share);
}

}  // namespace

std::string progress_line(const Progress& progress, const text::Look& look) {
  std::string line = std::string(progress.noun) + " " + std::to_string(progress.done);
  if (progress.total > 0) line += "/" + std::to_string(progress.total);
  if (progress.failing) line += "  " + std::to_string(*progress.failing) + " failing";
  if (progress.done > 0 && progress.elapsed_ms > 0) {
    line += "  " + rate(progress);
    if (progress.total > progress.done) line += "  eta " + format_eta(remaining_ms(progress));
  }
  return look.width > 0 ? text::truncate(line, look.width) : line;
}

}  // namespace flakestat::report
