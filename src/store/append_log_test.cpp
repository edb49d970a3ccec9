#include "store/append_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "store/line_blocks.hpp"
#include "store/log_fixture.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AppendLogTest : public LogTest {};

TEST_F(AppendLogTest, AppendedObservationsAreReadInOrder) {
  const auto result = append({observation("a"), observation("b")});
  EXPECT_EQ(result.stored, 2u);
  EXPECT_THAT(result.notes, IsEmpty());
  append({observation("c")});
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(stats_.skipped_count, 0u);
}

TEST_F(AppendLogTest, TheLineHasTheDesignsKeysInTheDesignsOrder) {
  auto o = observation("test_login[oauth]");
  o.code = "abc123+5f1e0c3a";
  o.attempt = 1;
  o.status = Status::fail;
  o.file = "tests/test_auth.py";
  o.message = "timeout after 5s";
  o.known_flaky = true;
  append({o});
  EXPECT_EQ(
      log(),
      R"({"ts":"2026-08-17T10:00:00.123Z","run_id":"20260817T100000-9f2ac1","commit":"abc123",)"
      R"("code":"abc123+5f1e0c3a","branch":"main","source":"ci","attempt":1,"test_id":")" +
          to_hex(o.test_id) +
          R"(","suite":"tests.api","class":"TestAuth","name":"test_login[oauth]","status":"fail",)"
          R"("file":"tests/test_auth.py","duration_ms":412,"message":"timeout after 5s","known_flaky":true,)"
          R"("dimensions":{"arch":"amd64","os":"linux"},"artifact":"00112233445566778899aabbccddeeff","exec_key":")" +
          o.exec_key + "\"}\n");
}

TEST_F(AppendLogTest, AnExecKeyInTheLogIsDroppedAndCounted) {
  append({observation("a"), observation("b")});
  const auto again = append({observation("b"), observation("c")});
  EXPECT_EQ(again.stored, 1u);
  EXPECT_EQ(again.duplicates, 1u);
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
}

TEST_F(AppendLogTest, TornTailIsHealedBeforeTheNextAppend) {
  append({observation("a"), observation("b")});
  const auto whole = log();
  write_log(whole.substr(0, whole.size() - 10));
  const auto result = append({observation("c")});
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_THAT(result.notes[0], HasSubstr("cut off"));
  EXPECT_THAT(names(), ElementsAre("a", "c"));
  ASSERT_EQ(stats_.skipped_count, 1u);
  EXPECT_EQ(stats_.skipped[0].offset, whole.size() / 2);
}

TEST_F(AppendLogTest, ATornTailThatIsAWholeRecordKeepsIt) {
  append({observation("a"), observation("b")});
  auto text = log();
  text.pop_back();
  write_log(text);
  append({observation("c")});
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(stats_.skipped_count, 0u);
}

TEST_F(AppendLogTest, ATailOfNulBytesIsHealed) {
  append({observation("a")});
  write_log(log() + std::string(4096, '\0'));
  EXPECT_EQ(append({observation("b")}).notes.size(), 1u);
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  EXPECT_EQ(stats_.skipped_bytes, 4097u);
}

TEST_F(AppendLogTest, AVeryLongTornTailIsMeasuredRight) {
  append({observation("a")});
  const auto start = log().size();
  write_log(log() + std::string(300'000, 'x'));
  EXPECT_THAT(append({observation("b")}).notes,
              ElementsAre(HasSubstr("300000 bytes at offset " + std::to_string(start))));
}

TEST_F(AppendLogTest, OfEqualKeysInABatchTheSmallestTimeThenRunStays) {
  auto late = observation("a", 2000), early = observation("a", 1000), early_other = observation("a", 1000);
  late.run_id = "1";
  early.run_id = "z";
  early_other.run_id = "b";
  const auto result = append({late, early, early_other});
  EXPECT_EQ(result.stored, 1u);
  EXPECT_EQ(result.duplicates, 2u);
  EXPECT_THAT(log(), HasSubstr("\"run_id\":\"b\""));
}

TEST_F(AppendLogTest, ObservationsWithoutAKeyAlwaysCount) {
  auto o = observation("a");
  o.exec_key.clear();
  append({o, o});
  EXPECT_EQ(append({o}).stored, 1u);
  o.exec_key = "not-a-key";
  append({o, o});
  EXPECT_EQ(names().size(), 5u);
}

TEST_F(AppendLogTest, AKeyInADamagedLineDoesNotCost) {
  append({observation("a")});
  auto text = log();
  text.replace(text.find("\"status\""), 8, "\"st\"tus\"");
  write_log(text);
  EXPECT_EQ(append({observation("a")}).stored, 1u) << "the damaged line is no record of the execution";
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(AppendLogTest, AKeyIsFoundWhereverItStandsInALine) {
  const auto o = observation("a");
  write_log("{\"exec_key\" : \"" + o.exec_key + "\",\"name\":\"a\",\"status\":\"pass\"}\r\n");
  EXPECT_EQ(append({o}).duplicates, 1u);
  write_log("{\"name\":\"a\",\"status\":\"pass\",\"exec_key\":\"" + o.exec_key + "\" }");
  EXPECT_EQ(append({o}).duplicates, 1u);
}

TEST_F(AppendLogTest, AKeyGluedBehindATornLineIsFound) {
  append({observation("a")});
  const auto whole = log();
  write_log(whole.substr(0, 77) + whole);
  EXPECT_EQ(append({observation("a")}).duplicates, 1u);
}

TEST_F(AppendLogTest, KeysAreFoundAcrossBlocksOfALargeLog) {
  EncodedBatch batch;
  for (int i = 0; i < 8000; ++i) batch.add(observation("t" + std::to_string(i)));
  ASSERT_TRUE(store::append(dir_, batch));
  ASSERT_GT(log().size(), 3 * LineBlocks::kBlock);
  const auto again = store::append(dir_, batch);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->stored, 0u);
  EXPECT_EQ(again->duplicates, 8000u);
}

TEST_F(AppendLogTest, MergedBatchesAreOneBatch) {
  EncodedBatch one, two;
  one.add(observation("a"));
  two.add(observation("b"));
  two.add(observation("a"));
  one.merge(std::move(two));
  const auto result = store::append(dir_, one);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->duplicates, 1u);
  EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(AppendLogTest, NothingToStoreTouchesNothing) {
  EXPECT_EQ(append({}).stored, 0u);
  EXPECT_NE(::access(dir_.c_str(), F_OK), 0);
}

TEST_F(AppendLogTest, FolderLogAndLockAreMadeWithTheUsualRights) {
  append({observation("a")});
  const auto before = ::umask(0);
  ::umask(before);
  struct stat info {};
  for (const auto& [path, mode] : {std::pair{dir_, 0755U}, {log_path(dir_), 0644U}, {lock_path(dir_), 0644U}}) {
    ASSERT_EQ(::stat(path.c_str(), &info), 0) << path;
    EXPECT_EQ(info.st_mode & 0777U, mode & ~before) << path;
  }
}

TEST_F(AppendLogTest, WritersInThreadsOfOneProcessExcludeEachOther) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t] {
      for (int b = 0; b < 3; ++b)
        (void)store::append(dir_, observations("t" + std::to_string(t) + "-" + std::to_string(b) + "-", 50));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(names().size(), 8u * 3 * 50);
  EXPECT_EQ(stats_.skipped_count, 0u);
}

}  // namespace
}  // namespace flakestat::store
