#include "report/hunt_live.hpp"

#include <algorithm>

#include "report/words.hpp"
#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kLeastName = 8;  // below that the counts give way too

std::string headline(const LiveHunt& hunt) {
  std::string line = "run " + std::to_string(hunt.done) + "/" + std::to_string(hunt.total);
  if (hunt.running > 1) line += "  " + std::to_string(hunt.running) + " running";
  line += "  " + std::to_string(hunt.failing) + " failing";
  if (hunt.eta_ms) line += "  ETA " + format_eta(*hunt.eta_ms);
  if (hunt.run_ms) line += "  (" + format_duration(*hunt.run_ms) + " a run)";
  return line;
}

std::string test_line(const LiveTest& test, std::size_t width) {
  const auto counts = "  " + std::to_string(test.passes) + " P " + std::to_string(test.fails) + " F";
  const auto name = text::escape_terminal(test.name);
  if (width == 0) return "  " + name + counts;
  const auto rest = width - std::min(width, 2 + counts.size());
  if (rest < kLeastName) return text::truncate("  " + name + counts, width);
  return "  " + text::truncate(name, rest, text::Elide::middle) + counts;
}

}  // namespace

std::string live_block(const LiveHunt& hunt, const text::Look& look, std::size_t rows) {
  const auto cut = [&](const std::string& line) { return look.width > 0 ? text::truncate(line, look.width) : line; };
  std::string block = cut(headline(hunt));
  const auto& tests = hunt.disagreeing;
  const auto all = tests.size() + hunt.others;
  auto room = rows == 0 ? kMostLiveTests + 1 : rows - std::min<std::size_t>(rows, 1);
  auto shown = std::min({tests.size(), kMostLiveTests, room});
  // The line that counts the others needs a place too.
  if (shown < all && shown == room && shown > 0) --shown;
  room -= shown;
  for (std::size_t i = 0; i < shown; ++i) block += "\n" + test_line(tests[i], look.width);
  if (shown < all && room > 0) block += "\n" + cut("  and " + std::to_string(all - shown) + " more");
  return block;
}

}  // namespace flakestat::report
