#include "formats/case_groups.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace flakestat::formats {
namespace {

// Cases written as "suite.name" with one letter a status: P, F, E, S.
class CaseGroups : public ::testing::Test {
 protected:
  void add(const std::string& suite, const std::string& name, std::string_view outcomes) {
    for (const char c : outcomes) {
      Case one;
      one.suite = suite;
      one.class_name = "C";
      one.name = name;
      one.status = c == 'P' ? Status::pass : c == 'F' ? Status::fail : c == 'E' ? Status::error : Status::skip;
      cases_.push_back(one);
      ids_.push_back(test_id(suite, "C", name));
    }
  }

  Relation relation(std::size_t index) { return group_cases(cases_, ids_).at(index).relation; }

  std::vector<Case> cases_;
  std::vector<TestId> ids_;
};

TEST_F(CaseGroups, OneCaseIsSingle) {
  add("s", "a", "P");
  add("s", "b", "F");
  EXPECT_EQ(relation(0), Relation::single);
  EXPECT_EQ(relation(1), Relation::single);
}

TEST_F(CaseGroups, EqualNamesOfGoAreRepetitionsSinceGoNumbersItsSubtests) {
  add("s", "a", "PPFP");
  add("s", "b", "P");
  EXPECT_EQ(relation(0), Relation::ambiguous);
  for (auto& each : cases_) each.properties["go.version"] = "go1.26.8 linux/amd64";
  EXPECT_EQ(relation(0), Relation::repetitions);
}

TEST_F(CaseGroups, FailedTriesBeforeAPassAreAttemptsInGoToo) {
  add("s", "a", "FFP");
  for (auto& each : cases_) each.properties["go.version"] = "go1.26.8 linux/amd64";
  EXPECT_EQ(relation(0), Relation::attempts);
}

TEST_F(CaseGroups, EqualCountsInASuiteAreRepetitions) {
  add("s", "a", "PFP");
  add("s", "b", "PPP");
  EXPECT_EQ(relation(0), Relation::repetitions);
  EXPECT_EQ(relation(5), Relation::repetitions);
}

TEST_F(CaseGroups, AnotherSuiteDoesNotDisturbRepetitions) {
  add("s", "a", "PFP");
  add("s", "b", "PPP");
  add("t", "c", "P");
  EXPECT_EQ(relation(1), Relation::repetitions);
  EXPECT_EQ(relation(6), Relation::single);
}

TEST_F(CaseGroups, AllButTheLastFailedAreAttempts) {
  add("s", "a", "FEP");
  add("s", "b", "P");
  add("s", "c", "FF");
  EXPECT_EQ(relation(0), Relation::attempts);
  EXPECT_EQ(relation(4), Relation::attempts);
}

// A pytest plugin writes an empty case for every failed attempt, then the last one.
TEST_F(CaseGroups, EmptyEarlierAttemptsAreAmbiguous) {
  add("s", "t", "PPF");
  EXPECT_EQ(relation(0), Relation::ambiguous);
  add("s", "other", "P");
  EXPECT_EQ(relation(0), Relation::ambiguous);
}

// One parameter passed, the other failed and was retried; the names are equal.
TEST_F(CaseGroups, EqualParameterNamesAreAmbiguous) {
  add("s", "t", "PFFF");
  EXPECT_EQ(relation(0), Relation::ambiguous);
}

TEST_F(CaseGroups, ASuiteOfOneTestIsJudgedByTheWholeReport) {
  add("pkg/a", "TestA", "PFP");
  add("pkg/b", "TestB", "PPP");
  EXPECT_EQ(relation(0), Relation::repetitions);
  add("pkg/c", "TestC", "P");
  EXPECT_EQ(relation(0), Relation::ambiguous);
}

TEST_F(CaseGroups, ALoneTestThatAlwaysAgreesIsRepeated) {
  add("s", "t", std::string(12, 'P'));
  EXPECT_EQ(relation(11), Relation::repetitions);
  EXPECT_EQ(group_cases(cases_, ids_).at(11).ordinal, 11u);
}

TEST_F(CaseGroups, ALoneTestRerunUntilItPassedIsAttempts) {
  add("s", "t", "FFP");
  EXPECT_EQ(relation(2), Relation::attempts);
}

TEST_F(CaseGroups, UnequalCountsAreJudgedOneByOne) {
  add("s", "a", "PPP");
  add("s", "b", "PP");
  EXPECT_EQ(relation(0), Relation::ambiguous);
}

TEST_F(CaseGroups, OrdinalsFollowTheDocument) {
  add("s", "a", "P");
  add("s", "b", "P");
  add("s", "a", "F");
  add("s", "b", "P");
  const auto places = group_cases(cases_, ids_);
  EXPECT_EQ(places[0].ordinal, 0u);
  EXPECT_EQ(places[2].ordinal, 1u);
  EXPECT_EQ(places[0].group, places[2].group);
  EXPECT_NE(places[0].group, places[1].group);
}

TEST_F(CaseGroups, EmptyReport) { EXPECT_TRUE(group_cases(cases_, ids_).empty()); }

}  // namespace
}  // namespace flakestat::formats
