#include "store/shard_manifests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::slurp;
using testing::TempDir;

constexpr UnixMillis kNow = 1'783'850'000'123;

ShardManifest sample() {
  ShardManifest one;
  one.k = 2;
  one.n = 3;
  one.run_id = "20260817T100000-9f2ac1";
  one.started = kNow;
  one.commit = "abc123";
  one.ci_run = "77";
  one.collected_count = 4;
  one.collected_hash = std::string(64, 'a');
  one.partition_hash = std::string(64, 'b');
  one.ids = {"a.py::t", "a.py::t", "b.py::t[\"\x1b[31m\xE2\x80\xAE\\]"};
  one.not_run = {"a.py::t"};
  one.elsewhere = {"c.py::t"};
  one.finished = true;
  one.exit_code = 1;
  return one;
}

TEST(ShardManifests, WhatIsWrittenIsRead) {
  const TempDir dir;
  const auto state = dir.file("new/.flakestat");
  ASSERT_TRUE(write_shard(state, sample(), kNow));
  const auto path = shard_file(state, sample().run_id);
  EXPECT_EQ(path, state + "/shards/20260817T100000-9f2ac1.json");
  const auto read = read_shard(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, sample());
  EXPECT_EQ(slurp(path).find('\x1b'), std::string::npos);
  EXPECT_THAT(find_shards(state), ElementsAre(path));
  EXPECT_THAT(find_shards(state + "/shards"), ElementsAre(path));
}

TEST(ShardManifests, TheFormOfTheFile) {
  auto one = sample();
  one.ids = {"a.py::t"};
  one.collected_hash = "aa";
  one.partition_hash = "bb";
  EXPECT_EQ(encode_shard(one),
            R"({"version":1,"shard":2,"of":3,"run_id":"20260817T100000-9f2ac1","started":"2026-07-12T09:53:20.123Z",)"
            R"("commit":"abc123","ci_run":"77","finished":true,"exit_code":1,"collected":4,"collected_hash":"aa",)"
            R"("partition_hash":"bb","tests":["a.py::t"],"not_run":["a.py::t"],"elsewhere":["c.py::t"]})"
            "\n");
}

TEST(ShardManifests, ARunReplacesItsOwnManifest) {
  const TempDir dir;
  auto one = sample();
  one.finished = false;
  ASSERT_TRUE(write_shard(dir.path(), one, kNow));
  ASSERT_TRUE(write_shard(dir.path(), sample(), kNow));
  ASSERT_EQ(find_shards(dir.path()).size(), 1U);
  EXPECT_TRUE(read_shard(find_shards(dir.path()).front())->finished);
}

TEST(ShardManifests, NamesAreSortedWhenTheyAreRead) {
  auto one = sample();
  one.ids = {"z", "b", "a"};
  one.not_run = {"z", "a"};
  const auto read = parse_shard_manifest(encode_shard(one), "f");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->ids, ElementsAre("a", "b", "z"));
  EXPECT_THAT(read->not_run, ElementsAre("a", "z"));
}

TEST(ShardManifests, EveryTruncationIsRefused) {
  const auto whole = encode_shard(sample());
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    const auto read = parse_shard_manifest(std::string_view(whole).substr(0, size), "f");
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().kind, ErrorKind::damaged);
  }
}

TEST(ShardManifests, DamageNamesFileAndReason) {
  const auto whole = encode_shard(sample());
  const auto with = [&](const std::string& from, const std::string& to) {
    auto text = whole;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::string wrong[] = {"[]",
                               "null",
                               std::string(100'000, '['),
                               with("\"version\":1,", ""),
                               with("\"shard\":2", "\"shard\":0"),
                               with("\"shard\":2", "\"shard\":4"),
                               with("\"shard\":2", "\"shard\":\"2\""),
                               with("\"of\":3", "\"of\":100001"),
                               with("2026-07", "2026-77"),
                               with("\"finished\":true", "\"finished\":1"),
                               with("\"exit_code\":1", "\"exit_code\":256"),
                               with("\"collected\":4", "\"collected\":-4"),
                               with("\"tests\":[", "\"tests\":[7,"),
                               with("\"not_run\":[", "\"not_run\":[\"other\","),
                               with("\"elsewhere\":", "\"elsewhat\":")};
  for (const auto& json : wrong) {
    const auto read = parse_shard_manifest(json, "dir/s.json");
    ASSERT_FALSE(read) << json.substr(0, 300);
    EXPECT_EQ(read.error().kind, ErrorKind::damaged);
    EXPECT_THAT(read.error().message, HasSubstr("dir/s.json: "));
  }
}

TEST(ShardManifests, ANewerVersionIsAConfigurationError) {
  auto text = encode_shard(sample());
  text.replace(text.find("\"version\":1"), 11, "\"version\":2");
  EXPECT_EQ(parse_shard_manifest(text, "f").error().kind, ErrorKind::config);
}

TEST(ShardManifests, AFileThatIsNotThereIsMissing) {
  const TempDir dir;
  EXPECT_EQ(read_shard(dir.file("none.json")).error().kind, ErrorKind::missing);
  EXPECT_THAT(find_shards(dir.file("none")), IsEmpty());
}

TEST(ShardManifests, OldOnesAreRemovedAndOthersFilesAreNot) {
  const TempDir dir;
  ASSERT_TRUE(write_shard(dir.path(), sample(), kNow));
  dir.write("shards/notes.txt", "mine");
  auto later = sample();
  later.run_id = "later";
  ASSERT_TRUE(write_shard(dir.path(), later, UnixMillis{1} << 43));
  EXPECT_TRUE(std::filesystem::exists(dir.file("shards/notes.txt")));
  EXPECT_FALSE(std::filesystem::exists(shard_file(dir.path(), sample().run_id)));
}

TEST(ShardManifests, NothingIsWrittenBehindALink) {
  const TempDir dir;
  const auto victim = dir.write("victim", "precious");
  std::filesystem::create_directory(dir.file("shards"));
  std::filesystem::create_symlink(victim, shard_file(dir.path(), sample().run_id));
  EXPECT_EQ(write_shard(dir.path(), sample(), kNow).error().kind, ErrorKind::io);
  EXPECT_EQ(slurp(victim), "precious");
  std::filesystem::create_directory(dir.file("s"));
  std::filesystem::create_directory_symlink(dir.file("shards"), dir.file("s/shards"));
  EXPECT_EQ(write_shard(dir.file("s"), sample(), kNow).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace flakestat::store
