#include "dispatch/shards.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "dispatch/work_plan.hpp"

namespace flakestat::dispatch {
namespace {

constexpr double kMostSeconds = 1e6;  // the sum of any suite fits into 64 bits
constexpr std::size_t kMostElsewhereBytes = std::size_t{4} << 20;

// Integers: their sums do not depend on an order.
std::vector<std::uint64_t> microseconds_of(const std::vector<ShardTest>& tests) {
  std::vector<ScheduledTest> timed(tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) timed[i].seconds = tests[i].seconds;
  std::vector<std::uint64_t> all;
  all.reserve(tests.size());
  for (const auto seconds : expected_costs(timed).of) {
    all.push_back(static_cast<std::uint64_t>(std::llround(std::min(seconds, kMostSeconds) * 1e6)));
  }
  return all;
}

struct File {
  std::string_view name;
  std::uint64_t cost = 0;
  std::vector<std::size_t> tests{};
};

std::vector<File> files_of(const std::vector<ShardTest>& tests, const std::vector<std::uint64_t>& costs) {
  std::vector<File> files;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto name = file_of(tests[i].id);
    const auto [place, is_new] = places.try_emplace(name, files.size());
    if (is_new) files.push_back({.name = name});
    files[place->second].cost += costs[i];
    files[place->second].tests.push_back(i);
  }
  return files;
}

void hash_partition(const std::vector<ShardTest>& tests, const std::vector<std::uint64_t>& costs, Partition& out) {
  std::vector<std::size_t> order(tests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) { return std::tuple(tests[i].id, costs[i], out.shard_of[i]); };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  std::vector<std::string_view> names;
  names.reserve(order.size());
  Sha256 whole;
  whole.update("flakestat shards 1\n").update_prefixed(std::to_string(out.n));
  for (const auto i : order) {
    names.push_back(tests[i].id);
    whole.update_prefixed(tests[i].id).update_prefixed(std::to_string(costs[i]));
    whole.update_prefixed(std::to_string(out.shard_of[i]));
  }
  out.collected_hash = hash_of_names(names);
  out.partition_hash = hex_prefix(whole.finish(), 32);
}

}  // namespace

Result<Shard> parse_shard(std::string_view text) {
  const auto parts = split(text, '/');
  if (parts.size() == 2) {
    const auto k = number_in<int>(parts[0]);
    const auto n = number_in<int>(parts[1]);
    if (k && n && *n <= kMostShards && *k >= 1 && *k <= *n) return Shard{*k, *n};
  }
  return Error{ErrorKind::usage,
               in_quotes(text) + " is no shard: K/N, with K from 1 to N and N up to " + std::to_string(kMostShards)};
}

Partition partition(const std::vector<ShardTest>& tests, int n) {
  Partition made;
  made.n = n;
  made.shard_of.assign(tests.size(), 1);
  const auto costs = microseconds_of(tests);
  auto files = files_of(tests, costs);
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return std::pair(b.cost, a.name) < std::pair(a.cost, b.name); });
  using Load = std::pair<std::uint64_t, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> shards;
  for (int k = 1; k <= n; ++k) shards.emplace(0, k);
  for (const auto& file : files) {
    const auto [load, k] = shards.top();
    shards.pop();
    for (const auto test : file.tests) made.shard_of[test] = k;
    shards.emplace(load + file.cost, k);
  }
  hash_partition(tests, costs, made);
  return made;
}

std::vector<std::size_t> tests_of(const Partition& partition, int k) {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < partition.shard_of.size(); ++i) {
    if (partition.shard_of[i] == k) own.push_back(i);
  }
  return own;
}

ShardManifest begin_manifest(const Partition& partition, const std::vector<ShardTest>& tests, Shard shard) {
  ShardManifest made;
  made.k = shard.k;
  made.n = shard.n;
  made.collected_count = tests.size();
  made.collected_hash = partition.collected_hash;
  made.partition_hash = partition.partition_hash;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool own = partition.shard_of[i] == shard.k;
    if (!own) bytes += tests[i].id.size();
    (own ? made.ids : made.elsewhere).emplace_back(tests[i].id);
  }
  if (bytes > kMostElsewhereBytes) made.elsewhere.clear();
  std::sort(made.ids.begin(), made.ids.end());
  std::sort(made.elsewhere.begin(), made.elsewhere.end());
  made.not_run = made.ids;
  return made;
}

void end_manifest(ShardManifest& manifest, const std::vector<std::string_view>& begun, int exit_code) {
  const std::unordered_set<std::string_view> names(begun.begin(), begun.end());
  std::erase_if(manifest.not_run, [&](const std::string& id) { return names.contains(id); });
  manifest.finished = true;
  manifest.exit_code = exit_code;
}

}  // namespace flakestat::dispatch
