#include "rules/ledger_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "model/identity.hpp"

namespace flakestat::rules {
namespace {

class LedgerHistoryTest : public ::testing::Test {
 protected:
  ObservationView& add(const std::string& run, const std::string& name, int attempt, Status status) {
    texts_.push_back({run, name});
    ObservationView view;
    view.run_id = texts_.back().first;
    view.name = texts_.back().second;
    view.class_name = "tests.test_a";
    view.file = "tests/test_a.py";
    view.suite = "pytest";
    view.test_id = test_id(view.suite, view.class_name, view.name);
    view.source = Source::run;
    view.attempt = attempt;
    view.status = status;
    view.ts = 1'783'850'000'000 + attempt * 1000;
    view.has_ts = true;
    views_.push_back(view);
    return views_.back();
  }

  LedgerRuns learned() {
    LedgerHistory history;
    for (const auto& view : views_) history.notice(view);
    for (const auto& view : views_) history.take(view);
    runs_ = history.runs();
    return history.finish();
  }

  std::deque<std::pair<std::string, std::string>> texts_;
  std::vector<ObservationView> views_;
  std::size_t runs_ = 0;
};

TEST_F(LedgerHistoryTest, APassAfterAFailureIsFlakyAndALastFailureIsFailed) {
  add("r1", "flaky", 0, Status::fail);
  add("r1", "flaky", 1, Status::pass);
  add("r1", "failed", 0, Status::fail);
  add("r1", "failed", 1, Status::error);
  add("r1", "passed", 0, Status::pass);
  add("r2", "passed", 0, Status::pass);
  const auto runs = learned();
  EXPECT_EQ(runs, (LedgerRuns{{"r1",
                               {{"tests/test_a.py::flaky", {1, 0, 1'783'850'001, 0}},
                                {"tests/test_a.py::failed", {0, 1, 1'783'850'001, 1'783'850'001}}}}}));
  EXPECT_EQ(runs_, 2u);
}

TEST_F(LedgerHistoryTest, TheOrderOfTheLinesMakesNoDifferenceNorDoLinesThatAreThereTwice) {
  add("r1", "t", 2, Status::pass);
  add("r1", "t", 0, Status::fail);
  add("r1", "t", 1, Status::fail);
  const auto expected = learned();
  views_.insert(views_.end(), views_.begin(), views_.begin() + 3);
  std::reverse(views_.begin(), views_.end());
  EXPECT_EQ(learned(), expected);
  EXPECT_EQ(expected.at("r1").at("tests/test_a.py::t"), (LedgerEntry{1, 0, 1'783'850'002, 0}));
}

TEST_F(LedgerHistoryTest, QuarantinedFailuresCount) {
  add("r1", "t", 0, Status::fail).quarantined = true;
  EXPECT_EQ(learned().at("r1").at("tests/test_a.py::t").failed, 1u);
}

TEST_F(LedgerHistoryTest, SanitisedAttemptsCountForNothing) {
  auto& only = add("r1", "sanitised", 0, Status::skip);
  only.sanitised = true;
  only.raw_status = Status::fail;
  add("r1", "failed_before", 0, Status::fail);
  add("r1", "failed_before", 1, Status::skip).sanitised = true;
  const auto runs = learned();
  ASSERT_EQ(runs.at("r1").size(), 1u);
  EXPECT_EQ(runs.at("r1").at("tests/test_a.py::failed_before").failed, 1u);
}

TEST_F(LedgerHistoryTest, ASkipAfterAFailureIsNeither) {
  add("r1", "t", 0, Status::fail);
  add("r1", "t", 1, Status::skip);
  EXPECT_TRUE(learned().empty());
}

TEST_F(LedgerHistoryTest, TheFrameworksOwnRerunsCount) {
  add("r1", "t", 0, Status::pass).known_flaky = true;
  EXPECT_EQ(learned().at("r1").at("tests/test_a.py::t").flaky, 1u);
}

TEST_F(LedgerHistoryTest, RepetitionsAreJudgedEachForItself) {
  add("r1", "t", 0, Status::fail);
  add("r1", "t", 0, Status::pass).repetition = 1;
  const auto runs = learned();
  EXPECT_EQ(runs.at("r1").at("tests/test_a.py::t"), (LedgerEntry{0, 1, 1'783'850'000, 1'783'850'000}));
}

TEST_F(LedgerHistoryTest, OnlyRunsCount) {
  add("r1", "t", 0, Status::fail).source = Source::hunt;
  add("r2", "t", 0, Status::fail).source = Source::ci;
  add("", "t", 0, Status::fail);
  EXPECT_TRUE(learned().empty());
  EXPECT_EQ(runs_, 0u);
}

TEST_F(LedgerHistoryTest, ATestWithoutAPythonFileIsNamedAsItIsShown) {
  auto view = add("r1", "t", 0, Status::fail);
  view.file = {};
  EXPECT_EQ(ledger_key(view), "tests.test_a::t");
  view.file = "src/a_test.go";
  EXPECT_EQ(ledger_key(view), "tests.test_a::t");
  view.file = "tests/test_a.py";
  view.class_name = "tests.test_a.TestOne";
  EXPECT_EQ(ledger_key(view), "tests/test_a.py::TestOne::t");
}

TEST_F(LedgerHistoryTest, ALineWithoutATimeHasNone) {
  add("r1", "t", 0, Status::fail).has_ts = false;
  EXPECT_EQ(learned().at("r1").at("tests/test_a.py::t"), (LedgerEntry{0, 1, 0, 0}));
}

}  // namespace
}  // namespace flakestat::rules
