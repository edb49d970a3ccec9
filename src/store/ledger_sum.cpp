#include "store/ledger_sum.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flakestat::store {
namespace {

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

void add(LedgerEntry& to, const LedgerEntry& entry) {
  to.flaky = add(to.flaky, entry.flaky);
  to.failed = add(to.failed, entry.failed);
  to.last_epoch = std::max(to.last_epoch, entry.last_epoch);
  to.last_failed_epoch = std::max(to.last_failed_epoch, entry.last_failed_epoch);
}

LedgerEntry larger(const LedgerEntry& a, const LedgerEntry& b) {
  return {std::max(a.flaky, b.flaky), std::max(a.failed, b.failed), std::max(a.last_epoch, b.last_epoch),
          std::max(a.last_failed_epoch, b.last_failed_epoch)};
}

// Of one test. Entries without a date stand first, and no pause follows them: nothing says how long ago they were.
LedgerEntry remembered(std::vector<LedgerEntry>& entries, const LedgerAge& age) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.last_epoch < b.last_epoch; });
  LedgerEntry sum;
  for (const auto& entry : entries) {
    if (LedgerAge{entry.last_epoch, age.retention}.forgets(sum.last_epoch)) sum = {};
    add(sum, entry);
  }
  return age.forgets(sum.last_epoch) ? LedgerEntry{} : sum;
}

}  // namespace

LedgerTests tests_of(std::span<const LedgerEvent> events) {
  LedgerTests tests;
  for (const auto& event : events) flakestat::add(tests, event);
  return tests;
}

bool unite(LedgerTests& into, const LedgerTests& other) {
  bool changed = false;
  for (const auto& [id, entry] : other) {
    const auto [at, is_new] = into.try_emplace(id, entry);
    const auto united = larger(at->second, entry);
    changed |= is_new || united != at->second;
    at->second = united;
  }
  return changed;
}

bool unite(LedgerRuns& into, const LedgerRuns& other) {
  bool changed = false;
  for (const auto& [run, tests] : other) {
    const auto [at, is_new] = into.try_emplace(run, tests);
    changed |= is_new || unite(at->second, tests);
  }
  return changed;
}

LedgerTests total(const LedgerRuns& runs) {
  LedgerTests sum;
  for (const auto& [run, tests] : runs) {
    for (const auto& [id, entry] : tests) add(sum[id], entry);
  }
  return sum;
}

LedgerTests remembered(const LedgerRuns& runs, const LedgerAge& age) {
  std::unordered_map<std::string_view, std::vector<LedgerEntry>> by_test;
  for (const auto& [run, tests] : runs) {
    for (const auto& [id, entry] : tests) by_test[id].push_back(entry);
  }
  LedgerTests found;
  for (auto& [id, entries] : by_test) {
    if (const auto entry = remembered(entries, age); entry != LedgerEntry{}) found.emplace(id, entry);
  }
  return found;
}

LedgerTests excess(const LedgerTests& ledger, const LedgerTests& known) {
  LedgerTests beyond;
  for (const auto& [id, entry] : ledger) {
    const auto at = known.find(id);
    const auto base = at == known.end() ? LedgerEntry{} : at->second;
    if (larger(entry, base) == base) continue;
    beyond[id] = {entry.flaky - std::min(entry.flaky, base.flaky), entry.failed - std::min(entry.failed, base.failed),
                  entry.last_epoch, entry.last_failed_epoch};
  }
  return beyond;
}

LedgerTests without_forgotten(const LedgerTests& tests, const LedgerAge& age) {
  LedgerTests kept;
  for (const auto& [id, entry] : tests) {
    if (!age.forgets(entry.last_epoch)) kept.emplace(id, entry);
  }
  return kept;
}

}  // namespace flakestat::store
