// What is to be said of the entries of a quarantine list: mistakes, and tests that have recovered. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/status.hpp"
#include "model/timestamp.hpp"
#include "rules/quarantine_list.hpp"

namespace flakestat::rules {

/// A known test with what the history says of it. Times are 0 when it never happened.
struct KnownTest {
  ListedTest test;
  Verdict verdict = Verdict::insufficient_data;
  UnixMillis first_seen = 0;
  UnixMillis last_pass = 0;
  UnixMillis last_failure = 0;
};

enum class FindingKind : std::uint8_t {
  unreadable,  ///< the line is no entry
  duplicate,   ///< an earlier entry says the same
  expired,     ///< it excuses no longer
  too_long,    ///< it would excuse for more than a year from today
  unknown,     ///< it names no test of the history
  recovered,   ///< its tests ran and passed, from first to last, for at least the retention
  passing,     ///< its tests pass, but not for that long yet, or are still flaky by their history
  not_run,     ///< its tests do not run while others do, or nothing does: that is not healthy
};

[[nodiscard]] std::string_view to_string(FindingKind kind);

struct Finding {
  std::size_t line = 0;
  FindingKind kind = FindingKind::unknown;
  std::string entry;    ///< empty for a line that is none
  std::string message;  ///< without line and entry
};

/// Mistakes: unreadable lines, duplicates, expired and too long entries; with `known`, entries that name no test of it.
/// In the order of the lines.
[[nodiscard]] std::vector<Finding> find_mistakes(const QuarantineDocument& document, std::span<const KnownTest> known,
                                                 Day today);

/// Entries to be thought about: recovered, passing, not run, unknown, expired. An entry that names several tests is as
/// the worst of them; one whose newest results are failures does its work and is not mentioned. Time without executions
/// counts for nothing: the span from the last failure (or the entry's `added=`) to the newest pass is what heals. In
/// the order of the lines.
[[nodiscard]] std::vector<Finding> review_entries(const QuarantineDocument& document, std::span<const KnownTest> known,
                                                  UnixMillis now, std::chrono::milliseconds retention);

}  // namespace flakestat::rules
