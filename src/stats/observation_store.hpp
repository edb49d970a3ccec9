// All observations of a log, interned and compact: what History keeps between `add` and `score`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/observation.hpp"
#include "stats/intern.hpp"
#include "stats/records.hpp"

namespace flakestat::stats {

/// Distinct dimension objects. Equal JSON text means equal dimensions; unequal text may still mean equal ones.
class DimensionTable {
 public:
  [[nodiscard]] std::uint32_t intern(const ObservationView& observation);
  [[nodiscard]] std::uint32_t size() const { return texts_.size(); }
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> pairs(std::uint32_t number) const;
  [[nodiscard]] std::string_view text(std::uint32_t number) const { return texts_.text(number); }

 private:
  TextTable texts_;
  std::vector<std::vector<std::pair<std::string, std::string>>> pairs_;
};

struct ObservationStore {
  TestTable tests;
  TextTable runs;
  TextTable commits;  ///< commits and codes: one table, so that a code equal to its commit has its number
  TextTable branches;
  DimensionTable dimensions;
  std::vector<Group> groups;
  std::vector<Record> records;
  std::vector<std::uint64_t> exec_keys;  ///< beside `records`; 0: the line had none

  void add(const ObservationView& observation);

  [[nodiscard]] UnixMillis time(std::uint32_t record) const {
    return time_of(records[record], groups[records[record].group]);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(records.size()); }

  /// A total order by content, never by position: time, run, commit, code, branch, dimensions, place, status, marks.
  /// Records that it cannot tell apart are the same in everything that is scored.
  [[nodiscard]] bool content_less(std::uint32_t a, std::uint32_t b) const;

 private:
  struct GroupHash {
    std::size_t operator()(const Group& group) const;
  };
  [[nodiscard]] std::uint32_t intern_group(const Group& group);

  static constexpr std::size_t kRecent = 4;
  std::unordered_map<Group, std::uint32_t, GroupHash> group_numbers_;
  std::array<std::uint32_t, kRecent> recent_groups_{};
  std::size_t next_recent_ = 0;
};

}  // namespace flakestat::stats
