#include "stats/associations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/dimensions.hpp"
#include "stats/fisher.hpp"

namespace flakestat::stats {
namespace {

// Places that differ in provenance only are one: their analysed dimensions, by key.
using Analysed = std::map<std::string, std::string>;

Analysed analysed(const TracedPlace& place) {
  Analysed out;
  for (const auto& [key, value] : place) {
    if (!is_provenance(key)) out[key] = value;
  }
  std::erase_if(out, [](const auto& pair) { return pair.second.empty(); });
  return out;
}

void add(FailureCount& to, const FailureCount& more) {
  to.runs += more.runs;
  to.fails += more.fails;
}

// Everything that is counted: distinct places, and the values that occur in them.
struct Table {
  struct Place {
    std::vector<std::size_t> values;  ///< in Table::values
    FailureCount count;
  };
  std::vector<Place> places;
  std::vector<DimensionValue> values;
  FailureCount all;
};

Table make_table(const std::vector<PlaceCount>& counts) {
  std::map<Analysed, FailureCount> places;
  std::set<std::string> keys;
  for (const auto& [place, count] : counts) {
    auto dimensions = analysed(place);
    for (const auto& [key, value] : dimensions) keys.insert(key);
    add(places[std::move(dimensions)], count);
  }
  Table out;
  std::map<KeyValue, std::size_t> numbers;
  for (const auto& [dimensions, count] : places) {
    auto& place = out.places.emplace_back();
    place.count = count;
    add(out.all, count);
    for (const auto& key : keys) {
      const auto found = dimensions.find(key);
      const KeyValue pair{key, found == dimensions.end() ? std::string{} : found->second};
      const auto [slot, added] = numbers.try_emplace(pair, out.values.size());
      if (added) out.values.push_back({pair, {}});
      add(out.values[slot->second].count, count);
      place.values.push_back(slot->second);
    }
  }
  return out;
}

struct Tested {
  std::size_t value = 0;
  FailureCount rest;
  double p = 1;
  double q = 1;
};

std::vector<Tested> test_values(const Table& table) {
  std::vector<Tested> out;
  std::vector<double> p_values;
  for (std::size_t v = 0; v < table.values.size(); ++v) {
    const auto& group = table.values[v].count;
    const FailureCount rest{table.all.runs - group.runs, table.all.fails - group.fails};
    if (group.runs < kLeastObservations || rest.runs < kLeastObservations) continue;
    const double p = fisher_at_least(group.fails, group.runs, table.all.fails, table.all.runs);
    out.push_back({v, rest, p, 1});
    p_values.push_back(p);
  }
  const auto q_values = false_discovery_rates(p_values);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].q = q_values[i];
  return out;
}

double difference(const Table& table, const Tested& tested) {
  return table.values[tested.value].count.rate() - tested.rest.rate();
}

// In whole numbers: 7 of 20 and 4 of 20 differ by 0.15, which no difference of binary fractions says.
bool differ_by(const FailureCount& a, const FailureCount& b, std::int64_t percent) {
  const auto whole = [](std::uint64_t x) { return static_cast<std::int64_t>(x); };
  const std::int64_t apart = whole(a.fails) * whole(b.runs) - whole(b.fails) * whole(a.runs);
  return 100 * apart >= percent * whole(a.runs) * whole(b.runs);
}

bool is_association(const Table& table, const Tested& tested) {
  // A value that nobody gave is no place where failures could concentrate.
  return !table.values[tested.value].pair.second.empty() && tested.q <= kMostFalseDiscoveries &&
         differ_by(table.values[tested.value].count, tested.rest, kCandidatePercent);
}

// Observations that each of the `chosen` values shares with every value.
using Shared = std::map<std::size_t, std::map<std::size_t, std::uint64_t>>;

Shared count_shared(const Table& table, const std::vector<Tested>& chosen) {
  Shared out;
  for (const auto& tested : chosen) out[tested.value];
  for (const auto& place : table.places) {
    for (const std::size_t value : place.values) {
      const auto row = out.find(value);
      if (row == out.end()) continue;
      for (const std::size_t other : place.values) row->second[other] += place.count.runs;
    }
  }
  return out;
}

bool splits_alike(const Table& table, std::size_t a, std::size_t b, std::uint64_t shared) {
  const std::uint64_t either = table.values[a].count.runs + table.values[b].count.runs - shared;
  return static_cast<double>(shared) >= kSameSplit * static_cast<double>(either);
}

std::vector<Association> collect(const Table& table, const std::vector<Tested>& chosen) {
  const Shared shared = count_shared(table, chosen);
  std::set<std::size_t> taken;
  std::vector<Association> out;
  for (const Tested& tested : chosen) {
    if (!taken.insert(tested.value).second) continue;
    Association& found = out.emplace_back();
    found.values.push_back(table.values[tested.value].pair);
    found.group = table.values[tested.value].count;
    found.rest = tested.rest;
    found.difference = difference(table, tested);
    found.p_value = tested.p;
    found.q_value = tested.q;
    found.strong = differ_by(found.group, found.rest, kStrongPercent);
    for (const auto& [other, together] : shared.at(tested.value)) {
      if (other == tested.value || !splits_alike(table, tested.value, other, together)) continue;
      taken.insert(other);
      found.values.push_back(table.values[other].pair);
    }
  }
  return out;
}

void sort_values(std::vector<DimensionValue>& values) {
  std::sort(values.begin(), values.end(), [](const DimensionValue& a, const DimensionValue& b) {
    if (a.pair.first != b.pair.first) return a.pair.first < b.pair.first;
    const double x = a.count.rate();
    const double y = b.count.rate();
    if (x != y) return x > y;
    return std::tuple(b.count.runs, a.pair.second) < std::tuple(a.count.runs, b.pair.second);
  });
}

}  // namespace

Associations find_associations(const std::vector<PlaceCount>& places) {
  const Table table = make_table(places);
  auto tested = test_values(table);
  Associations out;
  out.all = table.all;
  out.tested = tested.size();
  std::erase_if(tested, [&](const Tested& t) { return !is_association(table, t); });
  std::sort(tested.begin(), tested.end(), [&](const Tested& a, const Tested& b) {
    if (a.p != b.p) return a.p < b.p;
    return table.values[a.value].pair < table.values[b.value].pair;
  });
  if (tested.size() > kMostAssociations) tested.resize(kMostAssociations);
  out.found = collect(table, tested);
  out.values = table.values;
  sort_values(out.values);
  return out;
}

Associations find_associations(const Trace& trace) {
  std::vector<PlaceCount> places;
  for (const auto& place : trace.places) places.push_back({place, {}});
  for (const auto& e : trace.executions) {
    if (!e.first_try || trace.in_outage(e)) continue;
    ++places[e.place].count.runs;
    if (e.failed()) ++places[e.place].count.fails;
  }
  std::erase_if(places, [](const PlaceCount& place) { return place.count.runs == 0; });
  return find_associations(places);
}

}  // namespace flakestat::stats
