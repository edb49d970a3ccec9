// explain and report give the same numbers: on the contract's histories, under both models.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>

#include "app/commands.hpp"
#include "app/test_lookup.hpp"
#include "stats/example_log.hpp"
#include "store/append_log.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

// A world that keeps the document and hears nothing.
struct Room {
  World world;
  std::string document;

  explicit Room(const std::string& directory) {
    world.directory = directory;
    world.env = [](std::string_view) { return std::nullopt; };
    world.now = [] { return stats::fixture::kNoon; };
    world.out = [this](std::string_view text) {
      document += text;
      return Result<void>{};
    };
    world.note = world.warn = world.progress = [](std::string_view) {};
  }
};

template <class Request>
Request request_for(const std::string& dir, const std::string& model) {
  Request request;
  request.common.dir = dir;
  request.common.format = "json";
  request.common.default_branch = "main";
  request.scoring.model = model;
  request.scoring.break_rate = "0.003";
  return request;
}

rapidjson::Document parse(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.c_str());
  EXPECT_FALSE(document.HasParseError()) << text.substr(0, 200);
  return document;
}

std::uint64_t marks(const rapidjson::Document& explained, const char* kind) {
  std::uint64_t out = 0;
  for (const auto& e : explained["history"]["executions"].GetArray()) {
    if (e["mark"].IsString() && std::string(e["mark"].GetString()) == kind) ++out;
  }
  return out;
}

void expect_equal_numbers(const std::string& dir, const std::string& model) {
  auto asked = request_for<ReportRequest>(dir, model);
  asked.all = true;
  Room reported(dir);
  ASSERT_TRUE(report(reported.world, asked).ok());
  auto one = request_for<ExplainRequest>(dir, model);
  one.test = "t";
  one.history = 100000;
  Room told(dir);
  ASSERT_TRUE(explain(told.world, one).ok());
  const auto scores = parse(reported.document);
  const auto explained = parse(told.document);
  ASSERT_EQ(scores["results"].Size(), 1U);
  EXPECT_TRUE(scores["results"][0] == explained["result"]);
  EXPECT_EQ(marks(explained, "same-code-flip"), explained["result"]["same_commit_flips"].GetUint64());
  EXPECT_EQ(marks(explained, "flip"), explained["result"]["cross_commit_flips"].GetUint64());
}

TEST(ExplainAndReport, AgreeOnTheContractsHistories) {
  simdjson::dom::parser parser;
  simdjson::dom::element document = parser.load(std::string(FLAKESTAT_SOURCE_DIR) + "/tests/data/scoring-vectors.json");
  std::size_t checked = 0;
  for (auto element : simdjson::dom::array(document["examples"])) {
    SCOPED_TRACE(std::string(std::string_view(element["id"])));
    const testing::TempDir dir;
    const auto example = stats::fixture::as_log(element);
    ASSERT_TRUE(store::append(dir.path().string(), example.log.lines).ok());
    for (const char* model : {"bayes", "flip-rate"}) expect_equal_numbers(dir.path().string(), model);
    ++checked;
  }
  EXPECT_EQ(checked, 300U);
}

TestScore named(std::string class_name, std::string name) {
  TestScore test;
  test.suite = "s";
  test.class_name = std::move(class_name);
  test.name = std::move(name);
  test.test_id = test_id(test.suite, test.class_name, test.name);
  return test;
}

// Finds without listening.
Result<const TestScore*> look_up(const std::vector<TestScore>& tests, const std::string& wanted) {
  return find_test(tests, wanted, [](std::string_view) {});
}

TEST(TestLookup, TheFirstKindOfNameThatMatchesDecides) {
  const std::vector<TestScore> tests = {named("A", "login"), named("A", "login[x]"), named("login", "other")};
  EXPECT_EQ(look_up(tests, "login").value(), &tests[0]);
  EXPECT_EQ(look_up(tests, "A::login[x]").value()->name, "login[x]");
  EXPECT_EQ(look_up(tests, to_hex(tests[2].test_id)).value()->name, "other");
  EXPECT_EQ(look_up(tests, "n[x").value()->name, "login[x]");
}

TEST(TestLookup, AHexadecimalNameIsFoundToo) {
  const std::vector<TestScore> tests = {named("A", "0123456789abcdef")};
  EXPECT_TRUE(look_up(tests, "0123456789abcdef").ok());
}

TEST(TestLookup, SeveralAndNoneAreErrorsOfTheirKindsAndNameWhatWasMeant) {
  std::vector<TestScore> tests;
  for (int i = 0; i < 50; ++i) tests.push_back(named("C" + std::to_string(i), "same"));
  std::vector<std::string> said;
  const auto say = [&said](std::string_view line) { said.emplace_back(line); };
  const auto several = find_test(tests, "same", say);
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().kind, ErrorKind::usage);
  EXPECT_NE(several.error().message.find("50 tests"), std::string::npos);
  ASSERT_EQ(said.size(), 21U);
  EXPECT_EQ(said.front(), "  " + to_hex(tests[0].test_id) + "  C0::same");
  EXPECT_EQ(said.back(), "  ... and 30 more");
  said.clear();
  const auto none = find_test(tests, "smae", say);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::missing);
  ASSERT_EQ(said.size(), 3U);
  EXPECT_EQ(said.front(), "  " + to_hex(tests[0].test_id) + "  C0::same");
  EXPECT_EQ(look_up({}, "x").error().kind, ErrorKind::missing);
  EXPECT_EQ(look_up(tests, "").error().kind, ErrorKind::usage);
}

TEST(TestLookup, HugeNamesAreNoWorkForTheNearest) {
  std::vector<TestScore> tests(2000, named("A", std::string(10'000, 'x')));
  EXPECT_EQ(look_up(tests, std::string(10'000, 'y')).error().kind, ErrorKind::missing);
}

}  // namespace
}  // namespace flakestat::app
