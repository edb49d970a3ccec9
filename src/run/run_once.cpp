#include "run/run_once.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "run/narrowing.hpp"
#include "run/placeholders.hpp"
#include "run/report_glob.hpp"
#include "run/suite_level.hpp"

namespace flakestat::run {
namespace {

constexpr std::size_t kTailLines = 20;

std::vector<std::string> named(const std::vector<sys::LeakedProcess>& processes) {
  std::vector<std::string> names;
  for (const auto& process : processes) {
    names.push_back(printable(process.name) + " (" + std::to_string(process.pid) + ")");
  }
  return names;
}

// Tests were chosen because they can be named: run/narrowing.hpp.
std::vector<std::string> argv_of(const HuntPlan& plan, const RunOrder& order) {
  const auto junit = report_path(plan, order.run);
  if (order.tests.empty() || !plan.selection) return expand_command(whole_command(plan.command), order.run, junit);
  std::vector<TestNames> names;
  for (const auto& test : order.tests) names.push_back(names_of(test));
  return narrowed_command(*plan.selection, names, order.run, junit).argv;
}

sys::ChildSpec child_spec(const HuntPlan& plan, const RunOrder& order) {
  sys::ChildSpec spec;
  spec.argv = argv_of(plan, order);
  spec.environment = {{"FLAKESTAT_RUN", std::to_string(order.run)}};
  spec.directory = plan.directory;
  spec.limits.timeout = plan.timeout;
  spec.limits.grace = plan.grace;
  spec.limits.leak_wait = plan.leak_wait;
  if (plan.output_limit) {
    const auto limits = sys::share_output_limit(*plan.output_limit);
    spec.head_limit = limits.head;
    spec.tail_limit = limits.tail;
  }
  return spec;
}

void merge(formats::JunitSummary& whole, formats::JunitSummary&& part, bool first) {
  whole.counts += part.counts;
  whole.incomplete_cases += part.incomplete_cases;
  whole.has_timestamps = whole.has_timestamps || part.has_timestamps;
  std::move(part.notes.begin(), part.notes.end(), std::back_inserter(whole.notes));
  if (first) whole.encoding = std::move(part.encoding);
  if (!whole.damage) whole.damage = std::move(part.damage);
}

std::string damage_text(const formats::Damage& damage) {
  return "cut off at byte " + std::to_string(damage.offset) + ", line " + std::to_string(damage.line) + ": " +
         damage.reason;
}

std::string rejection_text(const formats::Rejection& rejection) {
  if (rejection.root.empty()) return "no JUnit report: there is no XML in it";
  return "no JUnit report: its root is <" + rejection.root + ">";
}

// Reads a run's reports into one set of cases; the first problem decides the state.
class Reading {
 public:
  Reading(const ReadReport& read_report, bool several, const std::string& root, RunOnce& once)
      : read_report_(read_report), several_(several), root_(root), once_(once) {}

  void read(const FreshReports& fresh) {
    once_.result.report = fresh.state;
    once_.result.report_problem = fresh.problem;
    for (const auto& path : fresh.paths) read_one(path);
    once_.reports = fresh.paths;
    if (fresh.state == ReportState::whole && readable_ == 0) {
      note(ReportState::missing, "only companions of reports, no report");
    }
    once_.result.counts = once_.evidence.summary.counts;
  }

 private:
  void read_one(const std::string& path) {
    const auto shown = path.substr(root_.size());
    auto content = read_report_(path);
    if (!content) {
      ++readable_;
      return note(ReportState::unreadable, without_root(content.error().message));
    }
    if (content->rejection) {
      if (several_ && content->rejection->companion) return;
      ++readable_;
      return note(ReportState::unreadable, shown + " is " + rejection_text(*content->rejection));
    }
    if (content->summary.damage) note(ReportState::cut_off, shown + " is " + damage_text(*content->summary.damage));
    merge(once_.evidence.summary, std::move(content->summary), readable_++ == 0);
    std::move(content->cases.begin(), content->cases.end(), std::back_inserter(once_.evidence.cases));
  }

  [[nodiscard]] std::string without_root(std::string message) const {
    if (const auto at = message.find(root_); !root_.empty() && at != std::string::npos) message.erase(at, root_.size());
    return message;
  }

  void note(ReportState state, std::string problem) {
    if (once_.result.report != ReportState::whole) return;
    once_.result.report = state;
    once_.result.report_problem = std::move(problem);
  }

