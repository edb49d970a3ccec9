#include "report/selection.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::report {
namespace {

bool is_broken(const TestScore& test) { return test.verdict == Verdict::consistently_failing; }

bool is_worth_a_row(const TestScore& test, const ReportOptions& options) {
  return options.all || test.verdict == Verdict::flaky || test.verdict == Verdict::suspect || is_broken(test);
}

// Whether a test is shown before `top` is looked at; counts those that only the severity limit hides.
bool passes_filters(const TestScore& test, const ReportOptions& options, std::size_t& below_severity) {
  if (!is_worth_a_row(test, options)) return false;
  if (!options.severity || is_broken(test) || test.lower_bound >= *options.severity) return true;
  ++below_severity;
  return false;
}

bool holds_broken(const Entry& entry) {
  return std::any_of(entry.shown.begin(), entry.shown.end(), [](const TestScore* test) { return is_broken(*test); });
}

void cut_to_top(Selection& selection, std::size_t top) {
  std::vector<Entry> kept;
  for (std::size_t i = 0; i < selection.entries.size(); ++i) {
    auto& entry = selection.entries[i];
    if (i < top || holds_broken(entry)) kept.push_back(std::move(entry));
    else ++selection.beyond_top;
  }
  selection.entries = std::move(kept);
}

void add_tests(Selection& selection, std::span<const TestScore> tests, const ReportOptions& options) {
  for (const auto& test : tests) {
    if (passes_filters(test, options, selection.below_severity))
      selection.entries.push_back({&test, std::nullopt, {&test}});
  }
}

void add_families(Selection& selection, std::span<const TestScore> tests, const ReportOptions& options) {
  for (auto& family : group_families(tests)) {
    Entry entry;
    for (const auto* member : family.members) {
      if (passes_filters(*member, options, selection.below_severity)) entry.shown.push_back(member);
    }
    if (entry.shown.empty()) continue;
    entry.family = std::move(family);
    selection.entries.push_back(std::move(entry));
  }
}

}  // namespace

Selection select_entries(std::span<const TestScore> tests, const ReportOptions& options) {
  Selection selection;
  if (options.by_family) add_families(selection, tests, options);
  else add_tests(selection, tests, options);
  if (options.top) cut_to_top(selection, *options.top);
  return selection;
}

std::vector<const TestScore*> shown_tests(const Selection& selection) {
  std::vector<const TestScore*> tests;
  for (const auto& entry : selection.entries) tests.insert(tests.end(), entry.shown.begin(), entry.shown.end());
  std::sort(tests.begin(), tests.end());  // they point into one array that is worst first
  return tests;
}

}  // namespace flakestat::report
