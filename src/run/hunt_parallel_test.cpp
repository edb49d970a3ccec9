// Parallel runs: what copies show is verified alone before it counts.
#include <gmock/gmock.h>

#include <cerrno>
#include <filesystem>

#include "run/hunt_test_world.hpp"
#include "run/run_once.hpp"
#include "run/suite_level.hpp"

namespace flakestat::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TestId id_of(const std::string& name) { return test_id("s", "s", name); }

class HuntParallelTest : public HuntWorld {
 protected:
  HuntParallelTest() {
    plan_.runs = 6;
    plan_.parallel = 3;
    plan_.verify = 2;
  }

  // `a` fails in these runs.
  OneRun failing(std::vector<int> runs) {
    return [this, runs = std::move(runs)](int run) {
      const bool fails = std::find(runs.begin(), runs.end(), run) != runs.end();
      report(run, fails ? "fail a pass b" : "pass a pass b");
      return exits(fails ? 1 : 0);
    };
  }

  [[nodiscard]] const RunEvidence& evidence_of(int run) const {
    return *std::find_if(evidence_.begin(), evidence_.end(), [run](const auto& each) { return each.run == run; });
  }
};

TEST_F(HuntParallelTest, RunOneIsAloneAndTheOthersAreBesideEachOther) {
  const auto result = hunt(failing({}));
  ASSERT_THAT(result.runs, SizeIs(6));
  for (const auto& run : result.runs) EXPECT_EQ(run.mode, run.run == 1 ? RunMode::alone : RunMode::beside);
  EXPECT_THAT(specs_, SizeIs(1));
  EXPECT_EQ(most_at_once_, 3U);
  EXPECT_EQ(unreleased_, 0U);
  EXPECT_EQ(result.verifying, 0);
  EXPECT_EQ(evidence_of(1).isolation, "");
  EXPECT_EQ(evidence_of(2).isolation, "none");
}

