#include "formats/junit_suites.hpp"

#include <algorithm>

namespace flakestat::formats {

std::string_view OpenSuites::view(Range Suite::*range) const {
  if (suites_.empty()) return {};
  const Range& where = suites_.back().*range;
  return std::string_view(names_).substr(where.at, where.size);
}

OpenSuites::Range OpenSuites::keep(std::string_view text, Range inherited) {
  if (text.empty() || names_.size() + text.size() > kMaxNames) return inherited;
  const Range kept{names_.size(), text.size()};
  names_ += text;
  return kept;
}

void OpenSuites::push(std::size_t depth, const SuiteTag& tag, const Counts& counts) {
  const auto inherited_start = next_start();
  const Suite outer = suites_.empty() ? Suite{} : suites_.back();
  Suite suite;
  suite.depth = depth;
  suite.names_before = names_.size();
  suite.name = keep(tag.name, outer.name);
  suite.file = keep(tag.file, outer.file);
  suite.lent = outer.lent;
  suite.start = tag.stamp ? tag.stamp : inherited_start;
  if (tag.seconds) suite.total_ms = *tag.seconds * 1000;
  suite.claimed_tests = tag.claimed_tests;
  suite.claimed_failures = tag.claimed_failures;
  suite.states_skips = tag.states_skips;
  suite.tests_before = counts.tests;
  suite.failures_before = counts.failures + counts.errors;
  suite.quarantined_before = counts.quarantined;
  suites_.push_back(suite);
}

std::optional<ClaimMismatch> OpenSuites::pop(const Counts& counts) {
  const Suite suite = suites_.back();
  const std::uint64_t tests = counts.tests - suite.tests_before;
  const std::uint64_t failures = counts.failures + counts.errors - suite.failures_before;
  const std::uint64_t unexcused = failures - (counts.quarantined - suite.quarantined_before);
  std::optional<ClaimMismatch> mismatch;
  const auto claimed = suite.claimed_failures.value_or(failures);
  if (suite.claimed_tests.value_or(tests) != tests || (claimed != failures && claimed != unexcused)) {
    mismatch = {std::string(name()), suite.claimed_tests.value_or(tests), tests,
                suite.claimed_failures.value_or(failures), failures};
  }
  suites_.pop_back();
  names_.resize(suite.names_before);
  if (suite.owns_lent) lent_.pop_back();
  if (!suites_.empty()) {
    suites_.back().elapsed_ms += suite.elapsed_ms;
    suites_.back().elapsed_known = suites_.back().elapsed_known && suite.elapsed_known;
  }
  return mismatch;
}

const SharedDimensions& OpenSuites::properties() const {
  static const SharedDimensions kNone;
  return suites_.empty() || suites_.back().lent < 0 ? kNone
                                                    : lent_[static_cast<std::size_t>(suites_.back().lent)].properties;
}

std::string_view OpenSuites::run_id() const {
  if (suites_.empty() || suites_.back().lent < 0) return {};
  return lent_[static_cast<std::size_t>(suites_.back().lent)].run_id;
}

/// The innermost suite's own copy of what it lends: changed by its properties, gone with it.
OpenSuites::Lent& OpenSuites::own_lent() {
  Suite& suite = suites_.back();
  if (!suite.owns_lent) {
    Lent copy = suite.lent < 0 ? Lent{} : lent_[static_cast<std::size_t>(suite.lent)];
    lent_.push_back(std::move(copy));
    suite.lent = static_cast<std::int32_t>(lent_.size() - 1);
    suite.owns_lent = true;
  }
  return lent_.back();
}

void OpenSuites::set_property(std::string_view name, std::string_view value) {
  if (!suites_.empty()) own_lent().properties[std::string(name)] = value;
}

void OpenSuites::set_run_id(std::string_view value) {
  if (!suites_.empty()) own_lent().run_id = value;
}

std::optional<ReportStamp> OpenSuites::next_start() const {
  if (suites_.empty() || !suites_.back().start) return std::nullopt;
  const Suite& suite = suites_.back();
  ReportStamp start = *suite.start;
  if (!suite.elapsed_known) return start;
  const double offset = suite.total_ms ? std::min(suite.elapsed_ms, *suite.total_ms) : suite.elapsed_ms;
  constexpr double kYear = 366.0 * 86400000;  // more is no offset but a unit mistaken
  if (offset < kYear) start.time += static_cast<UnixMillis>(offset);
  return start;
}

void OpenSuites::add_duration(std::optional<double> milliseconds) {
  if (suites_.empty()) return;
  suites_.back().elapsed_ms += milliseconds.value_or(0);
  suites_.back().elapsed_known = suites_.back().elapsed_known && milliseconds.has_value();
}

}  // namespace flakestat::formats
