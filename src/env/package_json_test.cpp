#include "env/package_json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace flakestat::env {
namespace {

TEST(PackageJson, PackagesOfEverySectionKeysAndTheTestScript) {
  const auto package = parse_package_json(R"({"dependencies":{"a":"1"},"devDependencies":{"jest":"^30"},
    "peerDependencies":{"c":"*"},"mocha":{},"scripts":{"lint":"eslint .","test":"jest --ci"}})");
  ASSERT_TRUE(package);
  EXPECT_TRUE(package->has_package("a") && package->has_package("jest") && package->has_package("c"));
  EXPECT_FALSE(package->has_package("lint"));
  EXPECT_TRUE(package->has_key("mocha"));
  EXPECT_EQ(package->test_script(), "jest --ci");
}

TEST(PackageJson, PartsOfAWrongTypeAreLeftOut) {
  const auto package =
      parse_package_json(R"({"dependencies":["jest"],"devDependencies":7,"scripts":{"test":["x"],"a":null}})");
  ASSERT_TRUE(package);
  EXPECT_TRUE(package->packages.empty());
  EXPECT_TRUE(package->scripts.empty());
}

TEST(PackageJson, DamagedTextIsAnError) {
  for (const std::string text : {"", "{", "[]", "7", "{\"a\":}", "\xff\xfe", "{\"scripts\":{\"test\":\"\xc0\"}}"}) {
    EXPECT_FALSE(parse_package_json(text)) << text;
  }
  EXPECT_FALSE(parse_package_json(std::string(100'000, '[')));
  EXPECT_FALSE(parse_package_json(std::string(50'000, '{')));
}

TEST(PackageJson, AByteOrderMarkIsNoDamage) { EXPECT_TRUE(parse_package_json("\xef\xbb\xbf{}")); }

TEST(PackageJson, EveryCutOffTextIsAnErrorOrAWholeObject) {
  const std::string whole = R"({"devDependencies":{"jest":"^30"},"scripts":{"test":"jest"}})";
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parse_package_json(whole.substr(0, size))) << size;
}

TEST(ScriptRuns, TheProgramAsAWholeWordBehindAnyPath) {
  EXPECT_TRUE(script_runs("jest", "jest"));
  EXPECT_TRUE(script_runs("cross-env CI=1 npx jest --ci", "jest"));
  EXPECT_TRUE(script_runs("node_modules/.bin/jest", "jest"));
  EXPECT_TRUE(script_runs("npm run build&&jest", "jest"));
  EXPECT_FALSE(script_runs("jest-codemods", "jest"));
  EXPECT_FALSE(script_runs("eslint jest.config.js", "jest"));
  EXPECT_FALSE(script_runs("", "jest"));
}

}  // namespace
}  // namespace flakestat::env
