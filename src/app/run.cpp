#include <algorithm>
#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "app/run_end.hpp"
#include "app/run_generic.hpp"
#include "app/run_memory.hpp"
#include "app/run_pytest.hpp"
#include "app/run_recorder.hpp"
#include "app/run_screen.hpp"
#include "app/run_settings.hpp"
#include "app/run_setup.hpp"
#include "store/shard_manifests.hpp"
#include "sys/clock.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {
namespace {

// To all of equal rank, in order.
class Fan final : public RunSink {
 public:
  explicit Fan(std::vector<RunSink*> sinks) : sinks_(std::move(sinks)) {}
  void take(const RunEvent& event) override {
    for (auto* sink : sinks_) sink->take(event);
  }

 private:
  std::vector<RunSink*> sinks_;
};

Result<AdapterResult> run_adapter(const RunSetup& setup, RunMemory& memory, const sys::SystemClock& clock,
                                  sys::Signals& signals, const RunHost& host) {
  if (setup.command.empty()) {
    return Error{ErrorKind::usage,
                 "no command: name it after --, as in 'flakestat run -- pytest', or as \"command\" in .flakestat.json"};
  }
  const auto adapter = setup.request.adapter.value_or("");
  if (adapter != "generic") {
    auto command = find_pytest(setup);
    if (!command) return command.error();
    if (*command) return run_pytest(setup, **command, memory, host);
    if (adapter == "pytest") {
      return Error{ErrorKind::usage, "--adapter pytest: the command is not 'pytest ...' or 'python -m pytest ...'"};
    }
  }
  auto finished = run_generic(setup, memory, clock, signals, host);
  if (!finished) return finished.error();
  return AdapterResult{*std::move(finished), std::nullopt};
}

// What could not be kept is told, and makes the run no worse than it was, unless it was green: then somebody would
// believe that all is well recorded.
Result<void> keep(const RunSetup& setup, RunMemory& memory, RunRecorder& recorder, const RunScreen& screen,
                  const std::optional<ShardManifest>& shard) {
  Result<void> kept = recorder.finish();
  const auto also = [&](const Result<void>& next) {
    if (next) return;
    if (kept) kept = next;
    else setup.world.warn("flakestat: " + next.error().message);
  };
  for (const auto& note : recorder.notes()) setup.world.warn("flakestat: " + note);
  also(memory.save(setup.provenance.run_id, setup.dist == dispatch::Dist::each));
  also(write_run_files(setup, screen.record()));
  if (shard) also(store::write_shard(setup.settings.dir, ended_shard(*shard, screen.record()), setup.world.now()));
  also(screen.written());
  return kept;
}

}  // namespace

std::vector<std::string> run_outputs() {
  const auto names = report::run_output_names();
  return {names.begin(), names.end()};
}

Result<Ending> run(const World& world, const RunRequest& request) {
  auto settings = resolve_settings(world, request.common);
  if (!settings) return settings.error();
  const auto asked = with_settings(request, *settings);
  if (!asked) return asked.error();
  auto setup = prepare_run_setup(world, *asked, *settings);
  if (!setup) return setup.error();
  auto memory = RunMemory::open(world, settings->dir);
  if (!memory) return memory.error();
  auto signals = sys::Signals::install();
  if (!signals) return signals.error();
  if (setup->policy.only_known_flaky && !memory->knows_flaky()) world.warn(std::string("flakestat: ") + kNothingKnown);

  const sys::SystemClock clock;
  RunRecorder recorder(settings->dir, setup->provenance, clock);
  RunScreen screen(*setup);
  Fan fan({&recorder, &*memory, &screen});
  auto result = run_adapter(*setup, *memory, clock, *signals, {clock, *signals, fan, [&screen] { screen.tick(); }});
  if (!result) {
    if (auto stored = recorder.finish(); !stored) world.warn("flakestat: " + stored.error().message);
    return result.error();
  }
  auto finished = std::move(result->finished);
  conclude_run(*setup, *memory, screen.record(), finished);
  fan.take(finished);
  const auto kept = keep(*setup, *memory, recorder, screen, result->shard);
  if (!kept && finished.exit_code == 0) return kept.error();
  if (!kept) world.warn("flakestat: " + kept.error().message);
  return exit_with(finished.exit_code);
}

}  // namespace flakestat::app
