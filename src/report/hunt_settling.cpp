#include "report/hunt_settling.hpp"

#include <algorithm>
#include <array>

#include "report/explain_sections.hpp"
#include "report/score_json.hpp"
#include "report/words.hpp"
#include "stats/detectability.hpp"
#include "text/escape.hpp"
#include "text/table.hpp"

namespace flakestat::report {
namespace {

using text::Align;

constexpr std::size_t kMostRows = 10;

std::uint64_t runs_of(const HuntedTest& test) { return test.passes + test.fails; }

stats::Interval interval_of(const HuntGoal& goal, const HuntedTest& test) {
  const auto runs = runs_of(test);
  return goal.any_stop ? stats::interval_under_stopping(test.fails, runs) : stats::exact_interval(test.fails, runs);
}

double rate_of(const HuntedTest& test) {
  return runs_of(test) == 0 ? 0 : static_cast<double>(test.fails) / static_cast<double>(runs_of(test));
}

std::vector<const HuntedTest*> with(const HuntGoal& goal, HuntStanding standing) {
  std::vector<const HuntedTest*> found;
  for (const auto& test : goal.tests) {
    if (test.standing == standing) found.push_back(&test);
  }
  return found;
}

std::string shown_name(const HuntedTest& test) { return display_name(test.suite, test.class_name, test.name); }

std::string what_is_ruled_out(std::uint64_t clean, const std::optional<double>& rule_out) {
  const bool reached = rule_out && clean >= stats::runs_to_rule_out(*rule_out);
  return reached ? "failure rates of " + percent(*rule_out) + " and more are ruled out at 95 %"
                 : "failure rates above " + percent_up(stats::ruled_out_above(clean)) + " are ruled out at 95 %";
}

// The least that holds for all of them.
std::uint64_t fewest_passes(const std::vector<const HuntedTest*>& tests) {
  std::uint64_t fewest = tests.front()->passes;
  for (const auto* test : tests) fewest = std::min(fewest, test->passes);
  return fewest;
}

std::string settled_lines(const HuntGoal& goal) {
  std::string out;
  if (const auto clean = with(goal, HuntStanding::clean); !clean.empty()) {
    out += "settled: " + counted(clean.size(), "test") +
           " never failed: " + what_is_ruled_out(fewest_passes(clean), goal.rule_out) + "\n";
  }
  if (const auto flaky = with(goal, HuntStanding::disagreed); !flaky.empty()) {
    const auto contended = static_cast<std::size_t>(
        std::count_if(flaky.begin(), flaky.end(), [](const HuntedTest* test) { return test->contended; }));
    out += "settled: " + counted(flaky.size(), "test") + " passed and failed";
    if (contended > 0) out += ", " + std::to_string(contended) + " of them without proof (contended)";
    out += "\n";
  }
  if (const auto broken = with(goal, HuntStanding::broken); !broken.empty()) {
    std::uint64_t fewest = broken.front()->fails;
    for (const auto* test : broken) fewest = std::min(fewest, test->fails);
    out += "settled: " + counted(broken.size(), "test") + " always failed, " + counted(fewest, "time") +
           (broken.size() > 1 ? " or more" : "") + ": pass rates above " + percent_up(stats::ruled_out_above(fewest)) +
           " are ruled out at 95 %\n";
  }
  return out;
}

std::string open_row(const HuntedTest& test) {
  return "  " + text::escape_terminal(shown_name(test)) + ": " +
         (test.fails > 0 ? counted(test.fails, "failure") + " and no pass" : counted(test.passes, "clean run")) + ", " +
         std::to_string(test.more_runs) + " more would settle it\n";
}

std::string open_lines(const HuntGoal& goal) {
  auto open = with(goal, HuntStanding::open);
  if (open.empty()) return {};
  int most = 0;
  for (const auto* test : open) most = std::max(most, test->more_runs);
  std::string out = "not settled: " + counted(open.size(), "test") + "; " +
                    counted(static_cast<std::uint64_t>(most), "more run") + " with the same results would settle " +
                    (open.size() == 1 ? "it" : "all of them") + "\n";
  std::stable_sort(open.begin(), open.end(), [](const auto* a, const auto* b) { return a->more_runs > b->more_runs; });
  for (std::size_t i = 0; i < std::min(open.size(), kMostRows); ++i) out += open_row(*open[i]);
  if (open.size() > kMostRows) out += "  and " + std::to_string(open.size() - kMostRows) + " more\n";
  return out;
}

void write_test(text::JsonWriter& json, const HuntGoal& goal, const HuntedTest& test) {
  const auto interval = interval_of(goal, test);
  json.begin_object().field("test_id", to_hex(test.test_id)).field("suite", test.suite);
  json.field("class", test.class_name).field("name", test.name);
  json.field("standing", to_string(test.standing)).field("passes", test.passes).field("fails", test.fails);
  json.field("rate", rate_of(test)).field("lower", interval.lower).field("upper", interval.upper);
  json.field("interval", goal.any_stop ? "any-stop" : "exact").field("more_runs", test.more_runs);
  json.field("contended", test.contended);
  json.end_object();
}

}  // namespace

std::string_view to_string(HuntStanding standing) {
  static constexpr std::array<std::string_view, 4> kWords = {"open", "disagreed", "clean", "broken"};
  return kWords[static_cast<std::size_t>(standing)];
}

std::string plan_line(const HuntGoal& goal) {
  const auto runs = static_cast<std::uint64_t>(std::max(goal.runs, 0));
  std::string out = goal.settle ? "up to " + counted(runs, "run") + ", each test until it is settled"
                                : counted(runs, "run") + " of every test";
  out += ": in a test that never fails, " + what_is_ruled_out(runs, goal.rule_out);
  if (!goal.selecting.empty()) out += "; later runs name the open tests alone (" + goal.selecting + ")";
  if (goal.max_time_ms) out += "; no run is begun that would end after " + format_duration(*goal.max_time_ms);
  return out;
}

std::string pace_line(std::int64_t first_run_ms, int runs_left, int at_once) {
  const auto rounds = (std::max(runs_left, 0) + std::max(at_once, 1) - 1) / std::max(at_once, 1);
  return "the first run took " + format_duration(first_run_ms) + ": at most " +
         counted(static_cast<std::uint64_t>(std::max(runs_left, 0)), "more run") + ", about " +
         format_duration(first_run_ms * rounds);
}

std::string hunt_rates(const HuntGoal& goal, const text::Look& look) {
  auto flaky = with(goal, HuntStanding::disagreed);
  if (flaky.empty()) return {};
  std::stable_sort(flaky.begin(), flaky.end(), [](const auto* a, const auto* b) { return rate_of(*a) > rate_of(*b); });
  text::Table table({{"FAILED", Align::right}, {"RATE", Align::right}, {"95 %", Align::left}, {"TEST", Align::left}});
  for (std::size_t i = 0; i < std::min(flaky.size(), kMostRows); ++i) {
    const auto& test = *flaky[i];
    const auto interval = interval_of(goal, test);
    table.add_row({{std::to_string(test.fails) + " of " + std::to_string(runs_of(test))},
                   {percent(rate_of(test))},
                   {percent(interval.lower) + " to " + percent(interval.upper)},
                   {shown_name(test) + (test.contended ? " (contended)" : "")}});
  }
  std::string out = "failure rates in this hunt (";
  out += goal.any_stop ? "intervals that hold although results may have decided when to stop"
                       : "exact intervals: the results did not decide how many runs there are";
  out += ")\n" + table.render(look);
  if (flaky.size() > kMostRows) out += "and " + std::to_string(flaky.size() - kMostRows) + " more\n";
  if (std::any_of(flaky.begin(), flaky.end(), [](const HuntedTest* test) { return test->contended; })) {
    out += "(contended): no proof; not the rate of a run alone and whole\n";
  }
  return out;
}

std::string hunt_end(const HuntGoal& goal) {
  if (!goal.has_target()) return {};
  auto out = settled_lines(goal);
  if (goal.out_of_time) out += "ended by --max-time " + format_duration(goal.max_time_ms.value_or(0)) + "\n";
  return out + open_lines(goal);
}

void write_goal(text::JsonWriter& json, const HuntGoal& goal) {
  json.key("goal").begin_object().field("runs", goal.runs);
  json.field("rule_out", goal.rule_out).field("settle", goal.settle).field("max_time_ms", goal.max_time_ms);
  write_known(json.key("selecting"), goal.selecting);
  json.field("narrowed_runs", goal.narrowed_runs).field("settled", goal.settled);
  json.end_object();
  json.key("tests").begin_array();
  for (const auto& test : goal.tests) write_test(json, goal, test);
  json.end_array();
}

}  // namespace flakestat::report
