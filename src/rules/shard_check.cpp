#include "rules/shard_check.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/strings.hpp"

namespace flakestat::rules {
namespace {

constexpr UnixMillis kOneRun = 24LL * 3600 * 1000;

// What is known of a test over all shards. `times`: as often as a suite holds the name.
struct Seen {
  std::vector<int> given, ran;
  std::size_t times = 0;
};

using Tests = std::map<std::string_view, Seen>;

std::string shard_word(int k) { return "shard " + std::to_string(k); }

std::optional<std::string> reason_to_set_aside(const ShardManifest& one, const ShardManifest& newest) {
  if (one.ci_run != newest.ci_run) return "of another CI run: " + in_quotes(one.ci_run);
  if (one.commit != newest.commit) return "ran on another commit: " + in_quotes(one.commit);
  if (one.started < newest.started - kOneRun) return "begun more than 24 hours before the newest";
  return std::nullopt;
}

// Leaves the newest manifest of each shard, by number.
std::vector<ShardEvidence> choose(std::vector<ShardEvidence> all, std::vector<SetAside>& set_aside) {
  std::sort(all.begin(), all.end(), [](const ShardEvidence& a, const ShardEvidence& b) {
    return std::tie(b.manifest.started, b.manifest.run_id, b.file) <
           std::tie(a.manifest.started, a.manifest.run_id, a.file);
  });
  std::vector<ShardEvidence> chosen;
  std::unordered_map<int, std::string> taken;  // the run_id of a shard's newest manifest
  for (auto& one : all) {
    auto reason = reason_to_set_aside(one.manifest, all.front().manifest);
    const auto later = taken.find(one.manifest.k);
    if (!reason && later != taken.end()) {
      reason = later->second == one.manifest.run_id ? "the same run once more" : "repeated later";
    }
    if (reason) {
      set_aside.push_back({one.file, one.manifest.k, *reason});
    } else {
      taken.emplace(one.manifest.k, one.manifest.run_id);
      chosen.push_back(one);
    }
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& a, const auto& b) { return a.manifest.k < b.manifest.k; });
  return chosen;
}

// Says for each value who has it, when there are several: `shards 1, 3 ...`.
template <class Value>
void demand_one(const std::vector<ShardEvidence>& parts, const char* what, Value value, std::vector<std::string>& out) {
  std::map<std::string, std::string> groups;
  for (const auto& part : parts) {
    auto& group = groups[value(part.manifest)];
    group += (group.empty() ? "" : ", ") + std::to_string(part.manifest.k);
  }
  if (groups.size() < 2) return;
  std::string sentence = std::string("the shards differ in ") + what + ":";
  for (const auto& [text, shards] : groups) sentence += " [" + shards + "] " + text + ";";
  sentence.pop_back();
  out.push_back(std::move(sentence));
}

void find_contradictions(const std::vector<ShardEvidence>& parts, int expected, std::vector<std::string>& out) {
  demand_one(
      parts, "how many there are", [](const auto& one) { return std::to_string(one.n); }, out);
  demand_one(
      parts, "the suite they collected",
      [](const auto& one) {
        return std::to_string(one.collected_count) + " tests, " + one.collected_hash.substr(0, 16);
      },
      out);
  demand_one(
      parts, "who runs what (were the same durations there when they began?)",
      [](const auto& one) { return one.partition_hash.substr(0, 16); }, out);
  for (const auto& [file, one] : parts) {
    if (one.k > expected)
      out.push_back(shard_word(one.k) + " is there, though only " + std::to_string(expected) + " are expected");
    if (!one.finished) out.push_back(shard_word(one.k) + " did not come to its end");
  }
}

// Adds each name of a sorted list with how often it is there.
template <class Use>
void each_name(const std::vector<std::string>& sorted, Use use) {
  for (std::size_t i = 0, end = 0; i < sorted.size(); i = end) {
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    use(std::string_view(sorted[i]), end - i);
  }
}

std::uint64_t take(const ShardManifest& manifest, Tests& tests) {
  std::uint64_t run = 0;
  std::unordered_map<std::string_view, std::size_t> not_run;
  for (const auto& id : manifest.not_run) ++not_run[id];
  each_name(manifest.ids, [&](std::string_view id, std::size_t times) {
    auto& seen = tests[id];
    seen.times = std::max(seen.times, times);
    seen.given.push_back(manifest.k);
    const auto left = not_run.find(id);
    const auto skipped = left == not_run.end() ? 0 : std::min(left->second, times);
    run += times - skipped;
    if (skipped == 0) seen.ran.push_back(manifest.k);
  });
  each_name(manifest.elsewhere, [&](std::string_view id, std::size_t times) {
    auto& seen = tests[id];
    seen.times = std::max(seen.times, times);
  });
  return run;
}

// Of the names that are known; their sum is checked against what was collected.
void sum_up(const Tests& tests, const std::vector<ShardEvidence>& parts, ShardCheck& out) {
  const auto& first = parts.front().manifest;
  std::vector<std::string_view> names;
  std::uint64_t known = 0;
  for (const auto& [id, seen] : tests) {
    known += seen.times;
    names.insert(names.end(), seen.times, id);
    if (!seen.ran.empty()) out.run += seen.times;
    if (seen.ran.size() > 1) out.doubled.push_back({std::string(id), seen.ran});
    if (seen.given.empty()) out.unassigned.emplace_back(id);
    else if (seen.ran.empty()) out.not_run.push_back({std::string(id), seen.given.front()});
  }
  out.collected = first.collected_count;
  out.unnamed = first.collected_count > known ? first.collected_count - known : 0;
  const bool contradicts =
      known > first.collected_count || (known == first.collected_count && hash_of_names(names) != first.collected_hash);
  if (contradicts && out.contradictions.empty()) {
    out.contradictions.emplace_back("the names in the manifests are not those that were collected");
  }
}

}  // namespace

bool ShardCheck::ok() const {
  return !parts.empty() && missing.empty() && contradictions.empty() && doubled.empty() && not_run.empty() &&
         unassigned.empty() && unnamed == 0;
}

ShardCheck check_shards(std::vector<ShardEvidence> evidence, std::optional<int> expect) {
  ShardCheck out;
  const auto parts = choose(std::move(evidence), out.set_aside);
  out.expected = expect.value_or(0);
  if (!expect) {
    for (const auto& part : parts) out.expected = std::max(out.expected, part.manifest.n);
  }
  std::unordered_set<int> there;
  Tests tests;
  for (const auto& [file, one] : parts) {
    there.insert(one.k);
    const auto run = take(one, tests);
    out.parts.push_back(
        {one.k, one.n, one.run_id, file, one.started, one.ids.size(), run, one.finished, one.exit_code});
  }
  for (int k = 1; k <= out.expected; ++k) {
    if (!there.contains(k)) out.missing.push_back(k);
  }
  if (expect && !parts.empty() && parts.front().manifest.n != *expect) {
    out.contradictions.push_back(std::to_string(*expect) + " shards are expected, and the run was divided into " +
                                 std::to_string(parts.front().manifest.n));
  }
  find_contradictions(parts, out.expected, out.contradictions);
  if (!parts.empty()) sum_up(tests, parts, out);
  return out;
}

}  // namespace flakestat::rules
