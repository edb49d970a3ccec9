#include "report/run_live.hpp"

#include <algorithm>

#include "report/words.hpp"
#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

constexpr std::size_t kBarColumns = 24;
constexpr std::size_t kLeastName = 8;

std::string bar(const LiveRun& run) {
  const auto total = std::max<std::uint64_t>(run.total, 1);
  const auto filled = static_cast<std::size_t>(std::min(run.done, total) * kBarColumns / total);
  return "[" + std::string(filled, '#') + std::string(kBarColumns - filled, '-') + "]  ";
}

void add(std::string& line, std::uint64_t count, std::string_view word) {
  if (count > 0) line += "  " + std::to_string(count) + " " + std::string(word);
}

std::string headline(const LiveRun& run, std::size_t width) {
  const auto share =
      std::to_string(std::min<std::uint64_t>(run.done * 100 / std::max<std::uint64_t>(run.total, 1), 100));
  std::string line = std::string(share.size() < 3 ? 3 - share.size() : 0, ' ') + share + "%  ";
  line += std::to_string(run.done) + "/" + std::to_string(run.total);
  add(line, run.totals.failed, "failed");
  add(line, run.totals.errors, run.totals.errors == 1 ? "error" : "errors");
  // What is cut off when it is narrow is what matters least.
  if (run.eta_ms) line += "  ETA " + format_eta(*run.eta_ms);
  add(line, run.totals.quarantined, "quarantined");
  add(line, run.totals.flaky, "flaky");
  add(line, run.totals.skipped, "skipped");
  // The counts need the place more than the bar does.
  const auto drawn = bar(run);
  return width > 0 && drawn.size() + line.size() > width ? line : drawn + line;
}

std::string test_line(const LiveRunTest& test, std::size_t worker_columns, std::size_t width) {
  std::string before = "  ";
  if (worker_columns > 0) {
    const auto worker = text::escape_terminal(test.worker);
    before += worker + std::string(worker_columns - std::min(worker_columns, text::display_width(worker)), ' ') + "  ";
  }
  std::string after = "  " + format_duration(test.running_ms);
  if (test.attempt > 0) after += "  (attempt " + std::to_string(test.attempt + 1) + ")";
  const auto name = text::escape_terminal(test.id);
  if (width == 0) return before + name + after;
  const auto around = text::display_width(before) + after.size();
  if (around + kLeastName > width) return text::truncate(before + name, width);
  return before + text::truncate(name, width - around, text::Elide::middle) + after;
}

// Those that have run the longest, then again as they were.
std::vector<LiveRunTest> longest(std::vector<LiveRunTest> running, std::size_t most) {
  if (running.size() <= most) return running;
  std::vector<std::size_t> places(running.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return running[a].running_ms > running[b].running_ms; });
  places.resize(most);
  std::sort(places.begin(), places.end());
  std::vector<LiveRunTest> out;
  out.reserve(places.size());
  for (const auto place : places) out.push_back(std::move(running[place]));
  return out;
}

}  // namespace

std::string live_run_block(const LiveRun& run, const text::Look& look, std::size_t rows) {
  const auto line = headline(run, look.width);
  std::string block = look.width > 0 ? text::truncate(line, look.width) : line;
  const bool bad = run.totals.failed + run.totals.errors > 0;
  block = text::paint(block, bad ? Tone::bad : Tone::good, look.colour);
  const auto all = run.running.size();
  std::size_t room = rows == 0 ? kMostLiveWorkers + 1 : rows - 1;
  std::size_t shown = std::min({all, kMostLiveWorkers, room});
  // The line that counts the others needs a place too.
  if (shown < all && shown == room && shown > 0) --shown;
  std::size_t columns = 0;
  for (const auto& test : run.running)
    columns = std::max(columns, text::display_width(text::escape_terminal(test.worker)));
  for (const auto& test : longest(run.running, shown)) block += "\n" + test_line(test, columns, look.width);
  if (shown < all && shown < room) {
    const auto more = "  and " + std::to_string(all - shown) + " more running";
    block += "\n" + (look.width > 0 ? text::truncate(more, look.width) : more);
  }
  return block;
}

}  // namespace flakestat::report
