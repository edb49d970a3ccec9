#include "app/run_generic.hpp"

#include <string>
#include <utility>

#include "adapters/generic.hpp"
#include "app/output_lines.hpp"
#include "run/report_file.hpp"
#include "run/selection.hpp"
#include "store/whole_runs.hpp"
#include "sys/child.hpp"

namespace flakestat::app {
namespace {

// What only an adapter that knows the framework can do.
Result<void> refuse_flags(const RunSetup& setup) {
  const auto& request = setup.request;
  const std::pair<bool, const char*> flags[] = {{request.last_failed, "--lf"},
                                                {request.failed_first, "--ff"},
                                                {request.order.has_value(), "--order"},
                                                {request.shuffle.has_value(), "--shuffle"},
                                                {request.shard.has_value(), "--shard"},
                                                {request.dist.has_value(), "--dist"},
                                                {request.workers && setup.workers.value_or(0) > 0, "-n"},
                                                {request.worker_timeout.has_value(), "--worker-timeout"},
                                                {request.python.has_value(), "--python"}};
  for (const auto& [given, flag] : flags) {
    if (given) {
      return Error{ErrorKind::usage,
                   std::string(flag) + ": only pytest's own adapter can do that; this command is run as it is"};
    }
  }
  return {};
}

Result<adapters::GenericOptions> options_of(const RunSetup& setup) {
  FLAKESTAT_TRY(refuse_flags(setup));
  adapters::GenericOptions options;
  options.run_id = setup.provenance.run_id;
  options.command = setup.command;
  options.junit = setup.request.junit.value_or(setup.settings.config.junit.value_or(""));
  const auto& config = setup.settings.config;
  run::SelectionFlags flags{setup.request.select, setup.request.id, setup.request.join};
  if (!flags.select && !run::uses_tests(options.command)) flags.select = config.select;
  if (flags.select || run::uses_tests(options.command)) {
    if (!flags.id) flags.id = config.id;
    if (!flags.join) flags.join = config.join;
  }
  auto selection = run::selection_of(options.command, flags);
  if (!selection) return selection.error();
  options.selection = *std::move(selection);
  options.timeout = setup.timeout;
  options.reruns = setup.policy;
  if (setup.policy.maxfail > 0) {
    setup.world.warn(
        "flakestat: --maxfail does not reach a command that is run as a whole: its own option for that does");
  }
  return options;
}

store::WholeRunKey key_of(const RunSetup& setup) {
  const auto& root = setup.provenance.root;
  const auto& here = setup.world.directory;
  const bool below = here.size() > root.size() && here.starts_with(root + "/");
  return {below ? here.substr(root.size() + 1) : "", setup.command};
}

// A whole run that went as it should is what the next one is measured by.
void remember(const RunSetup& setup, const RunFinished& finished, std::size_t tests) {
  const bool whole = finished.end == RunEnd::ok || finished.end == RunEnd::tests_failed;
  if (!whole || tests == 0) return;
  const store::WholeRun run{tests, setup.provenance.code.code, setup.world.now()};
  if (auto kept = store::remember_whole_run(setup.settings.dir, key_of(setup), run); !kept) {
    setup.world.warn("flakestat: " + kept.error().message);
  }
}

// Counts the tests that are announced, on the way to the real sink.
class Counting final : public RunSink {
 public:
  explicit Counting(RunSink& next) : next_(next) {}
  void take(const RunEvent& event) override {
    if (const auto* started = std::get_if<RunStarted>(&event)) tests = started->tests.size();
    next_.take(event);
  }
  std::size_t tests = 0;

 private:
  RunSink& next_;
};

}  // namespace

Result<RunFinished> run_generic(const RunSetup& setup, RunMemory& memory, const sys::SystemClock& clock,
                                sys::Signals& signals, const RunHost& host) {
  auto options = options_of(setup);
  if (!options) return options.error();
  if (const auto last = store::last_whole_run(setup.settings.dir, key_of(setup))) {
    const auto& code = setup.provenance.code.code;
    options->known = adapters::KnownRun{last->tests, !code.empty() && last->code == code};
  }
  sys::Supervisor supervisor(clock, signals);
  OutputLines lines([&](const std::string& line) { setup.world.note(line); });
  adapters::GenericHost world{
      supervisor,
      clock,
      signals,
      run::read_report_file,
      [&](const RunTest& test) {
        dispatch::TestPolicy policy;
        policy.ledger = memory.counts(test);
        excuse(setup, test, "", policy);
        return policy;
      },
      [&](std::string_view bytes) { lines.add(bytes); },
      [&] { return signals.first_signal(); },
      [&](std::chrono::milliseconds duration) { adapters::pause_until_interrupted(signals, clock, duration); }};
  Counting counting(host.sink);
  adapters::GenericRun run(*options, world, counting);
  auto finished = run.run();
  lines.finish();
  if (!finished) return finished.error();
  remember(setup, *finished, counting.tests);
  return finished;
}

}  // namespace flakestat::app
