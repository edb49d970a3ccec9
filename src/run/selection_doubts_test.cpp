#include "run/selection_doubts.hpp"

#include <gtest/gtest.h>

#include "model/identity.hpp"

namespace flakestat::run {
namespace {

TestChoice named(const std::string& name) { return {"s", "s", name, ""}; }
TestId id_of(const std::string& name) { return test_id("s", "s", name); }

class SelectionDoubtsTest : public ::testing::Test {
 protected:
  bool ran(const std::vector<TestChoice>& selected, RunOutcome outcome) {
    const TestOutcome result{id_of("a"), outcome, 0};
    return doubts_.add(selected, std::span(&result, 1));
  }
  [[nodiscard]] bool doubtful() const { return doubts_.is_doubtful(id_of("a")); }

  const std::vector<TestChoice> ab_ = {named("a"), named("b")};
  const std::vector<TestChoice> a_ = {named("a")};
  SelectionDoubts doubts_;
};

TEST_F(SelectionDoubtsTest, BothResultsOfTheWholeSuiteAreProof) {
  EXPECT_FALSE(ran({}, RunOutcome::passed));
  EXPECT_FALSE(ran({}, RunOutcome::failed));
  EXPECT_FALSE(doubtful());
}

TEST_F(SelectionDoubtsTest, AnotherResultUnderAnotherSelectionIsNone) {
  EXPECT_FALSE(ran({}, RunOutcome::passed));
  EXPECT_TRUE(ran(a_, RunOutcome::failed));
  EXPECT_TRUE(doubtful());
  EXPECT_FALSE(ran(a_, RunOutcome::failed));
  EXPECT_TRUE(doubtful());
}

TEST_F(SelectionDoubtsTest, AFailureOfTheWholeSuiteThatASelectionDoesNotShowIsNone) {
  EXPECT_FALSE(ran({}, RunOutcome::failed));
  EXPECT_TRUE(ran(a_, RunOutcome::passed));
  EXPECT_TRUE(doubtful());
}

TEST_F(SelectionDoubtsTest, BothResultsUnderOneSelectionAreProof) {
  EXPECT_FALSE(ran({}, RunOutcome::passed));
  EXPECT_FALSE(ran(ab_, RunOutcome::passed));
  EXPECT_FALSE(ran(ab_, RunOutcome::failed));
  EXPECT_FALSE(doubtful());
  EXPECT_FALSE(ran(a_, RunOutcome::passed));
  EXPECT_FALSE(doubtful());
}

// The test that the second selection lacks has disagreed itself.
TEST_F(SelectionDoubtsTest, BothResultsInNarrowedRunsAreProof) {
  EXPECT_FALSE(ran({}, RunOutcome::passed));
  EXPECT_FALSE(ran(ab_, RunOutcome::passed));
  EXPECT_FALSE(ran(a_, RunOutcome::failed));
  EXPECT_FALSE(doubtful());
}

TEST_F(SelectionDoubtsTest, AWholeRunEndsADoubt) {
  EXPECT_FALSE(ran({}, RunOutcome::passed));
  EXPECT_TRUE(ran(a_, RunOutcome::failed));
  EXPECT_FALSE(ran({}, RunOutcome::failed));
  EXPECT_FALSE(doubtful());
}

TEST_F(SelectionDoubtsTest, APassAfterAFailureInOneRunIsProof) {
  EXPECT_FALSE(ran(a_, RunOutcome::both));
  EXPECT_FALSE(doubtful());
}

}  // namespace
}  // namespace flakestat::run
