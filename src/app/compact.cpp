#include "store/compaction.hpp"

#include <optional>

#include "app/commands.hpp"
#include "app/execution_rule.hpp"
#include "app/settings.hpp"
#include "app/slow_progress.hpp"
#include "report/compact.hpp"

namespace flakestat::app {
namespace {

report::CompactSummary summary_of(const store::CompactResult& done, const std::string& dir, bool dry_run) {
  report::CompactSummary summary;
  summary.lines = done.lines;
  summary.kept = done.kept;
  summary.duplicates = done.duplicates;
  summary.superseded = done.superseded;
  summary.rejected = done.rejected;
  summary.bytes_before = done.bytes_before;
  summary.bytes_after = done.bytes_after;
  summary.dry_run = dry_run;
  summary.rejected_file = store::rejected_path(dir);
  return summary;
}

}  // namespace

Result<Ending> compact(const World& world, const CompactRequest& request) {
  auto settings = resolve_settings(world, request.common);
  if (!settings) return settings.error();
  const auto& dir = settings->dir;
  store::CompactOptions options;
  options.dry_run = request.dry_run;
  options.salvage = request.salvage;
  std::optional<SlowProgress> progress;
  options.on_block = [&](std::uint64_t total) {
    if (!progress) progress.emplace(world, "half MiB", total);
    progress->advance();
  };
  ScorersRule rule;
  auto done = store::compact(dir, rule, options);
  progress.reset();
  if (!done) return done.error();
  for (const auto& note : done->notes) world.note("flakestat: " + note);
  if (done->lines == 0)
    world.note("flakestat: no observations in " + dir + "/runs.ndjson: there is nothing to compact");
  const auto summary = summary_of(*done, dir, request.dry_run);
  const bool json = request.common.format.value_or("text") == "json";
  FLAKESTAT_TRY(world.out(json ? report::compact_json(summary) : report::compact_text(summary)));
  return Ending::done;
}

}  // namespace flakestat::app
