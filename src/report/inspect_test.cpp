#include "report/inspect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "report/samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Make = std::unique_ptr<InspectWriter> (*)(Sink, const InspectOptions&);

std::string written(Make make, InspectOptions options, const std::function<void(InspectWriter&)>& fill) {
  std::string out;
  const auto writer = make([&out](std::string_view piece) { out += piece; }, options);
  fill(*writer);
  return out;
}

std::string samples_written(Make make, InspectOptions options = {}) {
  return written(make, options, samples::inspect_all);
}

// A file whose cases take more than the writer keeps.
void huge_file(InspectWriter& writer) {
  writer.begin_file("huge.xml");
  auto found = samples::cases().front();
  found.message = std::string(1000, 'm');
  for (int i = 0; i < 6000; ++i) writer.add_case(found);
  writer.end_file(samples::outcome());
  writer.begin_file("small.xml");
  writer.add_case(found);
  writer.end_file(samples::outcome());
  writer.finish();
}

TEST(InspectJson, WholeDamagedAndRejectedFiles) {
  EXPECT_GOLDEN("inspect/inspect.json", samples_written(inspect_json));
}

TEST(InspectJson, CountsLeaveTheCasesOut) {
  const auto json = samples_written(inspect_json, {.counts_only = true, .look = {}});
  EXPECT_THAT(json, Not(HasSubstr("\"cases\"")));
  EXPECT_GOLDEN("inspect/counts.json", json);
}

TEST(InspectJson, NoFilesIsADocumentToo) {
  EXPECT_EQ(written(inspect_json, {}, [](InspectWriter& writer) { writer.finish(); }), "{\n  \"files\": []\n}\n");
}

TEST(InspectJson, HugeFileLeavesInPiecesAndIsWhole) {
  std::size_t largest = 0;
  std::string out;
  const auto writer = inspect_json(
      [&](std::string_view piece) {
        largest = std::max(largest, piece.size());
        out += piece;
      },
      {});
  huge_file(*writer);
  EXPECT_LT(largest, std::size_t{128} << 10);
  rapidjson::Document document;
  document.Parse(out.c_str());
  ASSERT_FALSE(document.HasParseError());
  const auto& files = document["files"];
  EXPECT_EQ(files[0]["cases"].Size(), 6000U);
  EXPECT_STREQ(files[0]["encoding"].GetString(), "UTF-8");
  EXPECT_EQ(files[0]["counts"]["tests"].GetInt(), 3);
  EXPECT_EQ(files[1]["cases"].Size(), 1U);
}

TEST(InspectText, WholeDamagedAndRejectedFiles) { EXPECT_GOLDEN("inspect/inspect.txt", samples_written(inspect_text)); }

TEST(InspectText, CountsAreALinePerFile) {
  EXPECT_GOLDEN("inspect/counts.txt", samples_written(inspect_text, {.counts_only = true, .look = {}}));
}

TEST(InspectText, HugeFileLeavesInPieces) {
  std::size_t largest = 0;
  const auto writer = inspect_text([&](std::string_view piece) { largest = std::max(largest, piece.size()); }, {});
  huge_file(*writer);
  EXPECT_LT(largest, std::size_t{128} << 10);
}

TEST(InspectText, CountsLineIsSingularWhereItShouldBe) {
  EXPECT_EQ(counts_line({1, 0, 1, 1, 0, 0}), "1 test: 0 passed, 1 failure, 1 error, 0 skipped");
  EXPECT_EQ(counts_line({4, 2, 0, 0, 2, 1}), "4 tests: 2 passed, 0 failures, 0 errors, 2 skipped, 1 known flaky");
}

}  // namespace
}  // namespace flakestat::report
