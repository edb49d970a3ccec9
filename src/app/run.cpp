#include <algorithm>
#include <memory>
#include <utility>

#include "app/commands.hpp"
#include "app/run_memory.hpp"
#include "app/run_pytest.hpp"
#include "app/run_recorder.hpp"
#include "app/run_setup.hpp"
#include "sys/clock.hpp"
#include "sys/signals.hpp"

namespace flakestat::app {
namespace {

// To all of equal rank, in order.
class Fan final : public RunSink {
 public:
  void add(RunSink& sink) { sinks_.push_back(&sink); }
  void take(const RunEvent& event) override {
    for (auto* sink : sinks_) sink->take(event);
  }

 private:
  std::vector<RunSink*> sinks_;
};

class Debug final : public RunSink {
 public:
  explicit Debug(const World& world) : world_(world) {}
  void take(const RunEvent& event) override {
    if (const auto* s = std::get_if<RunStarted>(&event)) tests_ = s->tests;
    if (const auto* s = std::get_if<TestSettled>(&event)) {
      (void)world_.out(tests_[s->test].id + " " + word(s->fate) + " " + std::to_string(s->attempts.size()) + " " +
                       s->note + " " + s->attempts.back().message + "\n");
    }
    if (const auto* s = std::get_if<WorkerLost>(&event)) (void)world_.out("LOST " + s->how + s->output + "\n");
    if (const auto* s = std::get_if<RunNote>(&event)) (void)world_.out("NOTE " + s->text + "\n");
    if (const auto* s = std::get_if<CollectionProblem>(&event))
      (void)world_.out("PROBLEM " + s->id + s->details + "\n");
    if (const auto* s = std::get_if<RunFinished>(&event)) {
      const auto& t = s->totals;
      std::string reasons;
      for (const auto& r : s->reasons) reasons += r + "; ";
      (void)world_.out("END code " + std::to_string(s->exit_code) + " passed " + std::to_string(t.passed) + " failed " +
                       std::to_string(t.failed) + " errors " + std::to_string(t.errors) + " flaky " +
                       std::to_string(t.flaky) + " q " + std::to_string(t.quarantined) + " notrun " +
                       std::to_string(t.not_run) + " skipped " + std::to_string(t.skipped) + " s " +
                       std::to_string(s->seconds) + " " + reasons + "\n");
    }
  }

 private:
  const World& world_;
  std::vector<RunTest> tests_;
};

}  // namespace

std::vector<std::string> run_outputs() { return {"dots"}; }

Result<Ending> run(const World& world, const RunRequest& request) {
  auto settings = resolve_settings(world, request.common);
  if (!settings) return settings.error();
  auto setup = prepare_run_setup(world, request, *settings);
  if (!setup) return setup.error();
  auto memory = RunMemory::open(world, settings->dir);
  if (!memory) return memory.error();
  auto signals = sys::Signals::install();
  if (!signals) return signals.error();
  const sys::SystemClock clock;
  RunRecorder recorder(settings->dir, setup->provenance, clock);
  Debug debug(world);
  Fan fan;
  fan.add(recorder);
  fan.add(*memory);
  fan.add(debug);
  auto command = find_pytest(*setup);
  if (!command) return command.error();
  if (!*command) return Error{ErrorKind::usage, "not pytest"};
  auto finished = run_pytest(*setup, **command, *memory, {clock, *signals, fan, {}});
  if (!finished) return finished.error();
  if (auto saved = memory->save(setup->provenance.run_id, setup->dist == dispatch::Dist::each); !saved)
    world.warn("flakestat: " + saved.error().message);
  if (auto stored = recorder.finish(); !stored) world.warn("flakestat: " + stored.error().message);
  fan.take(*finished);
  return exit_with(finished->exit_code);
}

}  // namespace flakestat::app
