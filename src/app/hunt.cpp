#include "run/hunt.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "app/commands.hpp"
#include "app/hunt_observations.hpp"
#include "app/hunt_summary.hpp"
#include "app/provenance.hpp"
#include "app/shown_tests.hpp"
#include "base/duration.hpp"
#include "base/parallel.hpp"
#include "report/hunt.hpp"
#include "report/progress.hpp"
#include "run/report_file.hpp"
#include "store/append_log.hpp"
#include "store/history_reader.hpp"
#include "store/log_reader.hpp"
#include "sys/clock.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {
namespace {

constexpr int kDefaultRuns = 20;
constexpr int kBurstMinRuns = 2;
constexpr std::chrono::seconds kFlushEvery{1};

Result<run::HuntPlan> plan_of(const HuntRequest& request, const Settings& settings) {
  run::HuntPlan plan;
  plan.command =
      !request.command.empty() ? request.command : settings.config.command.value_or(std::vector<std::string>{});
  if (plan.command.empty()) {
    return Error{
        ErrorKind::usage,
        "no command: name it after --, as in 'flakestat hunt -- pytest', or as \"command\" in .flakestat.json"};
  }
  plan.runs = request.runs.value_or(settings.config.runs.value_or(kDefaultRuns));
  plan.junit = request.junit.value_or(settings.config.junit.value_or(""));
  plan.timeout = settings.config.timeout;
  if (request.timeout) {
    auto timeout = parse_duration(*request.timeout);
    if (!timeout) return timeout.error().with("--timeout");
    plan.timeout = *timeout;
  }
  plan.until_fail = request.until_fail;
  return plan;
}

// The burst as it goes: every run's evidence is stored and remembered for scoring. Each run is in the log before the
// next begins, so that no crash of ours loses it; it is flushed to disk at most once a second, since a flush may take
// longer than a short command, and in the end, before anything is reported.
class Burst {
 public:
  Burst(const World& world, const Settings& settings, const Provenance& provenance, const sys::Clock& clock,
        bool new_run_id)
      : world_(world), settings_(settings), provenance_(provenance), clock_(clock) {
    options_.keys_are_new = new_run_id;
  }

  Result<void> store(run::RunEvidence&& evidence) {
    auto found = hunt_observations(std::move(evidence), provenance_, world_.now());
    options_.flush_later = flushed_ && clock_.monotonic() - *flushed_ < kFlushEvery;
    auto appended = store::append(settings_.dir, found.observations, options_);
    if (!appended) return appended.error();
    if (!options_.flush_later) flushed_ = clock_.monotonic();
    stored_ += appended->stored;
    for (const auto& note : appended->notes) world_.warn("flakestat: " + note);
    for (const auto& note : found.notes) {
      if (world_.verbose) world_.note("flakestat: " + note);
    }
    for (const auto& observation : found.observations) history_.add(observation);
    return {};
  }

  Result<void> flush() const { return options_.flush_later ? store::flush(settings_.dir) : Result<void>(); }

  [[nodiscard]] std::uint64_t stored() const { return stored_; }
  [[nodiscard]] const stats::History& history() const { return history_; }

