#include "adapters/pytest_end.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace flakestat::adapters {
namespace {

constexpr sys::WorkerEnd kSegfault{true, SIGSEGV};

sys::WorkerEnd exits(int code) { return {false, code}; }

TEST(PytestEnd, ADeathNeverReadsAsSuccessOrAsAnEmptySuite) {
  EXPECT_EQ(death_code(exits(0)), kRunnerBroke);
  EXPECT_EQ(death_code(exits(5)), kRunnerBroke);
}

TEST(PytestEnd, ADeathKeepsTheExitCodeThatTheProcessItselfWouldHaveGiven) {
  EXPECT_EQ(death_code(exits(3)), 3);
  EXPECT_EQ(death_code(exits(66)), 66);
  EXPECT_EQ(death_code(kSegfault), 139);
}

TEST(PytestEnd, AProcessThatEndsOtherwiseThanItSaidBreaksItsWord) {
  EXPECT_EQ(broken_word(0, kSegfault), "signal 11 (SIGSEGV)");
  EXPECT_EQ(broken_word(0, exits(23)), "exit code 23");
  EXPECT_EQ(broken_word(1, exits(0)), "exit code 0");
}

TEST(PytestEnd, AProcessThatEndsAsItSaidBreaksNoWord) {
  for (const int code : {0, 1, 2, 5}) EXPECT_EQ(broken_word(code, exits(code)), "");
  EXPECT_EQ(broken_word(257, exits(1)), "") << "the kernel keeps eight bits";
}

TEST(PytestEnd, ATimeOutIsToldInSecondsAsTheyWereGiven) {
  EXPECT_EQ(late_text(std::chrono::milliseconds(2000)), "no result within 2 s (--worker-timeout)");
  EXPECT_EQ(late_text(std::chrono::milliseconds(250)), "no result within 0.25 s (--worker-timeout)");
}

}  // namespace
}  // namespace flakestat::adapters
