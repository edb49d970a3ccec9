// Where a test's failures concentrate (design, section 6): asked for every verdict, part of none. Says where, never
// why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stats/trace.hpp"

namespace flakestat::stats {

struct FailureCount {
  std::uint64_t runs = 0;
  std::uint64_t fails = 0;

  [[nodiscard]] double rate() const { return runs == 0 ? 0 : static_cast<double>(fails) / static_cast<double>(runs); }
};

using KeyValue = std::pair<std::string, std::string>;

/// How often the test failed where a dimension had this value; the value is empty where the dimension was not given.
struct DimensionValue {
  KeyValue pair;
  FailureCount count;
};

/// Values in which failures concentrate. Several: they split the observations alike (nine in ten at least), so that the
/// data cannot tell them apart.
struct Association {
  std::vector<KeyValue> values;  ///< the one with the smallest q first; the counts are its own
  FailureCount group;
  FailureCount rest;
  double difference = 0;  ///< of the two failure rates
  double p_value = 1;
  double q_value = 1;
  bool strong = false;  ///< difference >= 0.15; else it is a candidate
};

struct Associations {
  std::vector<Association> found;      ///< strongest first
  std::vector<DimensionValue> values;  ///< of every dimension, by key, then the most failing value first
  FailureCount all;
  std::size_t tested = 0;  ///< values with enough observations inside and outside
};

inline constexpr std::uint64_t kLeastObservations = 10;
inline constexpr std::int64_t kCandidatePercent = 10;  ///< points between the two failure rates
inline constexpr std::int64_t kStrongPercent = 15;
inline constexpr double kMostFalseDiscoveries = 0.01;
inline constexpr double kSameSplit = 0.90;
inline constexpr std::size_t kMostAssociations = 32;

/// Looks at the first tries outside outages: reruns are chosen by failures, and what failed an outage is its job. Every
/// dimension counts except provenance; the branch is none. Fisher's exact test, one-sided, for each value with at least
/// 10 observations inside and outside; q by Benjamini and Hochberg over the values of this test.
[[nodiscard]] Associations find_associations(const Trace& trace);

/// The same of counts by place; what `find_associations` hands on.
struct PlaceCount {
  TracedPlace place;
  FailureCount count;
};
[[nodiscard]] Associations find_associations(const std::vector<PlaceCount>& places);

}  // namespace flakestat::stats
