#include "stats/message_clusters.hpp"

#include <gtest/gtest.h>

#include "stats/spread.hpp"

namespace flakestat::stats {
namespace {

TEST(MessageClusters, ColourNumbersAndPathsDoNotSplitACluster) {
  MessageClusters clusters;
  clusters.add("timeout after 5s in /tmp/a/x.py", 10);
  clusters.add("\x1b[31mtimeout\x1b[0m after 17s in /tmp/b/y.py", 30);
  clusters.add("timeout after 2s in /tmp/c/z.py", 20);
  clusters.add("connection refused", 5);
  const auto found = clusters.largest(10);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].count, 3U);
  EXPECT_EQ(found[0].first_seen, 10);
  EXPECT_EQ(found[0].last_seen, 30);
  EXPECT_EQ(found[0].shape, "timeout after <n>s in <path>");
  EXPECT_EQ(found[0].example, "\x1b[31mtimeout\x1b[0m after 17s in /tmp/b/y.py") << "the newest";
  EXPECT_EQ(found[1].example, "connection refused");
}

TEST(MessageClusters, OrderOfInputDoesNotMatter) {
  MessageClusters forwards;
  MessageClusters backwards;
  for (int i = 0; i < 50; ++i) forwards.add("message " + std::string(static_cast<std::size_t>(i % 7), 'x'), i / 10);
  for (int i = 49; i >= 0; --i) backwards.add("message " + std::string(static_cast<std::size_t>(i % 7), 'x'), i / 10);
  const auto a = forwards.largest(100);
  const auto b = backwards.largest(100);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].shape, b[i].shape);
    EXPECT_EQ(a[i].example, b[i].example);
    EXPECT_EQ(a[i].count, b[i].count);
  }
}

TEST(MessageClusters, KindsAreBoundedAndTheRestIsCounted) {
  MessageClusters clusters;
  std::string name;
  for (int i = 0; i < 2000; ++i) {
    name.clear();
    for (int rest = i; rest > 0; rest /= 26) name += static_cast<char>('a' + rest % 26);
    clusters.add("kind " + name, i);
  }
  clusters.add("", 1);
  EXPECT_EQ(clusters.kinds(), MessageClusters::kMostKinds);
  EXPECT_EQ(clusters.beyond(), 2000 - MessageClusters::kMostKinds);
  EXPECT_EQ(clusters.without_message(), 1U);
  EXPECT_EQ(clusters.largest(5).size(), 5U);
}

TEST(Spread, QuartilesAreNumbersOfTheSet) {
  EXPECT_EQ(spread_of({}).count, 0U);
  const auto one = spread_of({7});
  EXPECT_EQ(one.lower_quartile, 7);
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.upper_quartile, 7);
  const auto eight = spread_of({8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(eight.lower_quartile, 2);
  EXPECT_EQ(eight.median, 4);
  EXPECT_EQ(eight.upper_quartile, 6);
}

}  // namespace
}  // namespace flakestat::stats
