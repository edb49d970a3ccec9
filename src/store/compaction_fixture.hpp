// A rule and verbs for the tests of compaction. Included by *_test.cpp only.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "store/compaction.hpp"
#include "store/log_fixture.hpp"

namespace flakestat::store {

/// Of equal keys the smallest `ts`, then the smallest run_id, then the first: the scorer's rule, for whole records.
class EarliestRule final : public ExecutionRule {
 public:
  void add(const ObservationView& record) override {
    by_key_[std::string(record.exec_key)].emplace_back(record.ts, std::string(record.run_id), count_++);
  }
  std::vector<std::uint32_t> duplicates() override {
    std::vector<std::uint32_t> out;
    for (auto& [key, records] : by_key_) {
      const auto kept = *std::min_element(records.begin(), records.end());
      for (const auto& record : records) {
        if (record != kept) out.push_back(std::get<2>(record));
      }
    }
    return out;
  }

 private:
  using Rank = std::tuple<UnixMillis, std::string, std::uint32_t>;
  std::map<std::string, std::vector<Rank>> by_key_;
  std::uint32_t count_ = 0;
};

class CompactionTest : public LogTest {
 protected:
  Result<CompactResult> try_compact() {
    EarliestRule rule;
    return store::compact(dir_, rule, options_);
  }

  CompactResult compact() {
    auto result = try_compact();
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? *result : CompactResult{};
  }

  std::string rejected() const { return testing::slurp(rejected_path(dir_)); }

  /// The log of these observations, as a writer leaves it.
  std::string lines_of(const std::vector<Observation>& batch) {
    append(batch);
    auto lines = log();
    EXPECT_EQ(::unlink(log_path(dir_).c_str()), 0);
    return lines;
  }

  CompactOptions options_;
};

/// A copy that says the same execution, recorded at another time.
inline Observation again(Observation original, UnixMillis ts, const std::string& run_id = "later") {
  original.ts = ts;
  original.run_id = run_id;
  return original;
}

}  // namespace flakestat::store
