#include "app/hunt_voice.hpp"

#include <algorithm>
#include <utility>

#include "app/hunt_summary.hpp"
#include "app/settings.hpp"
#include "report/hunt_events.hpp"

namespace flakestat::app {
namespace {

report::PlanEvent plan_event(const World& world, const run::HuntPlan& plan, const std::string& run_id) {
  report::PlanEvent event;
  event.run_id = run_id;
  event.command = plan.command;
  event.directory = plan.directory.empty() ? world.directory : plan.directory;
  event.junit = plan.junit;
  event.runs = plan.runs;
  event.parallel = plan.parallel;
  if (plan.timeout) event.timeout_ms = plan.timeout->count();
  return event;
}

}  // namespace

HuntVoice::HuntVoice(const World& world, const sys::Clock& clock, const run::HuntPlan& plan, bool events)
    : world_(world),
      clock_(clock),
      plan_(plan),
      events_(events),
      live_(world.live_progress && !(events && world.out_is_terminal)),
      lines_(plan.runs) {}

void HuntVoice::begin(const std::string& run_id) {
  if (events_) tell(report::event_line(plan_event(world_, plan_, run_id)));
}

void HuntVoice::progress(const run::HuntProgress& now) {
  if (!live_) return;
  report::LiveHunt block;
  block.done = static_cast<std::uint64_t>(now.done);
  block.total = static_cast<std::uint64_t>(now.total);
  block.failing = static_cast<std::uint64_t>(now.failed);
  block.running = static_cast<std::uint64_t>(now.running);
  if (now.remaining) block.eta_ms = now.remaining->count();
  if (now.run) block.run_ms = now.run->count();
  block.disagreeing = disagreeing_;
  block.others = others_;
  const auto area = world_.live_area();
  world_.progress(report::live_block(block, {area.columns, false}, area.rows));
}

void HuntVoice::ended(const run::RunResult& run) {
  const auto shown = shown_run(run);
  if (events_) {
    report::RunEvent event{shown, run.failed(), "", {}};
    if (run.mode == run::RunMode::beside) event.isolation = run::isolation_of(plan_);
    for (const auto& test : run.tests) event.selected.push_back(name_of(test));
    tell(report::event_line(event));
  }
  if (!live_ && lines_.wants(run.failed(), clock_.monotonic().count())) world_.note(report::run_line(shown));
}

void HuntVoice::tallied(int run, const run::Outcomes& outcomes) {
  if (events_) tell_disagreements(run, outcomes);
  if (!live_) return;
  disagreeing_.clear();
  others_ = 0;
  for (const auto id : outcomes.disagreeing()) {
    const auto& test = outcomes.tests().at(id);
    const auto total = test.total();
    if (!total.disagreed()) continue;  // a run of it was taken back
    if (disagreeing_.size() == report::kMostLiveTests) ++others_;
    else disagreeing_.push_back({name_of(test.test), total.passes, total.fails});
  }
}

void HuntVoice::tell_disagreements(int run, const run::Outcomes& outcomes) {
  const auto& all = outcomes.disagreeing();
  for (; told_ < all.size(); ++told_) {
    const auto& test = outcomes.tests().at(all[told_]);
    const auto total = test.total();
    tell(report::event_line(report::DisagreementEvent{run, all[told_], test.test.suite, test.test.class_name,
                                                      test.test.name, total.passes, total.fails}));
  }
}

Result<void> HuntVoice::finish() {
  world_.progress({});
  return written_;
}

// A reader that went away does not end the hunt: what it finds is stored all the same.
void HuntVoice::tell(const std::string& event) {
  if (written_) written_ = world_.out(event);
}

}  // namespace flakestat::app