 private:
  const World& world_;
  const Settings& settings_;
  const Provenance& provenance_;
  const sys::Clock& clock_;
  store::AppendOptions options_;
  std::optional<std::chrono::milliseconds> flushed_;
  stats::History history_;
  std::uint64_t stored_ = 0;
};

run::HuntEvents events_for(const World& world, Burst& burst) {
  run::HuntEvents events;
  if (world.live_progress) {
    events.progress = [&world](const run::HuntProgress& now) {
      world.progress(report::progress_line(progress_of(now), look_of(world)));
    };
  }
  events.store = [&burst](run::RunEvidence&& evidence) { return burst.store(std::move(evidence)); };
  return events;
}

// The same world without talk: for looking again at what was said already.
World quiet(const World& world) {
  World same = world;
  same.note = [](std::string_view) {};
  return same;
}

// The tracked code again: when it moved during the burst the executions cannot be compared. Untracked files do not
// count here: the command itself leaves some.
bool code_moved(const World& world, const HuntRequest& request, const Settings& settings, const Provenance& before,
                const run::HuntPlan& plan) {
  const auto after = find_provenance(quiet(world), request.common, request.provenance, settings,
                                     {env::Origin::launched_here, own_files(plan)});
  return after && after->tracked != before.tracked;
}

stats::ScoringOptions scoring_of(const HuntRequest& request, const Settings& settings, const Provenance& provenance) {
  auto scoring = settings.scoring;
  scoring.threads = static_cast<int>(core_count());
  scoring.default_branch = provenance.code.default_branch;
  if (!settings.min_runs_given && !request.history) scoring.min_runs = kBurstMinRuns;
  return scoring;
}

Result<stats::Scores> score(const World& world, const HuntRequest& request, const Settings& settings,
                            const Provenance& provenance, const Burst& burst) {
  const auto scoring = scoring_of(request, settings, provenance);
  if (!request.history) return burst.history().score(scoring);
  stats::History history;
  auto read = store::read_history(settings.dir, [&](const ObservationView& observation) { history.add(observation); });
  if (!read) return read.error();
  for (const auto& line : store::describe(*read, settings.dir + "/runs.ndjson")) world.warn("flakestat: " + line);
  return history.score(scoring);
}

report::ReportOptions options_of(const World& world, const HuntRequest& request, const Settings& settings) {
  report::ReportOptions options;
  options.model = settings.scoring.model;
  options.all = request.all;
  options.top = request.top;
  options.severity = settings.severity;
  options.look = look_of(world);
  return options;
}

bool any_flaky(const stats::Scores& scores) {
  return std::any_of(scores.tests.begin(), scores.tests.end(),
                     [](const TestScore& test) { return test.verdict == Verdict::flaky; });
}

Result<void> write_document(const World& world, const report::HuntSummary& summary, const stats::Scores& scores,
                            const report::ReportOptions& options, const HuntRequest& request) {
  if (request.common.format.value_or("table") == "table") return world.out(report::hunt_text(summary, scores, options));
  for (const auto& warning : summary.warnings) world.warn("flakestat: " + warning);
  return world.out(report::hunt_json(summary, scores, options));
}

}  // namespace

Result<Ending> hunt(const World& world, const HuntRequest& request) {
  auto settings = resolve_settings(world, request.common, &request.scoring);
  if (!settings) return settings.error();
  auto plan = plan_of(request, *settings);
  if (!plan) return plan.error();
  auto provenance = find_provenance(world, request.common, request.provenance, *settings,
                                    {env::Origin::launched_here, own_files(*plan)});
  if (!provenance) return provenance.error();
  auto signals = sys::Signals::install();
  if (!signals) return signals.error();

  const sys::SystemClock clock;
  sys::Supervisor supervisor(clock, *signals);
  Burst burst(world, *settings, *provenance, clock, !request.provenance.run_id);
  const auto begin = clock.monotonic();
  auto found = run::hunt(*plan, {supervisor, clock, *signals, run::read_report_file}, events_for(world, burst));
  world.progress({});
  auto flushed = burst.flush();
  if (!found) return found.error();
  if (!flushed) return flushed.error();

  auto summary = summary_of(*found, *plan, *provenance, burst.stored());
  summary.wall_ms = (clock.monotonic() - begin).count();
  if (code_moved(world, request, *settings, *provenance, *plan)) {
    summary.warnings.push_back("the code changed while the hunt ran: its runs cannot be compared");
  }
  auto scores = score(world, request, *settings, *provenance, burst);
  if (!scores) return scores.error();
  keep_shown(*scores, request.common.filter);
  FLAKESTAT_TRY(write_document(world, summary, *scores, options_of(world, request, *settings), request));
  if (found->problem) return *found->problem;
  return request.fail_on_flaky && any_flaky(*scores) ? Ending::failed : Ending::done;
}

}  // namespace flakestat::app
