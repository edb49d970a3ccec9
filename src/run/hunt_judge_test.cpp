#include "run/hunt_judge.hpp"

#include <gmock/gmock.h>

#include <ostream>

#include "run/hunt_test_world.hpp"

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Given {
  std::string cases;
  int code = 0;
  RunEnd end = RunEnd::exited;
  ReportState report = ReportState::whole;
  bool narrowed = false;
};

Given narrowed(const std::string& cases, int code = 0) {
  return {cases, code, RunEnd::exited, ReportState::whole, true};
}

class JudgeTest : public ::testing::Test {
 protected:
  void add(const Given& given) {
    judge_.add({++runs_, given.end, given.code, given.report, "", RunMode::alone, given.narrowed},
               test_cases(given.cases));
  }
  std::string worths() const {
    static constexpr const char* kLetters = "wstpu";  // waiting, sound, tolerated, partial, unsound
    std::string letters;
    for (const auto& judged : judge_.judged()) letters += kLetters[static_cast<std::size_t>(judged.worth)];
    return letters;
  }

  HuntJudge judge_{true};
  int runs_ = 0;
};

struct Row {
  const char* rule;
  std::vector<Given> runs;
  const char* worths;
  bool disagreed;
};

// Names without the bytes of the object: addresses would rename the test in every build.
void PrintTo(const Row& param, std::ostream* out) { *out << param.rule; }

class JudgeTable : public JudgeTest, public ::testing::WithParamInterface<Row> {};

TEST_P(JudgeTable, Holds) {
  for (const auto& given : GetParam().runs) add(given);
  judge_.settle_all();
  EXPECT_EQ(worths(), GetParam().worths);
  EXPECT_EQ(judge_.disagreed(), GetParam().disagreed);
}

constexpr auto kTimedOut = RunEnd::timed_out;
constexpr auto kKilled = RunEnd::signalled;

INSTANTIATE_TEST_SUITE_P(
    Rules, JudgeTable,
    ::testing::Values(
        Row{"NarrowedRunsLackNothing", {{"pass a pass b"}, {"pass a pass b"}, narrowed("pass a")}, "sss", false},
        Row{"NarrowedRunsWithoutACase", {{"pass a pass b"}, {"pass a pass b"}, narrowed("")}, "ssu", false},
        Row{"NarrowedRunsDisagreeWithWholeOnes", {{"pass a pass b"}, narrowed("fail a", 1)}, "ss", true},
        Row{"NarrowedRunsEndLikeEachOther",
            {{"pass a pass b"}, {"pass a pass b"}, narrowed("pass a", 1), narrowed("pass a", 1)},
            "sstt",
            false},
        Row{"OneGreenRun", {{"pass a"}}, "s", false}, Row{"GreenAndFailing", {{"pass a"}, {"fail a", 1}}, "ss", true},
        Row{"FailuresWithExitZero", {{"fail a", 0}, {"fail a", 0}}, "ss", false},
        Row{"EveryRunOdd", {{"pass a", 1}, {"pass a", 1}}, "tt", false},
        Row{"OneOddRun", {{"pass a"}, {"pass a", 1}, {"pass a"}}, "sus", true},
        Row{"OddBesideFailing", {{"fail a", 1}, {"pass a", 1}}, "su", true},
        Row{"OddButOneOtherwise", {{"pass a", 2}, {"pass a", 2}, {"pass a", 139}}, "ttu", false},
        Row{"OddEachOtherwise", {{"pass a", 1}, {"pass a", 2}}, "tt", false},
        Row{"OddBySignal", {{"pass a", 0}, {"pass a", 11, kKilled}}, "su", true},
        Row{"SignalWithAFailingCase", {{"pass a"}, {"error a", 11, kKilled}}, "ss", true},
        Row{"SomeLostCases", {{"pass a"}, {"pass a pass b"}, {"pass a pass b"}}, "uss", true},
        Row{"EveryRunLostCases", {{"pass a pass c"}, {"pass a pass b"}}, "tt", false},
        Row{"LossAfterAFailure", {{"pass a pass b"}, {"fail a", 1}}, "ss", true},
        Row{"LossWithExitZeroThoughFailuresAreLoud", {{"fail a pass b", 1}, {"fail a", 0}}, "su", true},
        Row{"LossWithExitZeroWhereFailuresAreQuiet", {{"fail a pass b", 0}, {"fail a", 0}}, "ss", false},
        Row{"OddAndLost", {{"pass a pass b", 2}, {"pass a", 2}}, "tu", true},
        Row{"AllLost", {{"", 0}, {"pass a", 0}}, "us", true},
        Row{"NoReport", {{"pass a"}, {"", 0, RunEnd::exited, ReportState::missing}}, "su", true},
        Row{"OnlyNoReports", {{"", 0, RunEnd::exited, ReportState::missing}}, "u", false},
        Row{"StaleReport", {{"pass a"}, {"", 0, RunEnd::exited, ReportState::stale}}, "su", true},
        Row{"CutOffByItself", {{"pass a"}, {"pass a", 0, RunEnd::exited, ReportState::cut_off}}, "su", true},
        Row{"CutOffByASignal", {{"pass a"}, {"fail a", 9, kKilled, ReportState::cut_off}}, "sp", true},
        Row{"TimedOutWithPart", {{"pass a"}, {"pass a", 0, kTimedOut, ReportState::cut_off}}, "sp", true},
        Row{"TimedOutWithAll", {{"pass a"}, {"pass a", 0, kTimedOut}}, "sp", true},
        Row{"TimedOutWithNothing", {{"pass a"}, {"", 0, kTimedOut, ReportState::missing}}, "su", true},
        Row{"AllTimedOut", {{"pass a", 0, kTimedOut}, {"pass a", 0, kTimedOut}}, "pp", false},
        Row{"NotStarted", {{"pass a"}, {"", 2, RunEnd::failed_to_start, ReportState::missing}}, "su", true},
        Row{"SetUpFailureUnderItsOwnName", {{"pass a pass b"}, {"error setUp", 1}}, "ss", false},
        Row{"FlakyInOneRun", {{"flaky a"}, {"pass a"}}, "ss", true}),
    [](const auto& param_info) { return std::string(param_info.param.rule); });

