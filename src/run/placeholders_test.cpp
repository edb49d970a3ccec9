#include "run/placeholders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;

TEST(Placeholders, EveryOneInEveryArgumentIsExpanded) {
  EXPECT_THAT(expand_command({"t", "{run}-{run}", "--o={junit}"}, 12, "/r/12.xml"),
              ElementsAre("t", "12-12", "--o=/r/12.xml"));
}

TEST(Placeholders, OtherBracesStay) { EXPECT_EQ(expand_run("{runs} ${run} {} {RUN} {", 3), "{runs} $3 {} {RUN} {"); }

TEST(Placeholders, APathThatHoldsAPlaceholderIsNotExpandedAgain) {
  EXPECT_THAT(expand_command({"{junit}"}, 3, "/{run}/{junit}"), ElementsAre("/{run}/{junit}"));
}

TEST(Placeholders, UseOfJunitIsSeenInsideAnArgument) {
  EXPECT_TRUE(uses_junit({"t", "xml:{junit}"}));
  EXPECT_FALSE(uses_junit({"t", "{run}", "junit"}));
}

TEST(Placeholders, TheReportsPathIsTakenOutAgain) {
  const std::vector<std::string> command = {"t", "--out={junit}", "{junit}"};
  EXPECT_EQ(without_junit(expand_command(command, 3, "/r/3.xml"), "/r/3.xml"), command);
  EXPECT_EQ(without_junit({"t", ""}, ""), (std::vector<std::string>{"t", ""}));
}

}  // namespace
}  // namespace flakestat::run
