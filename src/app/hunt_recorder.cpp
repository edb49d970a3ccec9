#include "app/hunt_recorder.hpp"

#include <algorithm>
#include <utility>

#include "app/hunt_summary.hpp"
#include "base/strings.hpp"
#include "run/placeholders.hpp"
#include "run/run_once.hpp"
#include "run/selection.hpp"
#include "store/hunt_files.hpp"

namespace flakestat::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetween{5000};
constexpr milliseconds kAfterFailure{1000};
constexpr int kMostShare = 20;  // writing takes at most a twentieth of the time

constexpr std::string_view kRunVariable = "FLAKESTAT_RUN";

std::vector<store::RecordedVariable> own_variables() { return {{std::string(kRunVariable), "{run}"}}; }

}  // namespace

Result<void> check_record_env(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos) {
      return Error{ErrorKind::usage, "--record-env " + in_quotes(name) + " is no name of a variable"};
    }
    if (name == kRunVariable) {
      return Error{ErrorKind::usage,
                   "--record-env " + name + ": flakestat sets it for each run, and records it anyway"};
    }
  }
  return {};
}

store::HuntRecord new_record(const World& world, const run::HuntPlan& plan, const Provenance& provenance,
                             const std::vector<std::string>& record_env) {
  store::HuntRecord record;
  record.run_id = provenance.run_id;
  record.started = world.now();
  if (!provenance.code.commit.empty()) record.code = provenance.tracked;
  record.directory = plan.directory.empty() ? world.directory : plan.directory;
  record.junit = plan.junit;
  if (plan.timeout) record.timeout_ms = plan.timeout->count();
  record.variables = own_variables();
  for (const auto& name : record_env) {
    const bool twice = std::any_of(record.recorded.begin(), record.recorded.end(),
                                   [&](const auto& variable) { return variable.name == name; });
    if (!twice) record.recorded.push_back({name, world.env(name)});
  }
  record.commands = {{run::whole_command(plan.command), false, {}}};
  return record;
}

std::optional<store::RecordedCommand> own_command(const run::HuntPlan& plan, const run::RunLeavings& left) {
  const int number = left.result.run;
  const auto junit = run::report_path(plan, number);
  if (left.argv == run::expand_command(run::whole_command(plan.command), number, junit) && left.result.tests.empty())
    return std::nullopt;
  // With the report's path taken out again several runs may share one command.
  store::RecordedCommand own{run::without_junit(left.argv, junit), false, {}};
  if (run::expand_command(own.argv, number, junit) != left.argv) own = {left.argv, true, {}};
  for (const auto& test : left.result.tests) own.tests.push_back(name_of(test));
  return own;
}

HuntRecorder::HuntRecorder(const World& world, const sys::Clock& clock, std::string dir, const run::HuntPlan& plan,
                           store::HuntRecord record)
    : world_(world), clock_(clock), dir_(std::move(dir)), plan_(plan), record_(std::move(record)) {}

void HuntRecorder::add(const run::RunLeavings& left) {
  const auto& result = left.result;
  store::RecordedRun run;
  run.run = result.run;
  run.end = report::to_string(shown_run(result).end);
  run.code = result.code;
  run.failed = result.failed();
  run.started = result.started;
  run.wall_ms = result.use.wall.count();
  if (result.mode == run::RunMode::beside) run.isolation = run::isolation_of(plan_);
  store::add_run(record_, std::move(run), own_command(plan_, left), {});
  const auto pause = std::max(result.failed() ? kAfterFailure : kBetween, cost_ * kMostShare);
  if (!written_ || clock_.monotonic() - *written_ >= pause) write();
}

void HuntRecorder::finish() {
  record_.ended = true;
  if (!record_.runs.empty()) write();
}

void HuntRecorder::write() {
  const bool first = !written_;
  const auto begin = clock_.monotonic();
  const auto result = store::write_hunt(dir_, record_);
  written_ = clock_.monotonic();
  cost_ = *written_ - begin;
  if (first) store::prune_hunts(dir_, world_.now());
  if (result || warned_) return;
  warned_ = true;
  world_.warn("flakestat: this hunt cannot be replayed later: " + result.error().message);
}

}  // namespace flakestat::app