TEST_F(HuntParallelTest, RunsThatEndInAnyOrderAreToldInTheirOwn) {
  last_started_first_ = true;
  const auto result = hunt(failing({2, 4}));
  std::vector<int> numbers;
  for (const auto& run : result.runs) numbers.push_back(run.run);
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST_F(HuntParallelTest, WhatDoesNotHappenAloneIsContended) {
  const auto result = hunt(failing({3}));
  EXPECT_EQ(result.verifying, 2);
  ASSERT_THAT(result.contended, SizeIs(1));
  const auto& doubt = result.contended.front();
  EXPECT_EQ(doubt.tally.test.name, "a");
  EXPECT_EQ(doubt.tally.alone, (Tally{3, 0}));
  EXPECT_EQ(doubt.tally.beside, (Tally{4, 1}));
  EXPECT_FALSE(doubt.isolation_sensitive);
  EXPECT_THAT(evidence_of(3).in_doubt, ElementsAre(id_of("a")));
  EXPECT_THAT(evidence_of(2).in_doubt, IsEmpty());
}

TEST_F(HuntParallelTest, WhatHappensAloneTooIsNotContendedAndEndsTheVerifying) {
  const auto result = hunt(failing({3, 7}));
  EXPECT_EQ(result.verifying, 1);
  EXPECT_THAT(result.contended, IsEmpty());
}

TEST_F(HuntParallelTest, VerifyingRunsAreOrdinaryEvidence) {
  hunt(failing({3}));
  EXPECT_THAT(stored(7), UnorderedElementsAre("pass a", "pass b"));
  EXPECT_EQ(evidence_of(7).mode, RunMode::alone);
  EXPECT_EQ(evidence_of(7).isolation, "");
}

TEST_F(HuntParallelTest, RunOneAgainstAllCopiesIsIsolationSensitive) {
  const auto result = hunt(failing({1, 7, 8}));
  ASSERT_THAT(result.contended, SizeIs(1));
  EXPECT_TRUE(result.contended.front().isolation_sensitive);
  EXPECT_THAT(evidence_of(2).in_doubt, ElementsAre(id_of("a"))) << "its pass is in doubt, since it failed alone";
}

TEST_F(HuntParallelTest, WhatIsNotVerifiedIsContended) {
  plan_.verify = 0;
  const auto result = hunt(failing({3}));
  EXPECT_THAT(result.runs, SizeIs(6));
  ASSERT_THAT(result.contended, SizeIs(1));
  EXPECT_THAT(evidence_of(3).in_doubt, ElementsAre(id_of("a")));
}

TEST_F(HuntParallelTest, AnInterruptedVerificationLeavesTheDoubt) {
  const auto result = hunt([&](int run) {
    if (run == 7) interrupts_.set(sys::Interrupt::finish);
    return failing({3})(run);
  });
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(result.contended, SizeIs(1));
}

TEST_F(HuntParallelTest, CopiesWithTheirOwnNetworkProveWithoutVerification) {
  plan_.verify = 0;
  plan_.isolation.emplace();
  plan_.isolation->isolation.net = true;
  const auto result = hunt(failing({3}));
  EXPECT_THAT(result.contended, IsEmpty());
  EXPECT_THAT(evidence_of(3).in_doubt, IsEmpty());
}

TEST_F(HuntParallelTest, ARunThatGivesNothingBesideOthersIsVerifiedAsTheSuiteLevelTest) {
  const auto result = hunt([&](int run) {
    if (run == 4) return ends(sys::ChildEnd::signalled, 11);
    return failing({})(run);
  });
  EXPECT_EQ(result.verifying, 2);
  ASSERT_THAT(result.contended, SizeIs(1));
  EXPECT_EQ(result.contended.front().tally.test.suite, kSuiteLevel);
  const auto& failure =
      *std::find_if(evidence_.begin(), evidence_.end(), [](const auto& each) { return each.run == 4; });
  EXPECT_THAT(failure.in_doubt, SizeIs(1)) << "held until it was verified";
}

TEST_F(HuntParallelTest, ExitCodesOnlyAreVerifiedToo) {
  plan_.junit.clear();
  plan_.command = {"suite"};
  const auto result = hunt([](int run) { return exits(run == 4 ? 1 : 0); });
  EXPECT_EQ(result.verifying, 2);
  ASSERT_THAT(result.contended, SizeIs(1));
  EXPECT_EQ(result.contended.front().tally.beside, (Tally{4, 1}));
}

TEST_F(HuntParallelTest, UntilFailStopsAndVerifies) {
  plan_.until_fail = true;
  plan_.runs = 50;
  const auto result = hunt(failing({3}));
  EXPECT_LE(result.runs.size(), 1U + 4 + 2);
  EXPECT_EQ(result.verifying, 2);
}

TEST_F(HuntParallelTest, ALostCopyCountsForNothingAndIsSaid) {
  const auto result = hunt([&](int run) {
    if (run != 4) return failing({})(run);
    auto lost = ends(sys::ChildEnd::lost);
    lost.start_problem = "the keeper was killed";
    return lost;
  });
  EXPECT_THAT(result.runs, SizeIs(5));
  EXPECT_THAT(stored(4), IsEmpty());
  EXPECT_THAT(warnings(result), HasSubstr("run 4: lost, and counted for nothing: the keeper was killed"));
  EXPECT_FALSE(result.problem);
}

TEST_F(HuntParallelTest, WhenEveryCopyIsLostTheHuntIsBroken) {
  plan_.runs = 100;
  const auto result = hunt([&](int run) { return run == 1 ? failing({})(run) : ends(sys::ChildEnd::lost); });
  ASSERT_TRUE(result.problem);
  EXPECT_EQ(result.problem->kind, ErrorKind::internal);
  EXPECT_LT(specs_.size(), 10U);
  EXPECT_THAT(stored(1), Not(IsEmpty())) << "run 1 is kept";
}

TEST_F(HuntParallelTest, ACopyThatDoesNotStartIsLostAndNoFailure) {
  const auto result = hunt([&](int run) {
    if (run != 4) return failing({})(run);
    auto missing = ends(sys::ChildEnd::failed_to_start, ENOENT);
    missing.start_problem = "run suite: No such file or directory";
    return missing;
  });
  EXPECT_THAT(stored(4), IsEmpty());
  EXPECT_THAT(warnings(result), HasSubstr("run 4: lost, and counted for nothing: run suite: No such file"));
  EXPECT_FALSE(result.disagreed);
}

TEST_F(HuntParallelTest, WithoutRoomForAllCopiesFewerRunAtATime) {
  room_ = 2;
  const auto result = hunt(failing({}));
  EXPECT_THAT(result.runs, SizeIs(6));
  EXPECT_EQ(most_at_once_, 2U);
  EXPECT_THAT(warnings(result), HasSubstr("no room for 3 copies at a time: no processes"));
  EXPECT_FALSE(result.problem);
}

TEST_F(HuntParallelTest, WithoutRoomForAnyCopyTheHuntIsBrokenAndKeepsWhatItHas) {
  room_ = 0;
  const auto result = hunt(failing({}));
  ASSERT_TRUE(result.problem);
  EXPECT_THAT(result.problem->message, HasSubstr("no processes"));
  EXPECT_THAT(stored(1), Not(IsEmpty()));
}

TEST(HuntReportPlaces, AFileSystemBelowTheTreeIsNoPlaceOfTheCopysOwn) {
  HuntPlan plan;
  plan.isolation.emplace();
  plan.isolation->isolation.fs = true;
  plan.isolation->tree = "/tree";
  plan.isolation->shared = {"/tree/mounted"};
  EXPECT_TRUE(has_own_place(plan, "/tree/out/r.xml"));
  EXPECT_TRUE(has_own_place(plan, "/tree/out/*.xml"));
  EXPECT_FALSE(has_own_place(plan, "/tree/mounted/r.xml"));
  EXPECT_FALSE(has_own_place(plan, "/tree/**/r.xml"));
}

TEST_F(HuntParallelTest, OnePathForAllCopiesNeedsIsolation) {
  plan_.junit = "out/report.txt";
  const auto refused = try_hunt(failing({}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_THAT(refused.error().message, HasSubstr("{run}"));
}

TEST_F(HuntParallelTest, ReportsAreReadWhereTheCopyWroteThem) {
  plan_.runs = 4;
  plan_.junit = "out/report.txt";
  plan_.isolation.emplace();
  plan_.isolation->isolation.fs = true;
  plan_.isolation->tree = folder_.path();
  root_ = folder_.file("copy");
  const auto result = hunt([&](int run) {
    const auto place = run == 1 ? std::string("out/report.txt") : "copy" + folder_.path().string() + "/out/report.txt";
    folder_.write(place, run == 3 ? "fail a end end" : "pass a end end");
    return exits(run == 3 ? 1 : 0);
  });
  ASSERT_GE(result.runs.size(), 4U);
  EXPECT_THAT(stored(3), ElementsAre("fail a"));
  EXPECT_EQ(evidence_of(3).isolation, "fs");
  EXPECT_EQ(testing::slurp(folder_.file("out/report.txt")), "pass a end end") << "run 1's report is put back";
}

TEST_F(HuntParallelTest, LinksOnTheWayToAReportAreFollowedInsideTheCopy) {
  plan_.runs = 2;
  plan_.junit = "link/report.txt";
  plan_.isolation.emplace();
  plan_.isolation->isolation.fs = true;
  plan_.isolation->tree = folder_.path();
  folder_.write("real/nothing", "");
  std::filesystem::create_directory_symlink(folder_.file("real"), folder_.file("link"));
  root_ = folder_.file("copy");
  folder_.write("copy" + folder_.path().string() + "/real/nothing", "");
  std::filesystem::create_directory_symlink(folder_.file("real"), root_ + folder_.file("link"));
  hunt([&](int run) {
    const auto place = run == 1 ? std::string() : "copy" + folder_.path().string() + "/";
    folder_.write(place + "real/report.txt", run == 1 ? "pass a end end" : "pass b end end");
    return exits(0);
  });
  EXPECT_THAT(stored(2), ElementsAre("pass b"));
}

TEST_F(HuntParallelTest, KeptPathsAreAskedForOfEachCopy) {
  plan_.runs = 3;
  plan_.keep = {"cov-{run}"};
  hunt(failing({}));
  EXPECT_THAT(kept_,
              UnorderedElementsAre(std::pair<int, std::string>(1, "cov-2"), std::pair<int, std::string>(2, "cov-3")));
}

TEST(HuntIsolation, IsNamedAsObservationsCarryIt) {
  HuntPlan plan;
  EXPECT_EQ(isolation_of(plan), "none");
  plan.isolation.emplace();
  plan.isolation->isolation = {true, true, true, false};
  EXPECT_EQ(isolation_of(plan), "fs,tmp,pid");
}

}  // namespace
}  // namespace flakestat::run
