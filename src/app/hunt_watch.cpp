#include "app/hunt_watch.hpp"

#include <utility>

#include "app/replay_command.hpp"
#include "text/shell_word.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kMostReproductions = 3;

bool wants_events(const HuntRequest& request) { return request.common.format.value_or("") == "ndjson"; }

}  // namespace

HuntWatch::HuntWatch(const World& world, const sys::Clock& clock, const run::HuntPlan& plan,
                     const Provenance& provenance, const HuntRequest& request, const std::string& dir)
    : plan_(plan),
      run_id_(provenance.run_id),
      dir_flag_(request.common.dir),
      started_(new_record(world, plan, provenance, request.record_env)),
      recorder_(world, clock, dir, plan, started_),
      kept_(world, dir, provenance.run_id),
      voice_(world, clock, plan, wants_events(request)) {}

void HuntWatch::connect(run::HuntEvents& events) {
  events.progress = [this, others = std::move(events.progress)](const run::HuntProgress& now) {
    voice_.progress(now);
    if (others) others(now);
  };
  events.run_ended = [this, others = std::move(events.run_ended)](const run::RunResult& run) {
    voice_.ended(run);
    if (others) others(run);
  };
  events.store = [this, others = std::move(events.store)](run::RunEvidence&& evidence) {
    reproductions_.add(evidence);
    return others ? others(std::move(evidence)) : Result<void>();
  };
  events.left = [this](const run::RunLeavings& run) { left(run); };
  events.tallied = [this](int run, const run::Outcomes& outcomes) { voice_.tallied(run, outcomes); };
  voice_.begin(run_id_);
}

void HuntWatch::left(const run::RunLeavings& left) {
  recorder_.add(left);
  if (!plan_.until_fail) return;
  // The same way as a replay: what is said is what would be done.
  auto record = started_;
  store::RecordedRun run;
  run.run = left.result.run;
  store::add_run(record, run, own_command(plan_, left), {});
  if (const auto spec = replay_spec(record, record.runs.front())) {
    kept_.add(left, shell_line(*spec), again(left.result.run));
  }
}

std::string HuntWatch::again(int run) const {
  std::vector<std::string> words = {"flakestat", "hunt"};
  if (dir_flag_) words.insert(words.end(), {"--dir", *dir_flag_});
  words.insert(words.end(), {"--replay", run_id_ + ":" + std::to_string(run)});
  return text::shell_words(words);
}

Result<void> HuntWatch::over() {
  recorder_.finish();
  return voice_.finish();
}

void HuntWatch::describe(const run::HuntResult& found, report::HuntSummary& summary) {
  const auto chosen = reproductions_.choose(found.contended, kMostReproductions);
  for (const auto& each : chosen) summary.again.push_back({each.run, each.test, again(each.run)});
  if (!plan_.until_fail) return;
  const auto run = chosen.empty() ? std::nullopt : std::optional(chosen.front().run);
  if (auto folder = kept_.conclude(run)) summary.kept = report::KeptFailure{run.value_or(0), std::move(*folder)};
}

}  // namespace flakestat::app
