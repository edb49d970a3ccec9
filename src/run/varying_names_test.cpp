#include "run/varying_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::run {
namespace {

using ::testing::HasSubstr;

TestName named(const std::string& suite, const std::string& name) { return {suite, "c", name}; }

TEST(Masked, DigitsAndHexWordsBecomeOneSign) {
  EXPECT_EQ(masked("test_12[3]"), "test_#[#]");
  EXPECT_EQ(masked("x-20261130202100"), "x-#");
  EXPECT_EQ(masked("id 3f2504e0-4f89-11d3-9a0c-0305e82c3301"), "id #-#-#-#-#");
  EXPECT_EQ(masked("<obj at 0x7f3a1c>"), "<obj at #>");
  EXPECT_EQ(masked("v23 e2e utf8"), "v# # utf#");
}

TEST(Masked, WordsWithoutADigitStay) { EXPECT_EQ(masked("cafe decade ünïx"), "cafe decade ünïx"); }

TEST(CompareNames, EqualRunsHaveNothingToSay) {
  EXPECT_FALSE(compare_names({named("s", "a[1]"), named("s", "a[2]")}, 1, {named("s", "a[2]"), named("s", "a[1]")}, 2));
}

TEST(CompareNames, ATestThatOnlyOneRunHasIsNotARenamedOne) {
  EXPECT_FALSE(compare_names({named("s", "a")}, 1, {named("s", "a"), named("s", "b")}, 2));
  EXPECT_FALSE(compare_names({named("s", "a[1]"), named("s", "a[2]")}, 1, {named("s", "a[1]")}, 2));
}

TEST(CompareNames, OnlyAsManyAsPairUpAreCounted) {
  const auto found = compare_names({named("s", "a[1]")}, 1, {named("s", "a[7]"), named("s", "a[8]")}, 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tests, 1U);
}

struct CureCase {
  const char* what;
  TestName before;
  TestName after;
  const char* field;
  const char* part_before;
  const char* part_after;
  const char* cure;  ///< words in it; empty: none is known
};

// The name alone: the bytes of the object hold addresses, which would be another name of the test in every build.
void PrintTo(const CureCase& param, std::ostream* out) { *out << param.what; }

class Cures : public ::testing::TestWithParam<CureCase> {};

TEST_P(Cures, AreFoundByTheShapeOfTheVaryingPart) {
  const auto& param = GetParam();
  const auto found = compare_names({param.before}, 3, {param.after}, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->field, param.field);
  EXPECT_EQ(found->part_before, param.part_before);
  EXPECT_EQ(found->part_after, param.part_after);
  EXPECT_THAT(found->cure, HasSubstr(param.cure));
  EXPECT_EQ(found->cure.empty(), *param.cure == '\0');
}

INSTANTIATE_TEST_SUITE_P(
    Known, Cures,
    ::testing::Values(
        CureCase{"xmlrunner",
                 {"t.One-20261130202100", "t.One", "a"},
                 {"t.One-20261130202107", "t.One", "a"},
                 "suite",
                 "20261130202100",
                 "20261130202107",
                 "--outsuffix \"\""},
        CureCase{"suffix", {"p.T3", "p.T3", "a"}, {"p.T4", "p.T4", "a"}, "suite", "T3", "T4", ""},
        CureCase{"run_number", {"p.T(3)", "c", "a"}, {"p.T(4)", "c", "a"}, "suite", "3", "4", "the run's number"},
        CureCase{"address",
                 {"s", "c", "t[<O at 0x7f01>]"},
                 {"s", "c", "t[<O at 0x7f92>]"},
                 "name",
                 "0x7f01",
                 "0x7f92",
                 "ids of their own"},
        CureCase{"repeat", {"s", "c", "t[1-2]"}, {"s", "c", "t[1-7]"}, "name", "2", "7", "pytest-repeat"},
        CureCase{"rspec", {"rspec12345", "c", "t"}, {"rspec777", "c", "t"}, "suite", "rspec12345", "rspec777", "seed"},
        CureCase{"path", {"/tmp/b1/t", "c", "t"}, {"/tmp/b2/t", "c", "t"}, "suite", "b1", "b2", "same path"},
        CureCase{"unknown", {"s", "c", "t port 4100"}, {"s", "c", "t port 4200"}, "name", "4100", "4200", ""}),
    [](const auto& param_info) { return std::string(param_info.param.what); });

}  // namespace
}  // namespace flakestat::run
