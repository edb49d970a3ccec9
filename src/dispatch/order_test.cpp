#include "dispatch/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "dispatch/work_plan.hpp"

namespace flakestat::dispatch {
namespace {

std::vector<std::string> names(int files, int tests) {
  std::vector<std::string> all;
  for (int f = 0; f < files; ++f) {
    for (int t = 0; t < tests; ++t) {
      const std::string scope = t % 3 == 0 ? "" : "::C" + std::to_string(t % 3);
      all.push_back("t/test_" + std::to_string(f) + ".py" + scope + "::test_" + std::to_string(t));
    }
  }
  return all;
}

std::vector<std::string> shuffled(const std::vector<std::string>& all, std::uint64_t seed) {
  std::vector<std::string> out;
  for (const auto index : shuffled_order({all.begin(), all.end()}, seed)) out.push_back(all[index]);
  return out;
}

TEST(Shuffle, ASeedIsTheSameOrderForEver) {
  // Numbers of the documented recipe, computed elsewhere: they may never change.
  EXPECT_EQ(shuffle_key(0, ""), 0x5b21f68ffa77f14cU);
  EXPECT_EQ(shuffle_key(42, "t/test_0.py::test_0"), 0x335afdbdba1e6c49U);
  EXPECT_EQ(shuffled(names(2, 3), 1),
            (std::vector<std::string>{"t/test_0.py::C1::test_1", "t/test_0.py::C2::test_2", "t/test_0.py::test_0",
                                      "t/test_1.py::C2::test_2", "t/test_1.py::C1::test_1", "t/test_1.py::test_0"}));
}

TEST(Shuffle, EveryTestIsThereOnce) {
  const auto all = names(20, 30);
  auto order = shuffled(all, 7);
  EXPECT_NE(order, all);
  std::sort(order.begin(), order.end());
  auto sorted = all;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(order, sorted);
}

TEST(Shuffle, FilesAndClassesStayTogether) {
  const auto order = shuffled(names(10, 30), 99);
  std::set<std::string> files;
  std::set<std::string> scopes;
  std::string file;
  std::string scope;
  for (const auto& id : order) {
    EXPECT_TRUE(file_of(id) == file || files.insert(std::string(file_of(id))).second) << id;
    EXPECT_TRUE(scope_of(id) == scope || scopes.insert(std::string(scope_of(id))).second) << id;
    file = file_of(id);
    scope = scope_of(id);
  }
}

TEST(Shuffle, CollectionOrderDoesNotMatterAndWhatIsLeftOutChangesNothing) {
  auto all = names(10, 30);
  const auto order = shuffled(all, 3);
  std::reverse(all.begin(), all.end());
  EXPECT_EQ(shuffled(all, 3), order);
  std::erase_if(all, [](const std::string& id) { return id.ends_with('4'); });
  auto rest = order;
  std::erase_if(rest, [](const std::string& id) { return id.ends_with('4'); });
  EXPECT_EQ(shuffled(all, 3), rest);
}

TEST(Shuffle, EveryOrderOfThreeFilesIsAsLikely) {
  std::map<std::vector<std::string>, int> seen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) ++seen[shuffled({"a.py::t", "b.py::t", "c.py::t"}, seed)];
  ASSERT_EQ(seen.size(), 6U);
  for (const auto& [order, times] : seen) EXPECT_NEAR(times, 1000, 150) << order[0] << order[1];
}

TEST(Shuffle, EqualNamesAreAllKept) {
  EXPECT_EQ(shuffled_order({"a", "a", ""}, 5).size(), 3U);
  EXPECT_TRUE(shuffled_order({}, 5).empty());
}

TEST(FailFast, LastFailuresThenTroublesPerSecondThenTheRest) {
  const std::vector<PastTrouble> tests{
      {},                                                       // 0
      {.counts = {.flaky = 4, .failed = 0}, .seconds = 2.0},    // 1: 2 a second
      {.failed_last = true, .seconds = 9.0},                    // 2
      {.counts = {.flaky = 1, .failed = 2}, .seconds = 1.0},    // 3: 3 a second
      {.failed_last = true, .counts = {1, 1}, .seconds = 0.5},  // 4
      {.seconds = 0.1},                                         // 5
  };
  const auto made = fail_fast_order(tests);
  EXPECT_EQ(made.order, (std::vector<std::size_t>{4, 2, 3, 1, 0, 5}));
  EXPECT_EQ(made.urgent, 4U);
}

TEST(FailFast, WithoutARecordNothingMoves) {
  const auto made = fail_fast_order({{}, {.seconds = 5.0}, {}});
  EXPECT_EQ(made.order, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(made.urgent, 0U);
  EXPECT_TRUE(fail_fast_order({}).order.empty());
}

TEST(FailFast, HugeCountsDoNotWrapAround) {
  const auto made = fail_fast_order({{.counts = {1, 0}}, {.counts = {UINT64_MAX, UINT64_MAX}}});
  EXPECT_EQ(made.order.front(), 1U);
}

}  // namespace
}  // namespace flakestat::dispatch
