#include "app/hunt_replay.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>

#include "app/hunt_summary.hpp"
#include "app/output_lines.hpp"
#include "app/provenance.hpp"
#include "app/replay_command.hpp"
#include "base/duration.hpp"
#include "base/strings.hpp"
#include "report/hunt_ends.hpp"
#include "run/report_glob.hpp"
#include "run/run_once.hpp"
#include "store/hunt_files.hpp"
#include "sys/child.hpp"
#include "sys/clock.hpp"
#include "sys/file.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {
namespace {

constexpr int kTimedOut = 124;  // as timeout(1)

// Names the run in messages: `run 7 of hunt 20260817T100000-9f2ac1`.
std::string name_of(const store::HuntRecord& record, int run) {
  return "run " + std::to_string(run) + " of hunt " + record.run_id;
}

Result<store::RecordedRun> recorded_run(const store::HuntRecord& record, int run) {
  if (const auto* found = store::find_run(record, run); found != nullptr) return *found;
  std::string known = record.runs.empty() ? "it recorded none"
                                          : "it recorded " + std::to_string(record.runs.size()) + ", up to run " +
                                                std::to_string(record.runs.back().run);
  if (record.left_out > 0) known += "; " + std::to_string(record.left_out) + " had no room";
  return Error{ErrorKind::missing, "there is no " + name_of(record, run) + ": " + known};
}

Result<void> must_be_there(const std::string& directory) {
  std::error_code error;
  if (std::filesystem::is_directory(directory, error)) return {};
  return Error{ErrorKind::missing, "the hunt ran in " + directory + ", which is not there any more"};
}

// The tracked code of the directory, now; empty where there is no commit.
std::string code_now(const World& world, const HuntRequest& request, const Settings& settings,
                     const std::string& directory) {
  World there = world;
  there.note = [](std::string_view) {};
  there.directory = directory;
  const auto now =
      find_provenance(there, request.common, request.provenance, settings, {env::Origin::launched_here, {}});
  return now && !now->code.commit.empty() ? now->tracked : std::string();
}

void say_differences(const World& world, const HuntRequest& request, const Settings& settings,
                     const store::HuntRecord& record, const store::RecordedRun& run) {
  const auto now = code_now(world, request, settings, record.directory);
  if (!record.code.empty() && now != record.code) {
    world.warn("flakestat: warning: the code is another one than then: now " + (now.empty() ? "unknown" : now) +
               ", then " + record.code);
  }
  if (!run.isolation.empty()) {
    world.note("flakestat: then it ran beside other copies (isolation: " + run.isolation + "); now it runs alone");
  }
}

// As the hunt did: a runner that does not make the folder of its report would fail for that alone.
Result<void> make_report_folder(const store::HuntRecord& record, int run) {
  const auto path = replayed_report(record, run);
  if (path.empty() || run::is_glob(path)) return {};
  return sys::make_directories(std::filesystem::path(path).parent_path().string());
}

report::HuntRun shown(const store::RecordedRun& then) {
  report::HuntRun run;
  for (const auto end : {report::HuntEnd::exited, report::HuntEnd::signalled, report::HuntEnd::timed_out,
                         report::HuntEnd::failed_to_start, report::HuntEnd::interrupted}) {
    if (report::to_string(end) == then.end) run.end = end;
  }
  run.code = then.code;
  return run;
}

report::HuntRun shown(const sys::ChildResult& now) {
  report::HuntRun shown;
  shown.code = now.code;
  shown.end = shown_end(run::run_end(now.end));
  return shown;
}

Result<Ending> ending_of(const sys::ChildResult& result, int our_signal) {
  switch (result.end) {
    case sys::ChildEnd::exited: return exit_with(result.code);
    case sys::ChildEnd::signalled: return exit_by_signal(result.code);
    case sys::ChildEnd::timed_out: return exit_with(kTimedOut);
    case sys::ChildEnd::interrupted: return exit_by_signal(our_signal);
    default: return Error{ErrorKind::missing, result.start_problem};
  }
}

Result<Ending> run_again(const World& world, const store::HuntRecord& record, const store::RecordedRun& then,
                         sys::ChildSpec spec) {
  auto signals = sys::Signals::install();
  if (!signals) return signals.error();
  const sys::SystemClock clock;
  sys::Supervisor supervisor(clock, *signals);
  OutputLines lines([&world](const std::string& line) { world.warn(line); });
  spec.sink = [&lines](std::string_view bytes) { lines.add(bytes); };
  const auto result = supervisor.run(spec);
  lines.finish();
  auto ending = ending_of(result, signals->first_signal());
  if (!ending) return ending;
  const auto before = report::short_end(shown(then));
  const auto after = report::short_end(shown(result));
  world.note("flakestat: " + name_of(record, then.run) + ": " + after +
             (after == before ? ", as then" : "; then it was " + before));
  return ending;
}

}  // namespace

Result<ReplayTarget> parse_replay(std::string_view text) {
  const auto colon = text.rfind(':');
  ReplayTarget target;
  if (colon != std::string_view::npos) target.hunt = text.substr(0, colon);
  const auto number = number_in<int>(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (!number || *number < 1 || colon == 0) {
    return Error{ErrorKind::usage, "--replay " + in_quotes(text) +
                                       ": give a run's number, or a hunt's run id and the number, as in "
                                       "20260817T100000-9f2ac1:7"};
  }
  target.run = *number;
  return target;
}

Result<Ending> replay(const World& world, const HuntRequest& request, const Settings& settings) {
  if (!request.command.empty())
    return Error{ErrorKind::usage, "--replay runs the command of that hunt: leave out the one after --"};
  const auto target = parse_replay(request.replay.value_or(""));
  if (!target) return target.error();
  const auto record = store::find_hunt(settings.dir, target->hunt);
  if (!record) return record.error();
  const auto run = recorded_run(*record, target->run);
  if (!run) return run.error();
  auto spec = replay_spec(*record, *run);
  if (!spec) return spec.error();
  if (request.timeout) {
    const auto timeout = parse_duration(*request.timeout);
    if (!timeout) return timeout.error().with("--timeout");
    if (timeout->count() <= 0) return Error{ErrorKind::usage, "--timeout: must be more than nothing"};
    spec->limits.timeout = *timeout;
  }
  FLAKESTAT_TRY(must_be_there(record->directory));
  FLAKESTAT_TRY(make_report_folder(*record, run->run));
  say_differences(world, request, settings, *record, *run);
  world.note("flakestat: " + name_of(*record, run->run) + ":");
  world.note("  " + shell_line(*spec));
  return run_again(world, *record, *run, std::move(*spec));
}

}  // namespace flakestat::app
