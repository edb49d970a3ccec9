#include "sys/capture.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace flakestat::sys {
namespace {

using namespace std::chrono_literals;

Captured captured(const std::string& line, const CaptureOptions& options = {}) {
  auto result = capture({"/bin/sh", "-c", line}, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? std::move(*result) : Captured{};
}

TEST(Capture, OutputAndExitCodeComeBackAndStderrDoesNot) {
  const auto result = captured("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.truncated);
}

TEST(Capture, WithoutInputStdinIsEmpty) { EXPECT_EQ(captured("cat; echo end").output, "end\n"); }

TEST(Capture, LargeInputAndOutputPassEachOther) {
  CaptureOptions options;
  options.input = std::string(3'000'000, 'x');
  EXPECT_EQ(captured("cat", options).output, options.input);
}

TEST(Capture, ACommandThatDoesNotReadItsInputDoesNotEndUs) {
  CaptureOptions options;
  options.input = std::string(3'000'000, 'x');
  EXPECT_EQ(captured("exec <&-; sleep 0.05; exit 4", options).exit_code, 4);
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(Capture, OutputIsBounded) {
  CaptureOptions options;
  options.output_limit = 4;
  const auto result = captured("echo 0123456789", options);
  EXPECT_EQ(result.output, "0123");
  EXPECT_TRUE(result.truncated);
}

TEST(Capture, AHelperThatKeepsThePipeHoldsNobodyUp) {
  const auto result = captured("sleep 300 & echo $!");
  EXPECT_EQ(::kill(std::stoi(result.output), SIGKILL), 0);
}

TEST(Capture, ACommandThatClosesItsOutputAndStaysIsEnded) {
  CaptureOptions options;
  options.timeout = 100ms;
  const auto result = capture({"/bin/sh", "-c", "exec >&-; sleep 300"}, options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "run /bin/sh: no end after 100 ms");
}

TEST(Capture, ASignalIsReportedAsAShellDoes) { EXPECT_EQ(captured("kill -9 $$").exit_code, 137); }

TEST(Capture, AMissingProgramIsMissing) {
  const auto result = capture({"no-such-program-anywhere"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
}

}  // namespace
}  // namespace flakestat::sys
