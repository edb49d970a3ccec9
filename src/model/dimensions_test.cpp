#include "model/dimensions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(Dimensions, LaterLayersWinAndEmptyValuesAreDropped) {
  const Dimensions merged = merge({{"os", "linux"}, {"arch", "arm64"}}, {{"os", "mac"}, {"db", ""}});
  EXPECT_THAT(merged, UnorderedElementsAre(Pair("os", "mac"), Pair("arch", "arm64")));
}

TEST(Dimensions, EmptyValueSaysNothing) {
  EXPECT_THAT(merge({{"os", "linux"}}, {{"os", ""}}), UnorderedElementsAre(Pair("os", "linux")));
}

TEST(Dimensions, CanonicalIsSortedLines) {
  EXPECT_EQ(canonical({{"os", "linux"}, {"arch", "amd64"}, {"x", ""}}), "arch=amd64\nos=linux\n");
}

TEST(Dimensions, ProvenanceIsTheSixCiKeys) {
  for (const auto* key : {"ci.run_id", "ci.run_number", "ci.job_id", "ci.attempt", "ci.worker", "ci.shard"}) {
    EXPECT_TRUE(is_provenance(key)) << key;
  }
  EXPECT_FALSE(is_provenance("ci.provider"));
  EXPECT_FALSE(is_provenance("os"));
}

TEST(Properties, OnlyRecognisedOnesBecomeDimensions) {
  const auto dimensions = from_properties(
      {{"OS.Name", " Linux "}, {"os.arch", "aarch64"}, {"Java.Version", "21"}, {"user.home", "/root"}, {"token", "x"}});
  EXPECT_THAT(dimensions, UnorderedElementsAre(Pair("os", "Linux"), Pair("arch", "aarch64"),
                                               Pair("runtime.name", "java"), Pair("runtime.version", "21")));
}

TEST(Properties, OneRuntimeIsChosenInAFixedOrder) {
  EXPECT_EQ(from_properties({{"ruby.version", "3"}, {"go.version", "go1.24"}}).at("runtime.name"), "go");
  EXPECT_THAT(from_properties({{"python.version", " "}}), IsEmpty());
}

TEST(Properties, ReaderAndMappingAgree) {
  for (const auto* name :
       {"os.name", "os.arch", "java.version", "go.version", "python.version", "NODE.version", "ruby.version"}) {
    EXPECT_TRUE(is_recognised_property(name)) << name;
    EXPECT_FALSE(from_properties({{name, "v"}}).empty()) << name;
  }
  EXPECT_FALSE(is_recognised_property("java.home"));
}

TEST(ParseDimension, TakesKeyAndTrimmedValue) {
  EXPECT_THAT(*parse_dimension(" db = pg=16 "), Pair("db", "pg=16"));
  EXPECT_THAT(*parse_dimension("a.b-c_1="), Pair("a.b-c_1", ""));
}

TEST(ParseDimension, ErrorsNameThePair) {
  EXPECT_THAT(parse_dimension("linux").error().message, AllOf(HasSubstr("\"linux\""), HasSubstr("key=value")));
  EXPECT_THAT(parse_dimension("=x").error().message, AllOf(HasSubstr("\"=x\""), HasSubstr("empty")));
  for (const auto* pair : {".a=1", "-a=1", "_a=1", "a b=1", "ä=1", "a\nb=1"}) {
    EXPECT_FALSE(parse_dimension(pair).ok()) << pair;
  }
}

TEST(SharedDimensions, CopiesShareUntilOneIsWritten) {
  SharedDimensions a{{"os", "linux"}};
  SharedDimensions b = a;
  EXPECT_TRUE(a.same_object(b));
  b["os"] = "mac";
  EXPECT_EQ(a.at("os"), "linux");
  EXPECT_EQ(b.at("os"), "mac");
  EXPECT_FALSE(a == b);
}

TEST(SharedDimensions, ReadsLikeAMap) {
  SharedDimensions none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none, Dimensions{});
  none = {{"os", "linux"}, {"db", "pg"}};
  EXPECT_EQ(none.size(), 2u);
  EXPECT_TRUE(none.contains("db"));
  EXPECT_EQ(canonical(none), "db=pg\nos=linux\n");
}

}  // namespace
}  // namespace flakestat
