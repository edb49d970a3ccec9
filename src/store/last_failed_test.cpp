#include "store/last_failed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;
using testing::slurp;

LastFailedNews settled(std::vector<std::pair<std::string, RunFate>> fates) {
  LastFailedNews news;
  for (const auto& [id, fate] : fates) news.collected.push_back(id);
  news.settled = std::move(fates);
  return news;
}

TEST(LastFailed, WhatFailedIsInAndWhatPassedOrWasSkippedGoes) {
  const auto text = merge_last_failed(
      R"({"a.py::passed": true, "a.py::skipped": true, "a.py::xfailed": true, "a.py::xpassed": true,
          "a.py::flaky": true, "a.py::still": true, "b.py::other": true})",
      settled({{"a.py::passed", RunFate::passed},
               {"a.py::skipped", RunFate::skipped},
               {"a.py::xfailed", RunFate::xfailed},
               {"a.py::xpassed", RunFate::xpassed},
               {"a.py::flaky", RunFate::flaky},
               {"a.py::still", RunFate::failed},
               {"a.py::error", RunFate::error},
               {"a.py::quarantined", RunFate::quarantined}}));
  EXPECT_EQ(text,
            "{\n  \"a.py::still\": true,\n  \"b.py::other\": true,\n  \"a.py::error\": true,\n"
            "  \"a.py::quarantined\": true\n}");
}

TEST(LastFailed, NothingIsWrittenWhenNothingChanges) {
  const std::string before = R"({"b": true, "a": true})";
  EXPECT_EQ(merge_last_failed(before, settled({{"a", RunFate::failed}, {"c", RunFate::passed}})), std::nullopt);
  EXPECT_EQ(merge_last_failed("", settled({{"c", RunFate::passed}})), std::nullopt);
}

TEST(LastFailed, TheLastFailureLeavesAnEmptyObject) {
  EXPECT_EQ(merge_last_failed(R"({"a": true})", settled({{"a", RunFate::passed}})), "{}");
}

TEST(LastFailed, WhatIsNoJsonObjectCountsAsEmpty) {
  for (const auto* before : {"", "{", "[1]", "null", "\xff"})
    EXPECT_EQ(merge_last_failed(before, settled({{"a", RunFate::failed}})), "{\n  \"a\": true\n}") << before;
}

TEST(LastFailed, AFileThatCannotBeCollectedIsInUntilItsTestsTakeItsPlace) {
  LastFailedNews broken;
  broken.problems = {"a.py"};
  const auto before = merge_last_failed("{}", broken);
  EXPECT_EQ(before, "{\n  \"a.py\": true\n}");
  LastFailedNews mended = settled({{"a.py::T::one", RunFate::passed}, {"b.py::x", RunFate::passed}});
  mended.collected.push_back("a.py::two[x::y]");
  EXPECT_EQ(merge_last_failed(*before, mended), "{\n  \"a.py::two[x::y]\": true\n}") << "it did not run yet";
}

TEST(LastFailed, AProblemThatStaysIsNoChange) {
  LastFailedNews broken;
  broken.problems = {"a.py"};
  EXPECT_EQ(merge_last_failed(R"({"a.py": true})", broken), std::nullopt);
}

TEST(LastFailed, OtherValuesAndHostileIdsStay) {
  const auto text = merge_last_failed(R"({"x": {"deep": [1, 2.5]}, "\u001b[31m\"": true})",
                                      settled({{std::string("n\0ul", 4), RunFate::failed}}));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "{\n  \"x\": {\"deep\":[1,2.5]},\n  \"\\u001B[31m\\\"\": true,\n  \"n\\u0000ul\": true\n}");
}

TEST(LastFailed, AHundredThousandTestsTakeNoTime) {
  LastFailedNews news;
  for (int i = 0; i < 100'000; ++i) {
    news.collected.push_back("a.py::test_" + std::to_string(i));
    news.settled.emplace_back(news.collected.back(), i % 2 == 0 ? RunFate::failed : RunFate::passed);
  }
  const auto text = merge_last_failed(R"({"a.py": true})", news);
  ASSERT_TRUE(text);
  EXPECT_EQ(std::count(text->begin(), text->end(), '\n'), 50'001);
}

TEST(NodeIds, AreTheSortedUnion) {
  EXPECT_THAT(merge_node_ids(R"(["c", 7, "a"])", {"b", "a"}),
              Optional(std::string("[\n  \"a\",\n  \"b\",\n  \"c\"\n]")));
  EXPECT_EQ(merge_node_ids(R"(["c", "a"])", {"a"}), std::nullopt);
  EXPECT_EQ(merge_node_ids("", {}), std::nullopt);
}

TEST(PytestCache, ANewFolderIsMarkedAsACache) {
  const testing::TempDir temp;
  const auto cache = temp.file("project/.pytest_cache");
  auto written = update_pytest_cache(cache, settled({{"a.py::x", RunFate::failed}}));
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(*written);
  EXPECT_EQ(slurp(cache + "/v/cache/lastfailed"), "{\n  \"a.py::x\": true\n}");
  EXPECT_EQ(slurp(cache + "/v/cache/nodeids"), "[\n  \"a.py::x\"\n]");
  EXPECT_TRUE(slurp(cache + "/CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
  EXPECT_THAT(slurp(cache + "/.gitignore"), HasSubstr("\n*\n"));
  EXPECT_FALSE(slurp(cache + "/README.md").empty());
  for (const auto& entry : std::filesystem::directory_iterator(temp.file("project")))
    EXPECT_EQ(entry.path().filename(), ".pytest_cache");
}

TEST(PytestCache, WhatDoesNotChangeIsNotWritten) {
  const testing::TempDir temp;
  const auto cache = temp.file("cache");
  LastFailedNews green;
  green.settled = {{"a.py::x", RunFate::passed}};
  auto written = update_pytest_cache(cache, green);
  ASSERT_TRUE(written && !*written);
  EXPECT_FALSE(std::filesystem::exists(cache));
  ASSERT_TRUE(update_pytest_cache(cache, settled({{"a.py::x", RunFate::failed}})));
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat((cache + "/v/cache/lastfailed").c_str(), &before), 0);
  written = update_pytest_cache(cache, settled({{"a.py::x", RunFate::failed}}));
  ASSERT_TRUE(written && !*written);
  ASSERT_EQ(::stat((cache + "/v/cache/lastfailed").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST(PytestCache, AnExistingFolderKeepsWhatItHas) {
  const testing::TempDir temp;
  temp.write("cache/README.md", "theirs");
  temp.write("cache/v/cache/stepwise", "[]");
  ASSERT_TRUE(update_pytest_cache(temp.file("cache"), settled({{"a", RunFate::failed}})));
  EXPECT_EQ(slurp(temp.file("cache/README.md")), "theirs");
  EXPECT_EQ(slurp(temp.file("cache/v/cache/stepwise")), "[]");
  EXPECT_FALSE(std::filesystem::exists(temp.file("cache/CACHEDIR.TAG")));
}

TEST(PytestCache, AFileInItsPlaceIsAnError) {
  const testing::TempDir temp;
  const auto path = temp.write("cache", "a file");
  const auto written = update_pytest_cache(path, settled({{"a", RunFate::failed}}));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_EQ(slurp(path), "a file");
}

}  // namespace
}  // namespace flakestat::store
