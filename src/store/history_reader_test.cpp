#include "store/history_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/log_fixture.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;

class HistoryReaderTest : public LogTest {
 protected:
  // The cases of one report; those of a damaged one are marked and have keys of their own, since its bytes differ.
  static std::vector<Observation> report(const std::vector<std::string>& tests, bool damaged) {
    std::vector<Observation> made;
    for (const auto& name : tests) {
      auto o = observation(name);
      o.partial = damaged;
      if (damaged) {
        o.artifact = "ffffffffffffffffffffffffffffffff";
        o.exec_key = to_hex(test_id("damaged", "", name));
      }
      made.push_back(o);
    }
    return made;
  }

  std::vector<std::string> history() {
    std::vector<std::string> found;
    auto stats = read_history(dir_, [&](const ObservationView& view) {
      found.push_back(std::string(view.name) + (view.partial ? " (partial)" : ""));
    });
    EXPECT_TRUE(stats.ok());
    if (stats) stats_ = *stats;
    return found;
  }
};

TEST_F(HistoryReaderTest, AWholeReportSupersedesTheDamagedOneBeforeIt) {
  append(report({"a", "b"}, true));
  EXPECT_THAT(history(), ElementsAre("a (partial)", "b (partial)"));
  append(report({"a", "b", "c"}, false));
  EXPECT_THAT(history(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(stats_.superseded, 2u);
  EXPECT_EQ(stats_.accounted(), stats_.bytes);
}

TEST_F(HistoryReaderTest, TheOrderDoesNotMatter) {
  append(report({"a", "b", "c"}, false));
  append(report({"a", "b"}, true));
  EXPECT_THAT(history(), ElementsAre("a", "b", "c"));
}

TEST_F(HistoryReaderTest, WhatOnlyTheDamagedReportHasStays) {
  append(report({"a", "gone"}, true));
  append(report({"a", "c"}, false));
  EXPECT_THAT(history(), ElementsAre("a", "c", "gone (partial)"));
}

TEST_F(HistoryReaderTest, AnyDifferenceMakesItAnotherExecution) {
  const std::vector<std::function<void(Observation&)>> changes{
      [](Observation& o) { o.ts += 1000; },        [](Observation& o) { o.status = Status::fail; },
      [](Observation& o) { o.duration_ms = 413; }, [](Observation& o) { o.duration_ms.reset(); },
      [](Observation& o) { o.message = "other"; }, [](Observation& o) { o.dimensions["ci.shard"] = "2"; }};
  append(report({"a"}, true));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto other = report({"a"}, false).front();
    other.exec_key = to_hex(i + 1);
    changes[i](other);
    append({other});
  }
  EXPECT_EQ(history().size(), 1 + changes.size());
  EXPECT_EQ(stats_.superseded, 0u);
}

TEST_F(HistoryReaderTest, SelectedTestsOfARunAreNeverTakenForDamage) {
  auto selected = report({"a"}, true);
  selected.front().artifact.clear();
  selected.front().source = Source::run;
  append(selected);
  append(report({"a"}, false));
  EXPECT_THAT(history(), ElementsAre("a (partial)", "a"));
}

}  // namespace
}  // namespace flakestat::store
