#include "run/hunt_runs.hpp"

#include <utility>

#include "run/placeholders.hpp"

namespace flakestat::run {

// One path for all: an old report is set aside once, and put back when the last copy is over.
std::shared_ptr<const ReportSlot> HuntRuns::shared_slot(const RunOrder& order) const {
  const bool one_path = report_path(plan_, order.run) == report_path(plan_, order.run + 1);
  return order.mode == RunMode::beside && one_path ? slot_ : nullptr;
}

Result<void> HuntRuns::start(const RunOrder& order) {
  if (order.mode == RunMode::alone) slot_.reset();
  auto run = prepare_run(plan_, host_, order, shared_slot(order));
  if (!run) return run.error();
  if (order.mode == RunMode::alone) {
    alone_.emplace(std::move(run).value());
    return {};
  }
  slot_ = run->slot;
  auto id = host_.copies->start(run->spec, plan_.isolation);
  if (!id) return id.error();
  beside_.emplace(*id, std::move(run).value());
  return {};
}

RunOnce HuntRuns::finish(const PreparedRun& run, sys::ChildResult&& child, const std::string& root) const {
  auto once = finish_run(host_, run, std::move(child), root);
  if (events_.left && has_ended(once.result.end)) {
    events_.left({once.result, run.spec.argv, once.output, once.reports});
  }
  return once;
}

RunOnce HuntRuns::next(const std::function<void()>& tick) {
  if (alone_) {
    const auto run = *std::exchange(alone_, std::nullopt);
    auto spec = run.spec;
    spec.tick = tick;
    return finish(run, host_.runner.run(spec), "");
  }
  auto ended = host_.copies->next(tick);
  const auto found = beside_.extract(ended.id);
  auto once = finish(found.mapped(), std::move(ended.result), ended.root);
  for (const auto& path : plan_.keep) {
    auto kept = host_.copies->keep(ended.id, expand_run(path, once.result.run));
    if (!kept && kept.error().kind != ErrorKind::missing) once.result.not_kept.push_back(kept.error().message);
  }
  host_.copies->release(ended.id);
  return once;
}

}  // namespace flakestat::run
