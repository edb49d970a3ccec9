// What a hunt holds back until it is verified, and how it is stored then.
#include "app/hunt_burst.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "store/history_reader.hpp"
#include "testing/fake_clock.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class HuntBurstTest : public ::testing::Test {
 protected:
  HuntBurstTest() {
    settings_.dir = folder_.path();
    provenance_.run_id = "r";
    world_.now = [] { return UnixMillis{1'786'960'800'000}; };
    world_.warn = [this](std::string_view line) { said_ += line; };
    world_.note = world_.warn;
  }

  static run::RunEvidence evidence(int run, Status a, Status b) {
    run::RunEvidence out;
    out.run = run;
    out.mode = run::RunMode::beside;
    out.isolation = "fs";
    for (const auto& [name, status] : {std::pair{"a", a}, std::pair{"b", b}}) {
      Case each;
      each.suite = each.class_name = "s";
      each.name = name;
      each.status = status;
      out.cases.push_back(each);
    }
    return out;
  }

  static TestId id_of(const std::string& name) { return test_id("s", "s", name); }

  /// `run name status isolation contended` of every line of the log.
  [[nodiscard]] std::vector<std::string> logged() const {
    std::vector<std::string> lines;
    auto read = store::read_history(settings_.dir, [&](const ObservationView& o) {
      lines.push_back(std::to_string(o.attempt) + " " + std::string(o.name) + " " + std::string(to_string(o.status)) +
                      " " + std::string(o.isolation) + (o.contended ? " contended" : ""));
    });
    EXPECT_TRUE(read.ok());
    return lines;
  }

  testing::TempDir folder_;
  World world_;
  Settings settings_;
  Provenance provenance_;
  std::string said_;
  testing::FakeClock clock_;
  HuntBurst burst_{world_, settings_, provenance_, {clock_}};
};

TEST_F(HuntBurstTest, WhatIsInDoubtIsHeldAndTheRestStoredAtOnce) {
  auto run = evidence(2, Status::fail, Status::pass);
  run.in_doubt = {id_of("a")};
  ASSERT_TRUE(burst_.store(std::move(run)).ok());
  EXPECT_THAT(logged(), ElementsAre("2 b pass fs"));
  EXPECT_EQ(burst_.stored(), 1U);
  ASSERT_TRUE(burst_.release({}).ok());
  EXPECT_THAT(logged(), UnorderedElementsAre("2 b pass fs", "2 a fail fs"));
}

TEST_F(HuntBurstTest, WhatDidNotHappenAloneIsStoredContended) {
  auto run = evidence(2, Status::fail, Status::fail);
  run.in_doubt = {id_of("a"), id_of("b")};
  std::sort(run.in_doubt.begin(), run.in_doubt.end());
  ASSERT_TRUE(burst_.store(std::move(run)).ok());
  EXPECT_THAT(logged(), IsEmpty());
  run::Doubt doubt;
  doubt.tally.test = {"s", "s", "a", ""};
  ASSERT_TRUE(burst_.release({doubt}).ok());
  EXPECT_THAT(logged(), UnorderedElementsAre("2 a fail fs contended", "2 b fail fs"));
}

TEST_F(HuntBurstTest, ADemotedTestIsSuspectNotFlakyInThisReportAndInLaterOnes) {
  for (int run = 2; run <= 9; ++run) {
    auto each = evidence(run, run % 2 == 0 ? Status::fail : Status::pass, Status::pass);
    if (run % 2 == 0) each.in_doubt = {id_of("a")};
    ASSERT_TRUE(burst_.store(std::move(each)).ok());
  }
  run::Doubt doubt;
  doubt.tally.test = {"s", "s", "a", ""};
  ASSERT_TRUE(burst_.release({doubt}).ok());
  stats::ScoringOptions options;
  options.min_runs = 2;
  const auto verdict_of_a = [](const stats::Scores& scores) {
    for (const auto& test : scores.tests) {
      if (test.name == "a") return test.verdict;
    }
    return Verdict::insufficient_data;
  };
  EXPECT_EQ(verdict_of_a(burst_.history().score(options)), Verdict::suspect);
  stats::History later;
  ASSERT_TRUE(store::read_history(settings_.dir, [&](const ObservationView& o) { later.add(o); }).ok());
  EXPECT_EQ(verdict_of_a(later.score(options)), Verdict::suspect);
}

TEST_F(HuntBurstTest, SoManyDoubtsThatMemoryWouldNotDoAreStoredContendedAndSaid) {
  HuntBurst burst(world_, settings_, provenance_, {clock_, true, 2});
  for (int number = 2; number <= 4; ++number) {
    auto run = evidence(number, Status::fail, Status::pass);
    run.in_doubt = {id_of("a")};
    ASSERT_TRUE(burst.store(std::move(run)).ok());
  }
  EXPECT_EQ(burst.stored(), 6U);
  const auto lines = logged();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "3 a fail fs contended"), 1);
  EXPECT_NE(said_.find("too many to verify"), std::string::npos);
}

}  // namespace
}  // namespace flakestat::app