  const ReadReport& read_report_;
  bool several_;
  const std::string& root_;
  RunOnce& once_;
  int readable_ = 0;
};

void take_over(sys::ChildResult&& child, RunOnce& once) {
  once.result.end = run_end(child.end);
  once.result.code = child.code;
  once.result.use = child.use;
  once.result.output_tail = child.output.last_lines(kTailLines);
  once.output = std::move(child.output);
  once.result.leaked = named(child.leaked);
  once.result.unended = named(child.unended);
  once.evidence.wall_ms = child.use.wall.count();
  if (child.end == sys::ChildEnd::failed_to_start || child.end == sys::ChildEnd::lost) {
    once.start_error = child.code;
    once.start_problem = std::move(child.start_problem);
  }
}

}  // namespace

RunEnd run_end(sys::ChildEnd end) {
  switch (end) {
    case sys::ChildEnd::exited: return RunEnd::exited;
    case sys::ChildEnd::signalled: return RunEnd::signalled;
    case sys::ChildEnd::timed_out: return RunEnd::timed_out;
    case sys::ChildEnd::failed_to_start: return RunEnd::failed_to_start;
    case sys::ChildEnd::interrupted: return RunEnd::interrupted;
    case sys::ChildEnd::lost: return RunEnd::lost;
  }
  return RunEnd::failed_to_start;
}

std::string report_path(const HuntPlan& plan, int run) {
  if (plan.junit.empty()) return "";
  namespace fs = std::filesystem;
  const auto path = fs::path(plan.directory) / expand_run(plan.junit, run);
  std::error_code no_folder;  // a working folder that was deleted: the path stays relative, and the run will say it
  const auto here = fs::current_path(no_folder);
  return (here / path).lexically_normal().string();
}

bool has_own_place(const HuntPlan& plan, const std::string& path) {
  if (!plan.isolation) return false;
  const auto base = is_glob(path) ? glob_base(path) : path;
  const auto within = [&](const std::string& folder) { return !folder.empty() && path.starts_with(folder + "/"); };
  const auto& isolation = plan.isolation->isolation;
  const auto reaches = [&](const std::string& mount) {
    return sys::is_within(base, mount) || (is_glob(path) && sys::is_within(mount, base));
  };
  const auto& shared = plan.isolation->shared;
  if (std::any_of(shared.begin(), shared.end(), reaches)) return false;
  if (within(plan.isolation->tree)) return isolation.fs;
  return isolation.tmp && within("/tmp");
}

bool has_own_network(const HuntPlan& plan) { return plan.isolation && plan.isolation->isolation.net; }

std::string isolation_of(const HuntPlan& plan) {
  return plan.isolation ? sys::to_string(plan.isolation->isolation) : "none";
}

RunFacts facts_of(const RunResult& result) {
  return {result.run,  result.end,           result.code, result.report, result.report_problem,
          result.mode, !result.tests.empty()};
}

bool RunResult::failed() const {
  return counts.failures + counts.errors > 0 || end != RunEnd::exited || code != 0 || worth == RunWorth::unsound;
}

Result<PreparedRun> prepare_run(const HuntPlan& plan, const HuntHost& host, const RunOrder& order,
                                std::shared_ptr<const ReportSlot> shared) {
  PreparedRun run;
  run.order = order;
  run.slot = std::move(shared);
  if (const auto path = report_path(plan, order.run); !path.empty() && !run.slot) {
    auto slot = ReportSlot::prepare(path);
    if (!slot) return slot.error();
    run.slot = std::make_shared<ReportSlot>(std::move(slot).value());
  }
  run.spec = child_spec(plan, order);
  run.started = host.clock.unix_millis();
  return run;
}

RunOnce finish_run(const HuntHost& host, const PreparedRun& run, sys::ChildResult&& child, const std::string& root) {
  RunOnce once;
  once.result.run = once.evidence.run = run.order.run;
  once.result.mode = once.evidence.mode = run.order.mode;
  once.result.purpose = run.order.purpose;
  once.result.tests = run.order.tests;
  once.result.started = once.evidence.started = run.started;
  once.evidence.narrowed = !run.order.tests.empty();
  take_over(std::move(child), once);
  if (run.slot && has_ended(once.result.end)) {
    Reading(host.read_report, run.slot->is_for_several(), root, once).read(run.slot->collect(root));
  }
  return once;
}

}  // namespace flakestat::run
