#include "store/log_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "store/block_pipeline.hpp"
#include "store/log_fixture.hpp"
#include "store/observation_encoder.hpp"

namespace flakestat::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string line(const std::string& name) {
  ObservationEncoder encoder;
  std::string out;
  encoder.append(out, observation(name));
  return out;
}

class LogReaderTest : public LogTest {
 protected:
  std::vector<std::string> names_of(std::string_view text) {
    std::vector<std::string> found;
    stats_ = read_log_bytes(text, [&](const ObservationView& view) { found.emplace_back(view.name); });
    EXPECT_EQ(stats_.bytes, text.size());
    EXPECT_EQ(stats_.accounted(), text.size());
    EXPECT_EQ(stats_.lines, found.size());
    return found;
  }

  // The same through blocks of `block` bytes, here and on the second thread.
  static std::vector<std::string> names_in_blocks(std::string_view text, std::size_t block, bool ahead,
                                                  ReadStats& total) {
    std::vector<std::string> found;
    LineBlocks blocks(
        [&](char* buffer, std::size_t size) -> Result<std::size_t> {
          const auto count = std::min(size, text.size());
          std::memcpy(buffer, text.data(), count);
          text.remove_prefix(count);
          return count;
        },
        block);
    const OnBlock on_block = [&](ScannedBlock& scanned) {
      for (const auto& record : scanned.records) found.emplace_back(record.name);
      add(total, std::move(scanned.stats));
    };
    EXPECT_TRUE(ahead ? scan_ahead(blocks, on_block) : scan_here(blocks, on_block));
    return found;
  }
};

TEST_F(LogReaderTest, ALogThatIsNotThereHasNoLines) {
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(stats_.bytes, 0u);
}

TEST_F(LogReaderTest, AFolderInPlaceOfTheLogIsAnIoErrorThatNamesIt) {
  (void)temp_.write("state/runs.ndjson/x", "");
  const auto stats = read_log(dir_, [](const ObservationView&) {});
  ASSERT_FALSE(stats.ok());
  EXPECT_EQ(stats.error().kind, ErrorKind::io);
  EXPECT_THAT(stats.error().message, HasSubstr("runs.ndjson"));
}

TEST_F(LogReaderTest, ATornTailIsReportedAndEveryEarlierRecordUsed) {
  const auto torn = line("b").substr(0, 50);
  write_log(line("a") + torn);
  EXPECT_THAT(names(), ElementsAre("a"));
  ASSERT_TRUE(stats_.torn_tail);
  EXPECT_EQ(stats_.torn_tail->offset, line("a").size());
  EXPECT_EQ(stats_.torn_tail->size, torn.size());
  EXPECT_EQ(stats_.skipped_count, 0u);
  EXPECT_THAT(describe(stats_, "runs.ndjson"), ElementsAre(HasSubstr("50 bytes at offset")));
}

TEST_F(LogReaderTest, ALastRecordThatOnlyLacksItsLineEndIsUsed) {
  auto text = line("a") + line("b");
  text.pop_back();
  EXPECT_THAT(names_of(text), ElementsAre("a", "b"));
  EXPECT_FALSE(stats_.torn_tail);
}

TEST_F(LogReaderTest, ADamagedMiddleLineIsReportedWithOffsetSizeAndReason) {
  EXPECT_THAT(
      names_of(line("a") + "{\"ts\":17,\"na\n" + line("b") + "{\"name\":\"n\",\"status\":\"odd\"}\n" + line("c")),
      ElementsAre("a", "b", "c"));
  const auto size = line("a").size();
  EXPECT_THAT(stats_.skipped,
              ElementsAre(Skipped{size, 13, "no whole JSON object"}, Skipped{2 * size + 13, 28, "no known status"}));
  EXPECT_EQ(stats_.skipped_bytes, 41u);
  EXPECT_THAT(describe(stats_, "x"), ElementsAre(HasSubstr("13 bytes at offset"), HasSubstr("28 bytes at offset")));
}

TEST_F(LogReaderTest, OnlyTheFirstTwentyDamagedLinesAreListedButAllCounted) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "nonsense\n";
  EXPECT_THAT(names_of(text), IsEmpty());
  EXPECT_THAT(stats_.skipped, SizeIs(20));
  EXPECT_EQ(stats_.skipped_count, 30u);
  const auto lines = describe(stats_, "x");
  ASSERT_THAT(lines, SizeIs(21));
  EXPECT_THAT(lines.back(), HasSubstr("10 more damaged lines"));
}

