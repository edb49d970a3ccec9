#include "dispatch/order.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "dispatch/work_plan.hpp"

namespace flakestat::dispatch {
namespace {

std::uint64_t mix(std::uint64_t state) {
  state += 0x9e3779b97f4a7c15U;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebU;
  return state ^ (state >> 31);
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

std::uint64_t shuffle_key(std::uint64_t seed, std::string_view name) { return mix(mix(seed) ^ fnv1a(name)); }

std::vector<std::size_t> shuffled_order(const std::vector<std::string_view>& ids, std::uint64_t seed) {
  struct Keyed {
    std::uint64_t file_key, scope_key, own_key;
    std::string_view file, scope, id;
    std::size_t index;
    [[nodiscard]] auto rank() const { return std::tie(file_key, file, scope_key, scope, own_key, id, index); }
  };
  std::vector<Keyed> all;
  all.reserve(ids.size());
  for (const auto id : ids) {
    const auto file = file_of(id);
    const auto scope = scope_of(id);
    all.push_back(
        {shuffle_key(seed, file), shuffle_key(seed, scope), shuffle_key(seed, id), file, scope, id, all.size()});
  }
  std::sort(all.begin(), all.end(), [](const Keyed& a, const Keyed& b) { return a.rank() < b.rank(); });
  std::vector<std::size_t> order;
  order.reserve(all.size());
  for (const auto& one : all) order.push_back(one.index);
  return order;
}

FailFastOrder fail_fast_order(const std::vector<PastTrouble>& tests) {
  std::vector<ScheduledTest> timed(tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) timed[i].seconds = tests[i].seconds;
  const auto costs = expected_costs(timed).of;
  const auto rank = [&](std::size_t i) {
    const auto& test = tests[i];
    const double troubles = static_cast<double>(test.counts.flaky) + static_cast<double>(test.counts.failed);
    if (test.failed_last) return std::pair(0, costs[i]);
    return troubles > 0 ? std::pair(1, -troubles / costs[i]) : std::pair(2, 0.0);
  };
  FailFastOrder made{std::vector<std::size_t>(tests.size()), 0};
  std::iota(made.order.begin(), made.order.end(), std::size_t{0});
  std::stable_sort(made.order.begin(), made.order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  const auto rest =
      std::partition_point(made.order.begin(), made.order.end(), [&](auto i) { return rank(i).first < 2; });
  made.urgent = static_cast<std::size_t>(rest - made.order.begin());
  return made;
}

}  // namespace flakestat::dispatch
