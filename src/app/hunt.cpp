#include "run/hunt.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "app/commands.hpp"
#include "app/hunt_burst.hpp"
#include "app/hunt_isolation.hpp"
#include "app/hunt_replay.hpp"
#include "app/hunt_summary.hpp"
#include "app/hunt_target.hpp"
#include "app/hunt_watch.hpp"
#include "app/provenance.hpp"
#include "app/shown_tests.hpp"
#include "base/byte_size.hpp"
#include "base/duration.hpp"
#include "base/parallel.hpp"
#include "report/hunt.hpp"
#include "report/hunt_events.hpp"
#include "run/report_file.hpp"
#include "store/history_reader.hpp"
#include "sys/clock.hpp"
#include "sys/concurrent.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {
namespace {

constexpr int kBurstMinRuns = 2;
constexpr std::int64_t kWorthAnnouncing = 1000;  // milliseconds

Result<void> set_output_limit(const HuntRequest& request, const Settings& settings, run::HuntPlan& plan) {
  const auto& said = request.output_limit ? request.output_limit : settings.config.output_limit;
  if (!said) return {};
  const auto limit = parse_byte_size(*said);
  if (!limit) return limit.error().with("--output-limit");
  plan.output_limit = *limit;
  return {};
}

Result<run::HuntPlan> plan_of(const HuntRequest& request, const Settings& settings) {
  run::HuntPlan plan;
  plan.command =
      !request.command.empty() ? request.command : settings.config.command.value_or(std::vector<std::string>{});
  if (plan.command.empty()) {
    return Error{
        ErrorKind::usage,
        "no command: name it after --, as in 'flakestat hunt -- pytest', or as \"command\" in .flakestat.json"};
  }
  plan.junit = request.junit.value_or(settings.config.junit.value_or(""));
  plan.timeout = settings.config.timeout;
  if (request.timeout) {
    auto timeout = parse_duration(*request.timeout);
    if (!timeout) return timeout.error().with("--timeout");
    plan.timeout = *timeout;
  }
  plan.until_fail = request.until_fail;
  plan.parallel = request.parallel.value_or(settings.config.parallel.value_or(1));
  plan.verify = request.verify.value_or(plan.verify);
  FLAKESTAT_TRY(check_record_env(request.record_env));
  FLAKESTAT_TRY(set_output_limit(request, settings, plan));
  FLAKESTAT_TRY(set_target(request, settings, plan));
  return plan;
}

// How long it takes is known once a run was made; what takes a moment needs no announcement.
void say_pace(const World& world, const run::HuntPlan& plan, const run::RunResult& first) {
  const auto wall = first.use.wall.count();
  if (wall * (plan.runs - 1) < kWorthAnnouncing) return;
  world.note("flakestat: " + report::pace_line(wall, plan.runs - 1, plan.parallel));
}

run::HuntEvents events_for(const World& world, const run::HuntPlan& plan, HuntBurst& burst, HuntWatch& watch) {
  run::HuntEvents events;
  events.run_ended = [&world, &plan](const run::RunResult& run) {
    if (run.run == 1) say_pace(world, plan, run);
  };
  events.store = [&burst](run::RunEvidence&& evidence) { return burst.store(std::move(evidence)); };
  watch.connect(events);
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
                            const Provenance& provenance, const HuntBurst& burst) {
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

// What is stored as contended: no proof, beside other copies or between selections.
std::vector<run::Doubt> unproved(const run::HuntResult& found) {
  auto doubts = found.contended;
  for (const auto& tally : found.unproved) doubts.push_back({tally, false});
  return doubts;
}

bool any_flaky(const stats::Scores& scores) {
  return std::any_of(scores.tests.begin(), scores.tests.end(),
                     [](const TestScore& test) { return test.verdict == Verdict::flaky; });
}

Result<void> write_document(const World& world, const report::HuntSummary& summary, const stats::Scores& scores,
                            report::ReportOptions options, const HuntRequest& request) {
  const auto format = request.common.format.value_or("table");
  if (format == "table") return world.out(report::hunt_text(summary, scores, options));
  for (const auto& warning : summary.warnings) world.warn("flakestat: " + warning);
  if (format == "json") return world.out(report::hunt_json(summary, scores, options));
  options.json = text::JsonStyle::compact;
  return world.out(report::end_event_line(report::hunt_json(summary, scores, options)));
}

// An interrupted hunt ends as a shell expects it of what a signal ended, whatever it found until then.
Result<Ending> ending_of(const World& world, const run::HuntResult& found, const stats::Scores& scores,
                         bool fail_on_flaky, int signal) {
  if (found.interrupted && signal != 0) {
    if (found.problem) world.warn("flakestat: " + found.problem->message);
    return exit_by_signal(signal);
  }
  if (found.problem) return *found.problem;
  return fail_on_flaky && any_flaky(scores) ? Ending::failed : Ending::done;
}

}  // namespace

Result<Ending> hunt(const World& world, const HuntRequest& request) {
  auto settings = resolve_settings(world, request.common, &request.scoring);
  if (!settings) return settings.error();
  if (request.replay) return replay(world, request, *settings);
  auto plan = plan_of(request, *settings);
  if (!plan) return plan.error();
  auto provenance = find_provenance(world, request.common, request.provenance, *settings,
                                    {env::Origin::launched_here, own_files(*plan)});
  if (!provenance) return provenance.error();
  auto signals = sys::Signals::install();
  if (!signals) return signals.error();
  FLAKESTAT_TRY(isolate_copies(world, request, *provenance, *signals, *plan));

  const sys::SystemClock clock;
  sys::Supervisor supervisor(clock, *signals);
  sys::KeeperPool copies(clock, *signals);
  HuntBurst burst(world, *settings, *provenance, {clock, !request.provenance.run_id});
  HuntWatch watch(world, clock, *plan, *provenance, request, settings->dir);
  const auto begin = clock.monotonic();
  run::HuntHost host{supervisor, clock, *signals, run::read_report_file, &copies};
  world.note("flakestat: " + report::plan_line(goal_of(*plan)));
  auto found = run::hunt(*plan, host, events_for(world, *plan, burst, watch));
  const auto told = watch.over();
  if (!found) {
    FLAKESTAT_TRY(burst.release({}));
    return found.error();
  }
  FLAKESTAT_TRY(burst.release(unproved(*found)));

  auto summary = summary_of(*found, *plan, *provenance, burst.stored());
  summary.wall_ms = (clock.monotonic() - begin).count();
  watch.describe(*found, summary);
  if (code_moved(world, request, *settings, *provenance, *plan)) {
    summary.warnings.push_back("the code changed while the hunt ran: its runs cannot be compared");
  }
  auto scores = score(world, request, *settings, *provenance, burst);
  if (!scores) return scores.error();
  keep_shown(*scores, request.common.filter);
  if (!told) return told.error();
  FLAKESTAT_TRY(write_document(world, summary, *scores, options_of(world, request, *settings), request));
  return ending_of(world, *found, *scores, request.fail_on_flaky, signals->first_signal());
}

}  // namespace flakestat::app