TEST_F(LogReaderTest, ARecordGluedToATornLineIsRecovered) {
  const auto torn = line("a").substr(0, 100);
  EXPECT_THAT(names_of(line("x") + torn + line("b") + line("c")), ElementsAre("x", "b", "c"));
  EXPECT_THAT(stats_.skipped, ElementsAre(Skipped{line("x").size(), 100, "no whole JSON object"}));
}

TEST_F(LogReaderTest, ATornLineAtEveryLengthNeverHidesTheRecordGluedToIt) {
  const auto whole = line("torn");
  for (std::size_t size = 1; size + 1 < whole.size(); ++size) {
    ASSERT_THAT(names_of(line("x") + whole.substr(0, size) + line("b")), ElementsAre("x", "b")) << size;
  }
}

TEST_F(LogReaderTest, TwoWholeRecordsOnOneLineAreBothRead) {
  auto first = line("a");
  first.pop_back();
  EXPECT_THAT(names_of(first + line("b")), ElementsAre("a", "b"));
  EXPECT_EQ(stats_.skipped_count, 0u);
}

TEST_F(LogReaderTest, AWholeRecordBeforeATornOneOnTheSameLineIsRead) {
  auto first = line("a");
  first.pop_back();
  const auto torn = line("b").substr(0, 30);
  EXPECT_THAT(names_of(first + torn), ElementsAre("a"));
  ASSERT_TRUE(stats_.torn_tail);
  EXPECT_EQ(*stats_.torn_tail, (Skipped{first.size(), 30, "no whole JSON object"}));
}

TEST_F(LogReaderTest, ARecordInsideAMessageIsNotARecord) {
  auto o = observation("a");
  o.message = line("inner");
  ObservationEncoder encoder;
  std::string text;
  encoder.append(text, o);
  EXPECT_THAT(names_of(text), ElementsAre("a"));
  EXPECT_THAT(names_of(text.substr(0, text.size() - 3) + "\n"), IsEmpty());
}

TEST_F(LogReaderTest, NulRunsAreSkippedAndWhatFollowsThemIsRead) {
  const std::string nul(5000, '\0');
  EXPECT_THAT(names_of(line("a") + nul + line("b") + nul + "\n" + line("c") + nul), ElementsAre("a", "b", "c"));
  ASSERT_THAT(stats_.skipped, SizeIs(2));
  EXPECT_THAT(stats_.skipped[0].reason, HasSubstr("NUL"));
  EXPECT_EQ(stats_.skipped[0].size, 5000u);
  ASSERT_TRUE(stats_.torn_tail);
  EXPECT_THAT(stats_.torn_tail->reason, HasSubstr("NUL"));
}

TEST_F(LogReaderTest, WindowsLineEndsAndBlankLinesAreNoDamage) {
  auto first = line("a");
  first.insert(first.size() - 1, "\r");
  EXPECT_THAT(names_of("\n\r\n" + first + "  \t\n" + line("b") + "\n"), ElementsAre("a", "b"));
  EXPECT_EQ(stats_.skipped_count, 0u);
  EXPECT_EQ(stats_.blank_bytes, 8u);
  EXPECT_FALSE(stats_.torn_tail);
}

TEST_F(LogReaderTest, ARecordSpreadOverLinesIsNoRecord) {
  EXPECT_THAT(names_of("{\"name\":\"n\",\n\"status\":\"pass\"}\n" + line("b")), ElementsAre("b"));
  EXPECT_EQ(stats_.skipped_count, 2u);
}

TEST_F(LogReaderTest, AnOverlongLineIsSkippedAndAccountedFor) {
  const std::string head = R"({"status":"pass","name":")";
  const auto overlong = head + std::string(kMaxLine, 'x') + "\"}\n";
  const auto found = names_of(line("a") + overlong + line("b") + overlong.substr(0, overlong.size() - 4));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1], "b");
  EXPECT_EQ(stats_.skipped_count, 2u);
  EXPECT_EQ(stats_.skipped.at(0), (Skipped{line("a").size(), overlong.size(), "longer than 16777216 bytes"}));
}

