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
  if (!is_new) out.push_back({entry.line, FindingKind::duplicate, entry.pattern, "says the same as line " + std::to_string(first->second)});
  if (entry.expired_on(today)) out.push_back({entry.line, FindingKind::expired, entry.pattern, expired_message(entry)});
  if (entry.expires && *entry.expires - today > kLongestQuarantine) {
    out.push_back({entry.line, FindingKind::too_long, entry.pattern,
                   "expires=" + format_day(*entry.expires) + " is more than a year away"});
  }
}

void sort_by_line(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
}

// The worst state of an entry's tests, and since when all of them are clean.
struct State {
  bool troubled = false;  // flaky, suspect or broken now, or its newest results are failures
  bool ran = true;        // every one of them passed within the retention
  UnixMillis clean_since = 0;
  UnixMillis last_pass = 0;
};

State state_of(const std::vector<const KnownTest*>& tests, UnixMillis window_start) {
  State state;
  for (const auto* test : tests) {
    const bool bad_verdict = test->verdict == Verdict::flaky || test->verdict == Verdict::suspect ||
                             test->verdict == Verdict::consistently_failing;
    state.troubled |= bad_verdict || test->last_failure > test->last_pass;
    state.ran &= test->last_pass > 0 && test->last_pass >= window_start;
    state.clean_since = std::max({state.clean_since, test->last_failure, test->first_seen});
    state.last_pass = std::max(state.last_pass, test->last_pass);
  }
  return state;
}

UnixMillis start_of(Day day) { return std::chrono::duration_cast<std::chrono::milliseconds>(day.time_since_epoch()).count(); }

std::optional<Finding> review(const QuarantineEntry& entry, const std::vector<const KnownTest*>& tests, UnixMillis now,
                              std::chrono::milliseconds retention) {
  const auto finding = [&](FindingKind kind, std::string message) {
    return Finding{entry.line, kind, entry.pattern, std::move(message)};
  };
  if (tests.empty()) return finding(FindingKind::unknown, "names no known test");
  const auto state = state_of(tests, now - retention.count());
  if (!state.ran) {
    const auto since = state.last_pass == 0 ? std::string("it has never passed") : "last passed on " + format_day(day_of(state.last_pass));
    if (state.troubled) return std::nullopt;
    return finding(FindingKind::not_run, "has not run lately (" + since + "): that is not taken for healthy");
  }
  if (state.troubled) return std::nullopt;
  const auto clean_since = std::max(state.clean_since, entry.added ? start_of(*entry.added) : 0);
  const auto day = format_day(day_of(clean_since));
  if (now - clean_since >= retention.count()) return finding(FindingKind::recovered, "has run without a failure since " + day);
  return finding(FindingKind::passing, "has passed since " + day + ", which is not long enough to be sure");
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
  for (const auto& problem : document.problems) out.push_back({problem.line, FindingKind::unreadable, {}, problem.message});
  const auto list = QuarantineList::of(document);
  std::map<std::string, std::size_t> seen;
  for (const auto& entry : list.entries()) find_mistakes_of(entry, today, seen, out);
  if (!known.empty()) {
    const auto named = named_tests(list, known);
    for (std::size_t i = 0; i < named.size(); ++i) {
      const auto& entry = list.entries()[i];
      if (named[i].empty()) out.push_back({entry.line, FindingKind::unknown, entry.pattern, "names no known test"});
    }
  }
  sort_by_line(out);
  return out;
}

std::vector<Finding> review_entries(const QuarantineDocument& document, std::span<const KnownTest> known, UnixMillis now,
                                    std::chrono::milliseconds retention) {
  std::vector<Finding> out;
  const auto list = QuarantineList::of(document);
  const auto named = named_tests(list, known);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto& entry = list.entries()[i];
    if (entry.expired_on(day_of(now))) out.push_back({entry.line, FindingKind::expired, entry.pattern, expired_message(entry)});
    if (auto found = review(entry, named[i], now, retention)) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace flakestat::rules
