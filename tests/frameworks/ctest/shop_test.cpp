#include <gtest/gtest.h>

#include <cstdlib>

namespace {

void fail_in_odd_runs() {
  const char* run = std::getenv("FLAKESTAT_RUN");
  EXPECT_EQ((run == nullptr ? 0 : std::atoi(run)) % 2, 0);
}

TEST(Orders, Flaky) { fail_in_odd_runs(); }
TEST(Orders, FlakySteadyLonger) {}
TEST(Steady, Flaky) {}

class Names : public ::testing::TestWithParam<const char*> {};
TEST_P(Names, Listed) {}
TEST_P(Names, SteadyFlaky) {}
INSTANTIATE_TEST_SUITE_P(All, Names, ::testing::Values("a b", "[a/b]", "p|q"));

template <class T>
class Typed : public ::testing::Test {};
using Types = ::testing::Types<int, double>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, Listed) {}

}  // namespace