TEST_F(JudgeTest, TheFirstGreenRunWaitsForASecondThatShowsTheSame) {
  add({"pass a"});
  EXPECT_EQ(worths(), "w");
  add({"pass a"});
  EXPECT_EQ(worths(), "ss");
  add({"pass a"});
  EXPECT_EQ(worths(), "sss");
}

TEST_F(JudgeTest, AShortRunWaitsToTheEndAndTheOthersDoNotWaitForIt) {
  add({"pass a"});
  add({"pass a pass b"});
  EXPECT_EQ(worths(), "ww");
  add({"pass a pass b"});
  EXPECT_EQ(worths(), "wss");
  judge_.settle_all();
  EXPECT_EQ(worths(), "uss");
}

TEST_F(JudgeTest, AFailingRunWaitsForNothing) {
  add({"fail a", 1});
  EXPECT_EQ(worths(), "s");
}

TEST_F(JudgeTest, AnOddRunIsDecidedWhenAnotherEndsOtherwise) {
  add({"pass a", 1});
  EXPECT_EQ(worths(), "w");
  add({"pass a"});
  EXPECT_EQ(worths()[0], 'u');
}

TEST_F(JudgeTest, ALossThatShowsTooLateIsSaidAndNotHidden) {
  add({"pass a"});
  add({"pass a"});
  EXPECT_EQ(worths(), "ss");
  add({"pass a pass b"});
  add({"pass a pass b"});
  judge_.settle_all();
  EXPECT_EQ(worths(), "uuss");
  EXPECT_TRUE(judge_.judged()[0].late);
  EXPECT_THAT(judge_.warnings(), ::testing::Contains(HasSubstr("runs 1, 2: the cases had been stored before")));
}

TEST_F(JudgeTest, DecidingEarlyIsFinalForWhatWasWaiting) {
  add({"pass a", 1});
  judge_.settle_all();
  EXPECT_EQ(worths(), "t");
  add({"pass a"});
  judge_.settle_all();
  EXPECT_EQ(worths(), "us");
  EXPECT_TRUE(judge_.judged()[0].late);
}

TEST_F(JudgeTest, PartsOfASuiteInRandomOrderAreNoRenamedTests) {
  add({"pass t[1] pass t[2] pass t[3] pass t[4]"});
  add({"pass t[1] fail t[2]", 1});
  add({"pass t[3] fail t[4]", 1});
  judge_.settle_all();
  EXPECT_THAT(judge_.warnings(), ::testing::Not(::testing::Contains(HasSubstr("changed their"))));
}

TEST_F(JudgeTest, NamesThatVaryAreFoundBesideATestThatAlwaysFails) {
  add({"pass t[17] fail b", 1});
  add({"pass t[23] fail b", 1});
  judge_.settle_all();
  EXPECT_THAT(judge_.warnings(), ::testing::Contains(HasSubstr("the part 17 / 23 varies")));
}

TEST_F(JudgeTest, NothingToWarnOfInAHealthyHunt) {
  for (int i = 0; i < 4; ++i) add({i == 2 ? "fail a" : "pass a", i == 2 ? 1 : 0});
  judge_.settle_all();
  EXPECT_THAT(judge_.warnings(), IsEmpty());
  EXPECT_FALSE(judge_.never_reported());
  EXPECT_FALSE(judge_.never_had_cases());
}

TEST_F(JudgeTest, WithoutReportsTheExitCodeIsTheResult) {
  HuntJudge judge(false);
  judge.add({1, RunEnd::exited, 0, ReportState::not_asked, ""}, {});
  EXPECT_FALSE(judge.disagreed());
  judge.add({2, RunEnd::signalled, 11, ReportState::not_asked, ""}, {});
  EXPECT_TRUE(judge.disagreed());
  EXPECT_EQ(judge.judged()[1].worth, RunWorth::sound);
  EXPECT_FALSE(judge.never_reported());
}

TEST(RunList, IsShort) {
  EXPECT_EQ(run_list({3}), "run 3");
  EXPECT_EQ(run_list({1, 2}), "runs 1, 2");
  EXPECT_EQ(run_list({1, 2, 3, 7, 9, 10, 11}), "runs 1-3, 7, 9-11");
}

TEST(DescribeEnd, NamesTheSignal) {
  EXPECT_EQ(describe_end(RunEnd::signalled, 11), "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(describe_end(RunEnd::exited, 3), "exit code 3");
  EXPECT_EQ(describe_end(RunEnd::signalled, 999), "killed by signal 999");
}

TEST_F(JudgeTest, ResultsOfARunThatIsNotBelievedAfterAllAreTakenBack) {
  add({"pass a"});
  for (int i = 0; i < 4; ++i) add({"pass a pass z"});
  judge_.settle_all();
  EXPECT_EQ(worths(), "ussss");
  for (const auto& [id, test] : judge_.outcomes().tests()) EXPECT_EQ(test.total(), (Tally{4, 0})) << test.test.name;
}

}  // namespace
}  // namespace flakestat::run
