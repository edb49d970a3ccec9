// Every entry of the corpus' manifest is a test: counts, first and last case, times, damage and rejection.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "formats/junit_test_support.hpp"
#include "testing/junit_corpus.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::formats {
namespace {

using flakestat::testing::CorpusEntry;
using flakestat::testing::CorpusName;
using flakestat::testing::read_manifest;
using flakestat::testing::slurp;
using testing::Reading;

const std::string& kept_folder() {
  static const std::string folder = FLAKESTAT_SOURCE_DIR "/tests/corpus/junit";
  return folder;
}

std::string shared_folder() {
  const char* named = std::getenv("FLAKESTAT_CORPUS");
  return named != nullptr && *named != '\0' ? named : FLAKESTAT_SOURCE_DIR "/../shared/corpus/junit";
}

/// The kept corpus always; the shared one in place of it where it is there.
std::vector<CorpusEntry> entries() {
  auto shared = read_manifest(shared_folder());
  return shared.empty() ? read_manifest(kept_folder()) : shared;
}

void expect_name(const CorpusName& expected, const Case& found) {
  if (expected.name) {
    EXPECT_EQ(found.name, *expected.name);
  }
  if (!expected.class_name) return;
  // A missing or empty class falls back to the suite.
  EXPECT_EQ(found.class_name, expected.class_name->empty() ? found.suite : *expected.class_name);
}

void expect_times(const CorpusEntry& entry, const Reading& reading) {
  std::map<std::string, std::size_t> seen;
  for (const auto& one : reading.cases) {
    const auto expected = entry.times.find(one.name);
    if (expected == entry.times.end()) continue;
    const auto index = seen[one.name]++;
    ASSERT_LT(index, expected->second.size()) << one.name;
    const auto& seconds = expected->second[index];
    ASSERT_EQ(one.duration_ms.has_value(), seconds.has_value()) << one.name;
    if (seconds) {
      EXPECT_NEAR(*one.duration_ms, *seconds * 1000, 1e-6) << one.name;
    }
  }
  for (const auto& [name, times] : entry.times) EXPECT_EQ(seen[name], times.size()) << name;
}

class JunitCorpus : public ::testing::TestWithParam<CorpusEntry> {
 protected:
  std::string bytes_ = slurp(GetParam().path);
};

TEST_P(JunitCorpus, BehavesAsTheManifestSays) {
  const CorpusEntry& entry = GetParam();
  const Reading reading = testing::read_report(bytes_);
  const Reading counting = testing::count_report(bytes_);
  EXPECT_EQ(counting.error, reading.error);
  if (!entry.counts) {
    EXPECT_NE(reading.error, "");
    return;
  }
  ASSERT_EQ(reading.error, "");
  EXPECT_TRUE(reading.summary.counts == *entry.counts)
      << "tests " << reading.summary.counts.tests << " failures " << reading.summary.counts.failures << " errors "
      << reading.summary.counts.errors << " skipped " << reading.summary.counts.skipped << " flaky "
      << reading.summary.counts.known_flaky;
  EXPECT_TRUE(counting.summary.counts == *entry.counts);
  EXPECT_EQ(reading.cases.size(), entry.counts->tests);
  EXPECT_EQ(reading.summary.damage.has_value(), entry.damaged)
      << (reading.summary.damage ? reading.summary.damage->reason : std::string("no damage"));
  EXPECT_EQ(reading.summary.incomplete_cases, entry.incomplete_cases);
  if (reading.summary.damage) {
    EXPECT_LE(reading.summary.damage->offset, bytes_.size());
  }
  if (!reading.cases.empty()) {
    expect_name(entry.first, reading.cases.front());
    expect_name(entry.last, reading.cases.back());
  }
  expect_times(entry, reading);
}

std::string test_name(const ::testing::TestParamInfo<CorpusEntry>& info) {
  std::string name = info.param.file;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Manifest, JunitCorpus, ::testing::ValuesIn(entries()), test_name);

TEST(JunitCorpusFolder, HoldsEveryReportOfTheSharedCorpus) {
  const auto shared = read_manifest(shared_folder());
  const auto kept = read_manifest(kept_folder());
  ASSERT_FALSE(kept.empty()) << "tests/corpus/junit has no manifest";
  if (shared.empty()) {
    constexpr std::size_t kAll = 200;
    GTEST_SKIP() << "no corpus at " << shared_folder() << ": " << kAll - std::min(kAll, kept.size()) << " of " << kAll
                 << " reports NOT tested, " << kept.size() << " kept in tests/corpus/junit were; set FLAKESTAT_CORPUS";
  }
  std::cout << "corpus: " << shared.size() << " reports in " << shared_folder() << "\n";
  for (const auto& entry : shared) EXPECT_TRUE(std::filesystem::exists(entry.path)) << entry.path;
}

}  // namespace
}  // namespace flakestat::formats
