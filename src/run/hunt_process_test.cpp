// The hunt over real processes: what the fakes of hunt_test.cpp stand for.
#include <gmock/gmock.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "run/hunt_test_world.hpp"
#include "testing/jumping_clock.hpp"

namespace flakestat::run {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class HuntProcessTest : public ::testing::Test {
 protected:
  HuntProcessTest() {
    plan_.junit = "report.txt";
    plan_.directory = folder_.path();
    plan_.runs = 4;
    plan_.grace = 50ms;
    plan_.leak_wait = 50ms;
  }

  HuntResult hunt(const std::string& mode) {
    plan_.command = {std::string(FLAKESTAT_PROGRAMS_DIR) + "/hunt_suite", mode, "report.txt"};
    return hunt_plan();
  }

  HuntResult hunt_plan() {
    sys::Supervisor supervisor(clock_, interrupts_);
    HuntEvents events;
    events.store = [this](RunEvidence&& evidence) -> Result<void> {
      for (const auto& each : evidence.cases) add(evidence.run, each);
      if (evidence.suite_level) add(evidence.run, *evidence.suite_level);
      return {};
    };
    events.progress = [this](const HuntProgress& progress) {
      if (on_progress_) on_progress_(progress);
    };
    auto result = run::hunt(plan_, {supervisor, clock_, interrupts_, read_test_report}, events);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? std::move(*result) : HuntResult{};
  }

  // True once an even run of half-hang has written its half.
  [[nodiscard]] bool half_is_written() const {
    return std::filesystem::exists(folder_.file("report.txt")) &&
           testing::slurp(folder_.file("report.txt")) == "pass a\n";
  }

  void add(int run, const Case& each) {
    const auto name = each.suite == "s" ? each.name : each.suite;
    stored_[run].push_back(std::string(to_string(each.status)) + " " + name);
  }

  testing::TempDir folder_;
  HuntPlan plan_;
  testing::JumpingClock clock_;
  testing::FakeInterrupts interrupts_;
  std::function<void(const HuntProgress&)> on_progress_;
  std::map<int, std::vector<std::string>> stored_;
};

TEST_F(HuntProcessTest, ATestThatFailsInOddRunsIsSeenInEachOfThem) {
  const auto result = hunt("alternating");
  EXPECT_THAT(stored_[1], ElementsAre("pass a", "fail b"));
  EXPECT_THAT(stored_[2], ElementsAre("pass a", "pass b"));
  EXPECT_THAT(stored_[3], ElementsAre("pass a", "fail b"));
  EXPECT_TRUE(result.disagreed);
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(HuntProcessTest, ARunWithoutAReportIsNotTakenForTheRunBefore) {
  const auto result = hunt("odd-reports");
  EXPECT_THAT(stored_[1], ElementsAre("pass a", "pass b", "pass (command)"));
  EXPECT_THAT(stored_[2], ElementsAre("fail (command)"));
  EXPECT_THAT(stored_[4], ElementsAre("fail (command)"));
  EXPECT_EQ(result.first_failing_run, 2);
  EXPECT_EQ(result.first_failing_output, "run 2 of odd-reports\n");
}

TEST_F(HuntProcessTest, AReportWithAnOldTimeIsStale) {
  const auto result = hunt("old-copy");
  EXPECT_EQ(result.runs[1].report, ReportState::stale);
  EXPECT_THAT(stored_[2], ElementsAre("fail (command)"));
}

TEST_F(HuntProcessTest, ASuiteThatNeverReportsIsAProblem) {
  folder_.write("report.txt", "pass a\npass b\nend end\n");
  const auto result = hunt("silent");
  ASSERT_TRUE(result.problem);
  EXPECT_THAT(result.runs, SizeIs(3));
  EXPECT_THAT(stored_, IsEmpty());
  EXPECT_THAT(testing::slurp(folder_.file("report.txt")), StartsWith("pass a"));
}

TEST_F(HuntProcessTest, AHangingRunIsEndedAndItsHalfReportRead) {
  plan_.timeout = 1h;
  plan_.runs = 2;
  on_progress_ = [this](const HuntProgress&) {
    if (half_is_written()) clock_.jump_once(1h);
  };
  const auto result = hunt("half-hang");
  EXPECT_EQ(result.runs[1].end, RunEnd::timed_out);
  EXPECT_THAT(stored_[2], ElementsAre("pass a", "fail (command)"));
}

TEST_F(HuntProcessTest, ACrashIsReadAsFarAsItGot) {
  const auto result = hunt("crash");
  EXPECT_EQ(result.runs[1].end, RunEnd::signalled);
  EXPECT_EQ(result.runs[1].code, SIGABRT);
  EXPECT_THAT(stored_[2], ElementsAre("pass a", "fail (command)"));
  EXPECT_THAT(stored_[3], ElementsAre("pass a", "pass b", "pass (command)"));
}

TEST_F(HuntProcessTest, ALeakIsSaidAndTheCasesCount) {
  plan_.runs = 2;
  const auto result = hunt("leaky");
  EXPECT_THAT(stored_[2], ElementsAre("pass a", "pass b"));
  ASSERT_THAT(result.runs[0].leaked, SizeIs(1));
  EXPECT_THAT(result.runs[0].leaked[0], StartsWith("hunt_suite ("));
}

TEST_F(HuntProcessTest, AnInteractiveShellDoesNotStopTheHunt) {
  plan_.junit.clear();
  plan_.runs = 1;
  plan_.command = {"/bin/bash", "-ic", "true"};
  const auto result = hunt_plan();
  EXPECT_EQ(result.runs[0].end, RunEnd::exited);
}

TEST_F(HuntProcessTest, CtrlCDuringARunKeepsTheRunsBeforeIt) {
  plan_.timeout = 1h;
  plan_.runs = 9;
  on_progress_ = [this](const HuntProgress&) {
    if (half_is_written()) interrupts_.set(sys::Interrupt::finish);
  };
  const auto result = hunt("half-hang");
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(result.runs, SizeIs(1));
  EXPECT_THAT(stored_[1], ElementsAre("pass a", "pass b"));
}

TEST_F(HuntProcessTest, AMissingCommandIsAnError) {
  plan_.command = {"no-such-program-anywhere"};
  sys::Supervisor supervisor(clock_, interrupts_);
  const auto result = run::hunt(plan_, {supervisor, clock_, interrupts_, read_test_report}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
}

}  // namespace
}  // namespace flakestat::run
