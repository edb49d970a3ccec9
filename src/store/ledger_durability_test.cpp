// What the ledger promises, proved with real processes: no count is lost, none is invented.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "store/ledger_fixture.hpp"
#include "store/log_fixture.hpp"
#include "store/writer_process.hpp"

namespace flakestat::store {
namespace {

class LedgerDurabilityTest : public LedgerTest {
 protected:
  void SetUp() override { options_.age.retention = 0; }

  std::unique_ptr<WriterProcess> writer(const std::string& prefix, int runs, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{dir_, prefix, std::to_string(runs), std::to_string(kNow)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::make_unique<WriterProcess>(arguments, "ledger_writer");
  }

  // flakes.json itself, as other programs read it.
  LedgerTests on_disk() {
    auto file = parse_ledger(ledger_text(), "flakes.json");
    EXPECT_TRUE(file) << file.error().message;
    return file ? file->tests : LedgerTests{};
  }
};

TEST_F(LedgerDurabilityTest, ManyWritersAtOnceLoseNoCount) {
  const int writers_wanted = soak_or(64, 16);
  constexpr int kRuns = 4;
  std::vector<std::unique_ptr<WriterProcess>> writers;
  for (int w = 0; w < writers_wanted; ++w) writers.push_back(writer("w" + std::to_string(w), kRuns, {"pack=20"}));
  for (auto& each : writers) ASSERT_EQ(each->wait(), 0);
  const auto tests = on_disk();
  EXPECT_EQ(tests.at("shared").flaky, static_cast<std::uint64_t>(writers_wanted * kRuns));
  for (int w = 0; w < writers_wanted; ++w)
    EXPECT_EQ(tests.at("w" + std::to_string(w)).failed, static_cast<std::uint64_t>(kRuns));
  EXPECT_EQ(tests.size(), static_cast<std::size_t>(writers_wanted + 1));
}

TEST_F(LedgerDurabilityTest, KilledInsideEveryCallNothingAcknowledgedIsLostAndNothingCountsTwice) {
  int round = 0;
  std::uint64_t least = 0, most = 0;
  for (const std::string call : {"flock", "write", "sync", "rename", "renamed"}) {
    // Renames put packs in place, too, with the seventh at the earliest.
    for (int at = 1; at <= soak_or(12, call.starts_with("rename") ? 8 : 3); ++at) {
      const auto prefix = "k" + std::to_string(round++);
      // Low enough that some die while they pack.
      auto victim = writer(prefix, 6, {"pack=6", "die=" + call + ":" + std::to_string(at)});
      int acks = 0;
      while (victim->read_line()) ++acks;
      const int ended = victim->wait();
      ASSERT_TRUE(ended == 128 + SIGKILL || ended == 0) << ended;
      least += static_cast<std::uint64_t>(acks);
      most += static_cast<std::uint64_t>(std::min(acks + 1, 6));
      const auto seen = read();
      EXPECT_TRUE(seen.notes().empty());
      ASSERT_GE(seen.counts("shared").flaky, least) << call << at;
      ASSERT_LE(seen.counts("shared").flaky, most) << call << at;
      // The same runs again, whole: each counts once, whatever the dead had done of it.
      ASSERT_EQ(writer(prefix, 6, {"pack=6"})->wait(), 0);
      least = most = static_cast<std::uint64_t>(round) * 6;
      const auto tests = on_disk();
      ASSERT_EQ(tests.at("shared").flaky, least) << call << at;
      ASSERT_EQ(tests.at(prefix).failed, 6u) << call << at;
    }
  }
  std::printf("%d kills\n", round);
}

}  // namespace
}  // namespace flakestat::store
