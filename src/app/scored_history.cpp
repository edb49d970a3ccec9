#include "app/scored_history.hpp"

#include <set>
#include <string>

#include "base/parallel.hpp"
#include "env/ci.hpp"
#include "store/history_reader.hpp"

namespace flakestat::app {
namespace {

// The first two branches: enough to know whether there is only one.
using FewBranches = std::set<std::string, std::less<>>;

Result<FewBranches> read(const World& world, const Observer& observer, ScoredHistory& scored) {
  FewBranches branches;
  const auto& dir = scored.settings.dir;
  auto stats = store::read_history(dir, [&](const ObservationView& observation) {
    if (!scored.filter.keeps(observation)) return;
    ++scored.lines;
    if (branches.size() < 2 && !observation.branch.empty()) branches.emplace(observation.branch);
    scored.history.add(observation);
    if (observer) observer(observation);
  });
  if (!stats) return stats.error();
  for (const auto& line : store::describe(*stats, dir + "/runs.ndjson")) world.warn("flakestat: " + line);
  return branches;
}

std::string trusted_branch(const World& world, const CommonFlags& common, const Settings& settings,
                           const FewBranches& branches) {
  auto trusted = default_branch(world, common, settings, env::read_ci(world.env));
  if (!trusted.empty() || branches.empty()) return trusted;
  if (branches.size() == 1) return *branches.begin();
  world.note(
      "flakestat: no default branch is known: name it with --default-branch, or \"default_branch\" in .flakestat.json");
  return {};
}

}  // namespace

Result<ScoredHistory> score_history(const World& world, const CommonFlags& common, const ScoringFlags* flags,
                                    const ObservationFilter& filter, const Observer& observer) {
  auto settings = resolve_settings(world, common, flags);
  if (!settings) return settings.error();
  return score_history(world, common, std::move(*settings), filter, observer);
}

Result<ScoredHistory> score_history(const World& world, const CommonFlags& common, Settings settings,
                                    const ObservationFilter& filter, const Observer& observer) {
  ScoredHistory scored;
  scored.settings = std::move(settings);
  scored.filter = filter;
  FLAKESTAT_TRY(scored.filter.resolve(scored.settings.dir));
  auto branches = read(world, observer, scored);
  if (!branches) return branches.error();
  scored.scoring = scored.settings.scoring;
  scored.scoring.threads = static_cast<int>(core_count());
  scored.scoring.default_branch = trusted_branch(world, common, scored.settings, *branches);
  scored.scores = scored.history.score(scored.scoring);
  if (scored.lines == 0) {
    world.note("flakestat: no observations in " + scored.settings.dir +
               "/runs.ndjson: record some with 'flakestat ingest' or 'flakestat hunt'");
  }
  return scored;
}

}  // namespace flakestat::app
