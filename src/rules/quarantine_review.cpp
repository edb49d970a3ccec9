#include "rules/quarantine_review.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace flakestat::rules {
namespace {

// What two entries must share to say the same.
std::string meaning(const QuarantineEntry& entry) {
  auto when = entry.when;
  std::sort(when.begin(), when.end());
  std::string out = entry.pattern;
  for (const auto& [key, value] : when) out.append("\n").append(key).append("=").append(value);
  return out;
}

// The known tests that each entry names, by the entry's index.
std::vector<std::vector<const KnownTest*>> named_tests(const QuarantineList& list, std::span<const KnownTest> known) {
  std::vector<std::vector<const KnownTest*>> named(list.entries().size());
  for (const auto& test : known) {
    for (const auto index : list.entries_naming(test.test)) named[index].push_back(&test);
  }
  return named;
}

std::string expired_message(const QuarantineEntry& entry) {
  return "expired after " + format_day(*entry.expires) + ": renew it, or mend the test and remove the entry";
}

void find_mistakes_of(const QuarantineEntry& entry, Day today, std::map<std::string, std::size_t>& seen,
                      std::vector<Finding>& out) {
  const auto [first, is_new] = seen.emplace(meaning(entry), entry.line);
  if (!is_new)
    out.push_back(
        {entry.line, FindingKind::duplicate, entry.pattern, "says the same as line " + std::to_string(first->second)});
  if (entry.expired_on(today)) out.push_back({entry.line, FindingKind::expired, entry.pattern, expired_message(entry)});
  if (entry.expires && *entry.expires - today > kLongestQuarantine) {
    out.push_back({entry.line, FindingKind::too_long, entry.pattern,
                   "expires=" + format_day(*entry.expires) + " is more than a year away"});
  }
}

// What two entries with the same tests and conditions share, however they spell the name.
std::string reach(const QuarantineEntry& entry, const std::vector<const KnownTest*>& tests) {
  auto same = entry;
  same.pattern.clear();
  for (const auto* test : tests) same.pattern += to_hex(test->test.id);
  return meaning(same);
}

void find_mistakes_by_tests(const QuarantineList& list, const std::vector<std::vector<const KnownTest*>>& named,
                            std::vector<Finding>& out) {
  std::map<std::string, const QuarantineEntry*> seen;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto& entry = list.entries()[i];
    if (named[i].empty()) {
      out.push_back({entry.line, FindingKind::unknown, entry.pattern, "names no known test"});
      continue;
    }
    const bool starred = entry.pattern.find('*') != std::string::npos;
    if (starred) continue;
    const auto [first, is_new] = seen.emplace(reach(entry, named[i]), &entry);
    if (is_new || first->second->pattern == entry.pattern) continue;
    out.push_back({entry.line, FindingKind::duplicate, entry.pattern,
                   "names the same test as line " + std::to_string(first->second->line)});
  }
}

void sort_by_line(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
}

// A test that the others have left behind for so long does not run any more.
constexpr std::chrono::milliseconds kLeftBehind = std::chrono::days(7);

// The worst state of an entry's tests.
struct State {
  bool failing = false;             // the newest result of one is a failure
  bool flaky = false;               // one is flaky or suspect by its history
  UnixMillis clean_since = 0;       // since then none has failed
  UnixMillis oldest_last_run = 0;   // the one that has not run for the longest time ran then; 0: never
  UnixMillis oldest_last_pass = 0;  // the same of passes
};

UnixMillis last_run(const KnownTest& test) { return std::max(test.last_pass, test.last_failure); }

