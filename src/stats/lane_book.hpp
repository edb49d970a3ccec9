// Where the lanes of many tests live: a column per branch and environment, so that a job, which runs many tests in one
// lane each, reads memory forwards.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "stats/bayes_filter.hpp"

namespace flakestat::stats {

/// One branch in one environment: a lane for every test that ran there. Tests are numbered from 0.
class LaneColumn {
 public:
  LaneColumn(std::uint32_t branch, std::uint32_t environment, bool default_branch)
      : branch_(branch), environment_(environment), default_branch_(default_branch) {}

  [[nodiscard]] const Lane* find(std::uint32_t test) const;
  [[nodiscard]] Lane* find(std::uint32_t test);
  /// The test's lane, or a free one made for it. References stay valid.
  [[nodiscard]] Lane& claim(std::uint32_t test);

  [[nodiscard]] std::uint32_t branch() const { return branch_; }
  [[nodiscard]] std::uint32_t environment() const { return environment_; }
  [[nodiscard]] bool default_branch() const { return default_branch_; }
  [[nodiscard]] std::uint32_t newest_code() const { return newest_code_; }
  void visit(std::uint32_t code) { newest_code_ = code; }

 private:
  static constexpr std::uint32_t kPage = 1024;
  static constexpr std::uint32_t kChunk = 64;
  using Page = std::array<std::uint32_t, kPage>;
  using Chunk = std::array<Lane, kChunk>;

  std::uint32_t branch_;
  std::uint32_t environment_;
  bool default_branch_;
  std::uint32_t newest_code_ = 0;
  std::uint32_t used_ = 0;
  std::vector<std::unique_ptr<Page>> pages_;    ///< test -> its lane's number + 1; 0: none
  std::vector<std::unique_ptr<Chunk>> chunks_;  ///< lanes in the order in which they were made
};

/// The lanes that executions at one visit (branch, environment, code) may belong to. Valid until the next `enter`.
class LaneCursor {
 public:
  /// Identical code in one environment stays in the lane that saw it first, whatever its branch; else the branch's own
  /// lane, free (`branch` is kNone) when it is new or was silent for too long.
  [[nodiscard]] Lane& lane(std::uint32_t test) const;
  /// The same without making or freeing one; null: the lane would be new.
  [[nodiscard]] const Lane* find(std::uint32_t test) const;

 private:
  friend class LaneBook;
  [[nodiscard]] Lane* elsewhere(std::uint32_t test) const;

  std::uint32_t code_ = 0;
  LaneColumn* own_ = nullptr;
  std::vector<LaneColumn*> others_;  ///< other branches on this code in this environment
};

class LaneBook {
 public:
  /// Codes must not go back. Columns silent for too long are dropped with all their lanes.
  [[nodiscard]] const LaneCursor& enter(const Visit& visit);

  /// Calls `see` with every default-branch lane of a test.
  template <class See>
  void for_each_default_lane(std::uint32_t test, See see) const {
    for (const auto& column : columns_) {
      if (!column->default_branch()) continue;
      if (const Lane* lane = column->find(test); lane != nullptr && lane->branch != kNone) see(*lane);
    }
  }

 private:
  void drop_silent(std::uint32_t code);

  std::vector<std::unique_ptr<LaneColumn>> columns_;
  LaneCursor cursor_;
};

}  // namespace flakestat::stats
