#include "report/compact.hpp"

#include <gtest/gtest.h>

namespace flakestat::report {
namespace {

CompactSummary sample() {
  CompactSummary summary;
  summary.lines = 1203;
  summary.kept = 1000;
  summary.duplicates = 200;
  summary.superseded = 1;
  summary.rejected = 2;
  summary.bytes_before = 512'000;
  summary.bytes_after = 430'001;
  summary.rejected_file = "dir\x1b[31m/runs.rejected.ndjson";
  return summary;
}

TEST(CompactText, NamesEachReasonThatThereWas) {
  EXPECT_EQ(compact_text(sample()),
            "kept 1000 of 1203 lines, 512000 -> 430001 bytes\n"
            "  200 duplicate executions dropped\n"
            "  1 case dropped: of damaged reports, and a whole report has the same\n"
            "  2 damaged lines moved to dir\\x1b[31m/runs.rejected.ndjson\n");
}

TEST(CompactText, ADryRunSaysWhatWouldBe) {
  auto summary = sample();
  summary.dry_run = true;
  summary.superseded = summary.rejected = 0;
  EXPECT_EQ(compact_text(summary),
            "kept 1000 of 1203 lines, 512000 -> 430001 bytes (dry run: nothing was changed)\n"
            "  200 duplicate executions would be dropped\n");
}

TEST(CompactText, NothingToDropIsOneLine) { EXPECT_EQ(compact_text({}), "kept 0 of 0 lines, 0 -> 0 bytes\n"); }

TEST(CompactJson, HasEveryNumber) {
  EXPECT_EQ(compact_json(sample(), text::JsonStyle::compact),
            R"({"lines":1203,"kept":1000,"duplicates":200,"superseded":1,"rejected":2,"bytes_before":512000,)"
            R"("bytes_after":430001,"dry_run":false})"
            "\n");
}

}  // namespace
}  // namespace flakestat::report
