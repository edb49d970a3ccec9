#include "store/compaction.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "store/compaction_fixture.hpp"
#include "store/history_reader.hpp"
#include "sys/fd.hpp"

namespace flakestat::store {
namespace {

using ::testing::HasSubstr;

TEST_F(CompactionTest, DropsTheLaterOfEqualExecutionsAndKeepsTheRestByteForByte) {
  const auto a = lines_of({observation("a")});
  const auto late = lines_of({again(observation("a"), 1'786'960'999'000)});
  const auto b = lines_of({observation("b")});
  write_log(late + a + b + a);
  const auto done = compact();
  EXPECT_EQ(log(), a + b);
  EXPECT_EQ(done.lines, 4u);
  EXPECT_EQ(done.kept, 2u);
  EXPECT_EQ(done.duplicates, 2u);
  EXPECT_EQ(done.bytes_before, late.size() + 2 * a.size() + b.size());
  EXPECT_EQ(done.bytes_after, log().size());
}

TEST_F(CompactionTest, OfEqualTimesTheSmallestRunIdStays) {
  const auto b = lines_of({again(observation("t"), 5, "run-b")});
  const auto a = lines_of({again(observation("t"), 5, "run-a")});
  write_log(b + a);
  compact();
  EXPECT_EQ(log(), a);
}

TEST_F(CompactionTest, LinesWithoutAKeyAlwaysStay) {
  auto old = observation("old");
  old.exec_key.clear();
  const auto line = lines_of({old});
  write_log(line + line + line);
  const auto done = compact();
  EXPECT_EQ(done.duplicates, 0u);
  EXPECT_EQ(log(), line + line + line);
}

TEST_F(CompactionTest, UnknownKeysSpacingAndOrderOfKeptLinesArePreserved) {
  const std::string odd =
      "{ \"future\" : {\"deep\":[1, 2.50,\"\\u00e9\"]}, \"status\":\"pass\",\"name\":\"odd\" ,"
      "\"exec_key\":\"00000000000000aa\",\"ts\":\"2026-07-01T12:00:07.123456789+02:00\"}\r\n";
  const auto a = lines_of({observation("a")});
  write_log(odd + a + odd + "\n" + a);
  compact();
  EXPECT_EQ(log(), odd + a + "\n");
}

TEST_F(CompactionTest, ALogWithNothingToDropIsNotTouched) {
  append({observation("a"), observation("b")});
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat(log_path(dir_).c_str(), &before), 0);
  const auto done = compact();
  ASSERT_EQ(::stat(log_path(dir_).c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(done.kept, 2u);
  EXPECT_EQ(done.bytes_after, done.bytes_before);
}

TEST_F(CompactionTest, WithoutALogNothingHappensAndNothingIsMade) {
  const auto done = compact();
  EXPECT_EQ(done.lines, 0u);
  EXPECT_FALSE(std::filesystem::exists(dir_));
}

TEST_F(CompactionTest, CompactingTwiceIsCompactingOnce) {
  const auto lines = lines_of(observations("t", 20));
  write_log(lines + lines);
  compact();
  const auto once = log();
  EXPECT_EQ(compact().duplicates, 0u);
  EXPECT_EQ(log(), once);
  EXPECT_EQ(once, lines);
}

TEST_F(CompactionTest, ALastLineWithoutItsEndThatIsWholeGetsOne) {
  const auto a = lines_of({observation("a")});
  const auto b = lines_of({observation("b")});
  write_log(a + a + b.substr(0, b.size() - 1));
  compact();
  EXPECT_EQ(log(), a + b);
}

TEST_F(CompactionTest, WhatIsReadInOneGoHasTheSameOutcomeInManyBlocks) {
  std::string lines;
  std::vector<Observation> batch;
  for (int i = 0; i < 5000; ++i) {
    batch.push_back(observation("t" + std::to_string(i)));
    batch.back().message = std::string(300, 'm');
  }
  lines = lines_of(batch);
  ASSERT_GT(lines.size(), 2'000'000u);
  write_log(lines + lines);
  int blocks = 0;
  options_.on_block = [&](std::uint64_t) { ++blocks; };
  EXPECT_EQ(compact().duplicates, 5000u);
  EXPECT_EQ(log(), lines);
  EXPECT_GT(blocks, 8);
}

// --- what damaged reports left
// ----------------------------------------------------------------------------------------

class DamagedReportCompaction : public CompactionTest {
 protected:
  Observation partial(Observation o) {
    o.partial = true;
    o.artifact = "ffeeddccbbaa99887766554433221100";
    o.exec_key = to_hex(test_id("damaged", "", o.name));
    return o;
  }

  std::vector<std::string> history() {
    std::vector<std::string> found;
    auto stats = read_history(
        dir_, [&](const ObservationView& v) { found.push_back(std::string(v.name) + (v.partial ? "~" : "")); });
    EXPECT_TRUE(stats.ok());
    std::sort(found.begin(), found.end());
    return found;
  }
};

TEST_F(DamagedReportCompaction, SupersededLinesGoAndTheOthersStay) {
  const auto lost = lines_of({partial(observation("only-there"))});
  const auto cut = lines_of({partial(observation("a"))});
  const auto whole = lines_of({observation("a")});
  write_log(cut + lost + whole);
  const auto before = history();
  const auto done = compact();
  EXPECT_EQ(done.superseded, 1u);
  EXPECT_EQ(log(), lost + whole);
  EXPECT_EQ(history(), before);
}

// Its duplicate is dropped, but it had said the same as the damaged report's line: both must go, or that one would
// begin to count.
TEST_F(DamagedReportCompaction, ADuplicateSupersedesBeforeItIsDropped) {
  const auto early = lines_of({again(observation("a"), 1'000)});
  const auto late = lines_of({again(observation("a"), 2'000)});
  const auto cut = lines_of({again(partial(observation("a")), 2'000)});
  write_log(cut + early + late);
  const auto done = compact();
  EXPECT_EQ(done.superseded, 1u);
  EXPECT_EQ(done.duplicates, 1u);
  EXPECT_EQ(log(), early);
}

TEST_F(DamagedReportCompaction, TheSameDamagedReportTwiceIsKeptOnce) {
  const auto cut = lines_of({partial(observation("a")), partial(observation("b"))});
  write_log(cut + cut);
  EXPECT_EQ(compact().duplicates, 2u);
  EXPECT_EQ(log(), cut);
}

// --- damage of the log itself
// -----------------------------------------------------------------------------------------

TEST_F(CompactionTest, DamageIsRefusedWithPlaceAndSizeAndNothingChanges) {
  const auto a = lines_of({observation("a")});
  const auto content = a + "garbage\n" + a + "{\"ts\":\"cut";
  write_log(content);
  const auto refused = try_compact();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::damaged);
  EXPECT_THAT(refused.error().message, HasSubstr("8 bytes at offset " + std::to_string(a.size())));
  EXPECT_THAT(refused.error().message, HasSubstr("10 bytes at offset " + std::to_string(2 * a.size() + 8)));
  EXPECT_THAT(refused.error().message, HasSubstr("--salvage"));
  EXPECT_EQ(log(), content);
  EXPECT_FALSE(std::filesystem::exists(rejected_path(dir_)));
}

TEST_F(CompactionTest, SalvageMovesDamageAndAppendsToWhatWasMovedBefore) {
  const auto a = lines_of({observation("a")});
  const auto b = lines_of({observation("b")});
  options_.salvage = true;
  write_log(a + "garbage\r\n" + b + "{\"ts\":\"cut");
  const auto done = compact();
  EXPECT_EQ(done.rejected, 2u);
  EXPECT_EQ(done.kept, 2u);
  EXPECT_EQ(done.lines, 4u);
  EXPECT_EQ(log(), a + b);
  EXPECT_EQ(rejected(), "garbage\r\n{\"ts\":\"cut\n");
  write_log(a + "more\n");
  compact();
  EXPECT_EQ(rejected(), "garbage\r\n{\"ts\":\"cut\nmore\n");
}

TEST_F(CompactionTest, ARecordGluedBehindATornOneIsKeptAsALineOfItsOwn) {
  const auto a = lines_of({observation("a")});
  const auto b = lines_of({observation("b")});
  options_.salvage = true;
  write_log(a.substr(0, 60) + b + a + b.substr(0, b.size() - 1) + a);
  const auto done = compact();
  EXPECT_EQ(done.rejected, 1u);
  EXPECT_EQ(done.duplicates, 2u);
  EXPECT_EQ(log(), b + a);
  EXPECT_EQ(rejected(), a.substr(0, 60) + "\n");
}

TEST_F(CompactionTest, EveryDamagedLineIsMovedHoweverManyThereAre) {
  const auto a = lines_of({observation("a")});
  std::string content, damage;
  for (int i = 0; i < 500; ++i) {
    damage += "damage " + std::to_string(i) + "\n";
    content += "damage " + std::to_string(i) + "\n" + a;
  }
  write_log(content);
  options_.salvage = true;
  EXPECT_EQ(compact().rejected, 500u);
  EXPECT_EQ(log(), a);
  EXPECT_EQ(rejected(), damage);
}

TEST_F(CompactionTest, ALineOverTheLimitIsMovedWhole) {
  const auto a = lines_of({observation("a")});
  const auto huge = std::string(kMaxLine + 1000, 'x') + "\n";
  write_log(a + huge + a);
  options_.salvage = true;
  EXPECT_EQ(compact().rejected, 1u);
  EXPECT_EQ(log(), a);
  EXPECT_EQ(rejected(), huge);
}

TEST_F(CompactionTest, CutAtEveryByteSalvageKeepsEveryWholeRecord) {
  const auto a = lines_of({observation("a")});
  const auto b = lines_of({observation("b")});
  const auto whole = a + b + a;
  options_.salvage = true;
  for (std::size_t size = 0; size <= whole.size(); size += 7) {
    write_log(whole.substr(0, size));
    (void)names();
    compact();
    std::vector<std::string> expected;
    if (size + 1 >= a.size()) expected.emplace_back("a");
    if (size + 1 >= a.size() + b.size()) expected.emplace_back("b");
    ASSERT_EQ(names(), expected) << size;
    ASSERT_EQ(stats_.skipped_count, 0u);
    ASSERT_FALSE(stats_.torn_tail);
  }
}

// --- files
// ------------------------------------------------------------------------------------------------------------

TEST_F(CompactionTest, ADryRunChangesNothingAndSaysTheSame) {
  const auto a = lines_of({observation("a")});
  write_log(a + "garbage\n" + a);
  ASSERT_EQ(::unlink(lock_path(dir_).c_str()), 0);
  options_.dry_run = options_.salvage = true;
  const auto said = compact();
  EXPECT_EQ(log(), a + "garbage\n" + a);
  EXPECT_FALSE(std::filesystem::exists(rejected_path(dir_)));
  EXPECT_FALSE(std::filesystem::exists(lock_path(dir_)));
  options_.dry_run = false;
  const auto done = compact();
  EXPECT_EQ(std::tie(said.kept, said.duplicates, said.rejected, said.bytes_before, said.bytes_after),
            std::tie(done.kept, done.duplicates, done.rejected, done.bytes_before, done.bytes_after));
}

TEST_F(CompactionTest, PermissionsAreKept) {
  for (const mode_t mode : {0600U, 0664U, 0640U}) {
    const auto a = lines_of({observation("a")});
    write_log(a + a);
    ASSERT_EQ(::chmod(log_path(dir_).c_str(), mode), 0);
    compact();
    struct stat info {};
    ASSERT_EQ(::stat(log_path(dir_).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, mode);
  }
}

TEST_F(CompactionTest, ALogThatIsALinkIsReplacedWhereItLies) {
  const auto a = lines_of({observation("a")});
  const auto real = temp_.write("elsewhere/real.ndjson", a + a);
  ASSERT_EQ(::symlink(real.c_str(), log_path(dir_).c_str()), 0);
  compact();
  EXPECT_TRUE(std::filesystem::is_symlink(log_path(dir_)));
  EXPECT_EQ(testing::slurp(real), a);
}

TEST_F(CompactionTest, WhatAKilledCompactionLeftIsOverwritten) {
  const auto a = lines_of({observation("a")});
  write_log(a + a);
  (void)temp_.write("state/runs.ndjson.new", "half");
  compact();
  EXPECT_EQ(log(), a);
  EXPECT_FALSE(std::filesystem::exists(log_path(dir_) + ".new"));
}

TEST_F(CompactionTest, APlantedLinkInPlaceOfTheNewFileIsNotFollowed) {
  const auto a = lines_of({observation("a")});
  write_log(a + a);
  const auto victim = temp_.write("victim", "precious");
  ASSERT_EQ(::symlink(victim.c_str(), (log_path(dir_) + ".new").c_str()), 0);
  compact();
  EXPECT_EQ(testing::slurp(victim), "precious");
  EXPECT_EQ(log(), a);
}

TEST_F(CompactionTest, AReaderThatHasTheOldFileOpenReadsItOn) {
  const auto a = lines_of({observation("a")});
  write_log(a + a);
  const sys::Fd reader(::open(log_path(dir_).c_str(), O_RDONLY | O_CLOEXEC));
  compact();
  std::string seen(3 * a.size(), '\0');
  seen.resize(static_cast<std::size_t>(::read(reader.get(), seen.data(), seen.size())));
  EXPECT_EQ(seen, a + a);
}

}  // namespace
}  // namespace flakestat::store
