// The reader and the places where its input is cut: reads of any size, a window that ends anywhere, files cut at every
// byte.
#include <gtest/gtest.h>

#include <functional>

#include "formats/junit_scan.hpp"
#include "formats/junit_test_support.hpp"
#include "formats/junit_writer.hpp"
#include "testing/junit_corpus.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::formats {
namespace {

using flakestat::testing::read_manifest;
using flakestat::testing::slurp;
using testing::read_report;
using testing::Reading;

const std::string kFolder = FLAKESTAT_SOURCE_DIR "/tests/corpus/junit";

/// Everything of a case that can differ, in one string.
std::string shown(const Case& one) {
  std::string out = one.suite + "|" + one.class_name + "|" + one.name + "|" + std::string(to_string(one.status)) + "|" +
                    one.message + "|" + one.file;
  out += "|" + (one.duration_ms ? std::to_string(*one.duration_ms) : "?") + "|" +
         (one.started ? std::to_string(*one.started) : "?");
  for (const auto& attempt : one.earlier) out += "|<" + std::string(to_string(attempt.status)) + attempt.message;
  for (const auto& attempt : one.later) out += "|>" + std::string(to_string(attempt.status)) + attempt.message;
  return out + "|" + canonical(one.properties) + (one.known_flaky ? "|flaky" : "");
}

void expect_same(const Reading& a, const Reading& b) {
  ASSERT_EQ(a.error, b.error);
  ASSERT_TRUE(a.summary.counts == b.summary.counts);
  ASSERT_EQ(a.summary.notes, b.summary.notes);
  ASSERT_EQ(a.summary.encoding, b.summary.encoding);
  ASSERT_EQ(a.summary.damage.has_value(), b.summary.damage.has_value());
  if (a.summary.damage) {
    ASSERT_EQ(a.summary.damage->offset, b.summary.damage->offset);
    ASSERT_EQ(a.summary.damage->line, b.summary.damage->line);
    ASSERT_EQ(a.summary.damage->reason, b.summary.damage->reason);
  }
  ASSERT_EQ(a.cases.size(), b.cases.size());
  for (std::size_t i = 0; i < a.cases.size(); ++i) ASSERT_EQ(shown(a.cases[i]), shown(b.cases[i]));
}

/// Reads with a first window of `window` bytes, which grows only for long tags.
Reading read_with_window(std::string_view bytes, std::size_t window) {
  MemorySource source(bytes);
  Reading reading;
  const std::function<void(Case &&)> keep = [&reading](Case&& one) { reading.cases.push_back(std::move(one)); };
  JunitScan scan([&source](char* buffer, std::size_t size) { return source.read(buffer, size); }, keep,
                 {window, std::size_t{8} << 20, 65536});
  auto summary = scan.run(&reading.rejection);
  if (summary) reading.summary = std::move(*summary);
  else reading.error = summary.error().message;
  return reading;
}

TEST(JunitStream, ReadsOfAnySizeGiveTheSame) {
  const auto entries = read_manifest(kFolder);
  ASSERT_FALSE(entries.empty());
  for (const auto& entry : entries) {
    SCOPED_TRACE(entry.file);
    const auto bytes = slurp(entry.path);
    if (bytes.size() > 200000) continue;
    const auto whole = read_report(bytes);
    for (const std::size_t chunk : {1U, 2U, 3U, 7U, 64U}) expect_same(whole, read_report(bytes, chunk));
  }
}

TEST(JunitStream, AWindowThatEndsAnywhereGivesTheSame) {
  for (const auto& entry : read_manifest(kFolder)) {
    SCOPED_TRACE(entry.file);
    const auto bytes = slurp(entry.path);
    if (bytes.size() > 200000) continue;
    const auto whole = read_report(bytes);
    for (const std::size_t window : {64U, 65U, 97U, 128U, 1000U}) expect_same(whole, read_with_window(bytes, window));
  }
}

// Found by fuzzing: an end tag before the root was judged by the text of an event before it.
TEST(JunitStream, AnEndTagBeforeTheRootIsNoText) {
  const std::string bytes = "<!DOCTYPE x>" + std::string(100, '\n') + "</a " + std::string(80, 'b') + ">\n<html/>";
  for (const std::size_t window : {64U, 4096U})
    EXPECT_NE(read_with_window(bytes, window).error.find("<html>"), std::string::npos);
}

TEST(JunitStream, AFileCutAtAnyByteGivesAPrefixOfItsCases) {
  for (const char* name : {"playwright/playwright-include-retries.xml", "hostile/multiple-results-per-case.xml",
                           "hostile/doctype-internal-entities.xml", "hostile/mismatched-end-tags.xml",
                           "hostile/ns-prefix.xml", "unittest/xmlrunner-testcase.xml",
                           "hostile/markup-in-comments-and-cdata.xml", "encoding/xml-1.1-declaration.xml"}) {
    SCOPED_TRACE(name);
    if (!std::filesystem::exists(kFolder + "/" + name)) continue;
    const auto bytes = slurp(kFolder + "/" + name);
    const auto whole = read_report(bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto cut = read_report(std::string_view(bytes).substr(0, size));
      ASSERT_LE(cut.cases.size(), whole.cases.size()) << size;
      for (std::size_t i = 0; i < cut.cases.size(); ++i) ASSERT_EQ(shown(cut.cases[i]), shown(whole.cases[i])) << size;
      // What is lost is never lost in silence.
      const bool lost = cut.cases.size() < whole.cases.size();
      ASSERT_TRUE(!lost || !cut.error.empty() || cut.summary.damage) << size;
    }
  }
}

}  // namespace
}  // namespace flakestat::formats
