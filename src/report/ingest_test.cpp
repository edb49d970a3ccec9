#include "report/ingest.hpp"

#include <gtest/gtest.h>

#include "report/samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

TEST(IngestJson, WithEveryKindOfFile) { EXPECT_GOLDEN("ingest/ingest.json", ingest_json(samples::ingest())); }

TEST(IngestText, WithEveryKindOfFile) { EXPECT_GOLDEN("ingest/ingest.txt", ingest_text(samples::ingest(), {})); }

TEST(IngestText, OneOfEachIsSingular) {
  IngestSummary summary;
  summary.files = 1;
  summary.stored = 1;
  summary.duplicates = 1;
  summary.counts.tests = summary.counts.passed = 1;
  EXPECT_EQ(ingest_text(summary, {}),
            "stored 1 observation from 1 report (1 test: 1 passed, 0 failures, 0 errors, 0 skipped); "
            "1 duplicate execution dropped\n");
}

}  // namespace
}  // namespace flakestat::report