TEST_F(LogReaderTest, ALineJustUnderTheLimitIsRead) {
  const std::string head = R"({"status":"pass","name":")", tail = "\"}\n";
  const auto fits = head + std::string(kMaxLine - head.size() - tail.size(), 'x') + tail;
  const auto one_more = head + std::string(kMaxLine - head.size() - tail.size() + 1, 'x') + tail;
  EXPECT_EQ(names_of(one_more + fits + line("b")).size(), 2u);
  EXPECT_EQ(stats_.skipped.at(0).size, one_more.size());
}

TEST_F(LogReaderTest, WhetherALineIsTooLongDoesNotDependOnTheBlocks) {
  const std::string text = line("a") + std::string(kMaxLine + 1000, 'x') + "\n" + line("b");
  for (const std::size_t block : {std::size_t{4096}, std::size_t{3} << 20, std::size_t{64} << 20}) {
    ReadStats total;
    EXPECT_THAT(names_in_blocks(text, block, false, total), ElementsAre("a", "b"));
    ASSERT_EQ(total.skipped_count, 1u);
    EXPECT_EQ(total.skipped_bytes, kMaxLine + 1001);
  }
}

TEST_F(LogReaderTest, CutAtEveryByteItYieldsAPrefixOfTheRecords) {
  std::string text;
  std::vector<std::size_t> ends;
  for (const auto* name : {"a", "b\"\\\n", "c\xC3\xA9"}) {
    text += line(name);
    ends.push_back(text.size());
  }
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto found = names_of(text.substr(0, size));
    // A record is whole with its closing brace; its line end may be missing.
    const auto whole = std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end - 1 <= size; });
    ASSERT_EQ(found.size(), static_cast<std::size_t>(whole)) << size;
    const bool torn =
        size > 0 && std::none_of(ends.begin(), ends.end(), [&](auto end) { return size == end || size + 1 == end; });
    ASSERT_EQ(stats_.torn_tail.has_value(), torn) << size;
    ASSERT_EQ(stats_.skipped_count, 0u);
  }
}

// Random damage: the account balances, no crash, and what is found does not depend on how the bytes are cut into
// blocks.
TEST_F(LogReaderTest, EveryByteOfADamagedLogIsAccountedForInBlocksOfAnySize) {
  std::mt19937 random(11);
  static constexpr std::string_view kNoise("\0\n\r{}\"\\,:[] x\xFF", 14);
  for (int round = 0; round < soak_or(20'000, 300); ++round) {
    std::string text;
    for (auto i = random() % 8; i > 0; --i) text += line("n" + std::to_string(i));
    for (auto i = random() % 6; i > 0 && !text.empty(); --i) {
      const auto at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = kNoise[random() % kNoise.size()]; break;
        case 1: text.erase(at, random() % 300); break;
        case 2: text.insert(at, random() % 200, '\0'); break;
        default: text.insert(at, text.substr(random() % text.size(), random() % 400)); break;
      }
    }
    const auto expected = names_of(text);
    ReadStats total;
    ASSERT_EQ(names_in_blocks(text, 1 + random() % 700, random() % 8 == 0, total), expected);
    ASSERT_EQ(total.accounted(), text.size());
    ASSERT_EQ(total.skipped, stats_.skipped);
    ASSERT_EQ(total.torn_tail, stats_.torn_tail);
  }
}

TEST_F(LogReaderTest, ALargeLogIsReadInOrderAcrossBlocks) {
  std::vector<std::string> expected;
  EncodedBatch batch;
  for (int i = 0; i < 20'000; ++i) {
    expected.push_back("test_" + std::to_string(i));
    batch.add(observation(expected.back()));
  }
  ASSERT_TRUE(store::append(dir_, batch));
  ASSERT_GT(std::string_view(log()).size(), 4 * LineBlocks::kBlock);
  EXPECT_EQ(names(), expected);
}

TEST_F(LogReaderTest, WhatTheCallbackThrowsPassesThrough) {
  EncodedBatch batch;
  for (int i = 0; i < 8000; ++i) batch.add(observation("t" + std::to_string(i)));
  ASSERT_TRUE(store::append(dir_, batch));
  EXPECT_THROW((void)read_log(dir_, [](const ObservationView&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace flakestat::store
