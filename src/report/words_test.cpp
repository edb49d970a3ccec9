#include "report/words.hpp"

#include <gtest/gtest.h>

namespace flakestat::report {
namespace {

TEST(Words, NounsAgreeWithTheirNumber) {
  EXPECT_EQ(counted(0, "test"), "0 tests");
  EXPECT_EQ(counted(1, "test"), "1 test");
  EXPECT_EQ(counted(2, "family", "families"), "2 families");
  EXPECT_EQ(counted(1, "family", "families"), "1 family");
}

TEST(Words, RunsAreListedAsRanges) {
  EXPECT_EQ(run_list({3}), "run 3");
  EXPECT_EQ(run_list({3, 4}), "runs 3, 4");
  EXPECT_EQ(run_list({1, 3, 4, 5, 9}), "runs 1, 3-5, 9");
}

TEST(Words, Durations) {
  EXPECT_EQ(format_duration(-5), "0ms");
  EXPECT_EQ(format_duration(0), "0ms");
  EXPECT_EQ(format_duration(999), "999ms");
  EXPECT_EQ(format_duration(1000), "1.0s");
  EXPECT_EQ(format_duration(59'949), "59.9s");
  EXPECT_EQ(format_duration(59'950), "1m00s");
  EXPECT_EQ(format_duration(72'000), "1m12s");
  EXPECT_EQ(format_duration(3'599'400), "59m59s");
  EXPECT_EQ(format_duration(3'720'000), "1h02m");
  EXPECT_EQ(format_duration(183'600'000), "2d03h");
}

TEST(Words, EtaIsInWholeSeconds) {
  EXPECT_EQ(format_eta(0), "0s");
  EXPECT_EQ(format_eta(45'400), "45s");
  EXPECT_EQ(format_eta(59'600), "1m00s");
  EXPECT_EQ(format_eta(72'000), "1m12s");
}

TEST(Words, ScoresKeepThreeDigitsAndTinyOnesAreNotZero) {
  EXPECT_EQ(format_score(0), "0.000");
  EXPECT_EQ(format_score(0.0004), "<0.001");
  EXPECT_EQ(format_score(0.0005), "0.001");
  EXPECT_EQ(format_score(0.32), "0.320");
  EXPECT_EQ(format_score(1), "1.000");
}

TEST(Words, BoundsAreRoundedUp) {
  EXPECT_EQ(percent_up(0.1391), "14 %");
  EXPECT_EQ(percent_up(0.95), "95 %");
  EXPECT_EQ(percent_up(0.05), "5 %");
  EXPECT_EQ(percent_up(0.04951), "5 %");
  EXPECT_EQ(percent_up(0.0412), "4.2 %");
  EXPECT_EQ(percent_up(0.0099694), "1 %");
  EXPECT_EQ(percent_up(0.000998), "0.1 %");
  EXPECT_EQ(percent_up(0.001), "0.1 %");
  EXPECT_EQ(percent_up(0.099999), "10 %");
  EXPECT_EQ(percent_up(1), "100 %");
}

TEST(Words, CommandsAreQuotedForAShell) {
  EXPECT_EQ(quote_command({"pytest", "-q", "--junitxml={junit}"}), "pytest -q --junitxml={junit}");
  EXPECT_EQ(quote_command({"sh", "-c", "echo 'a' $B", ""}), "sh -c 'echo '\\''a'\\'' $B' ''");
}

}  // namespace
}  // namespace flakestat::report