State state_of(const std::vector<const KnownTest*>& tests) {
  State state;
  state.oldest_last_run = last_run(*tests.front());
  state.oldest_last_pass = tests.front()->last_pass;
  for (const auto* test : tests) {
    state.failing |= test->verdict == Verdict::consistently_failing || test->last_failure > test->last_pass;
    state.flaky |= test->verdict == Verdict::flaky || test->verdict == Verdict::suspect;
    state.clean_since = std::max({state.clean_since, test->last_failure, test->first_seen});
    state.oldest_last_run = std::min(state.oldest_last_run, last_run(*test));
    state.oldest_last_pass = std::min(state.oldest_last_pass, test->last_pass);
  }
  return state;
}

UnixMillis start_of(Day day) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(day.time_since_epoch()).count();
}

std::string day_text(UnixMillis time) { return format_day(day_of(time)); }

struct ReviewTimes {
  UnixMillis now = 0;
  UnixMillis newest = 0;  // of all known tests' executions
  std::chrono::milliseconds retention{};
};

std::optional<Finding> review(const QuarantineEntry& entry, const std::vector<const KnownTest*>& tests,
                              const ReviewTimes& times) {
  const auto finding = [&](FindingKind kind, std::string message) {
    return Finding{entry.line, kind, entry.pattern, std::move(message)};
  };
  if (tests.empty()) return finding(FindingKind::unknown, "names no known test");
  const auto state = state_of(tests);
  const auto oldest_allowed =
      std::max(times.newest - kLeftBehind.count(), times.now - times.retention.count() - kLeftBehind.count());
  if (state.oldest_last_run == 0) return finding(FindingKind::not_run, "has never run: that is not taken for healthy");
  if (state.oldest_last_run < oldest_allowed) {
    return finding(FindingKind::not_run,
                   "has not run since " + day_text(state.oldest_last_run) + ": that is not taken for healthy");
  }
  if (state.failing) return std::nullopt;
  const auto clean_since = std::max(state.clean_since, entry.added ? start_of(*entry.added) : 0);
  const auto since = "has passed since " + day_text(clean_since);
  if (state.flaky) return finding(FindingKind::passing, since + ", but is flaky by its history");
  const bool long_enough = state.oldest_last_pass - clean_since >= times.retention.count();
  if (long_enough) return finding(FindingKind::recovered, since + ", in every execution");
  const auto days = std::chrono::floor<std::chrono::days>(times.retention).count();
  return finding(FindingKind::passing,
                 since + "; it counts as recovered after " + std::to_string(days) + " days of that");
}

}  // namespace

std::string_view to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::unreadable: return "unreadable";
    case FindingKind::duplicate: return "duplicate";
    case FindingKind::expired: return "expired";
    case FindingKind::too_long: return "too-long";
    case FindingKind::unknown: return "unknown";
    case FindingKind::recovered: return "recovered";
    case FindingKind::passing: return "passing";
    case FindingKind::not_run: return "not-run";
  }
  return "unknown";
}

std::vector<Finding> find_mistakes(const QuarantineDocument& document, std::span<const KnownTest> known, Day today) {
  std::vector<Finding> out;
  for (const auto& problem : document.problems)
    out.push_back({problem.line, FindingKind::unreadable, {}, problem.message});
  const auto list = QuarantineList::of(document);
  std::map<std::string, std::size_t> seen;
  for (const auto& entry : list.entries()) find_mistakes_of(entry, today, seen, out);
  if (!known.empty()) find_mistakes_by_tests(list, named_tests(list, known), out);
  sort_by_line(out);
  return out;
}

std::vector<Finding> review_entries(const QuarantineDocument& document, std::span<const KnownTest> known,
                                    UnixMillis now, std::chrono::milliseconds retention) {
  std::vector<Finding> out;
  const auto list = QuarantineList::of(document);
  const auto named = named_tests(list, known);
  ReviewTimes times{now, 0, retention};
  for (const auto& test : known) times.newest = std::max(times.newest, last_run(test));
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto& entry = list.entries()[i];
    if (entry.expired_on(day_of(now)))
      out.push_back({entry.line, FindingKind::expired, entry.pattern, expired_message(entry)});
    if (auto found = review(entry, named[i], times)) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace flakestat::rules
