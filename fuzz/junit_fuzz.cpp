// The JUnit reader on any bytes: it never crashes, counting and reading agree, neither the size of the reads nor the
// end of the window matters, every string is clean, and a report of ours made from the cases reads back as they are.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/clean_text.hpp"
#include "formats/junit_scan.hpp"
#include "formats/junit_writer.hpp"

namespace {

using namespace flakestat;

struct Reading {
  std::string error;
  formats::JunitSummary summary;
  std::vector<Case> cases;
};

void require(bool truth, const char* what) {
  if (truth) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

Reading read(std::string_view bytes, bool keep, std::size_t chunk, std::size_t window) {
  Reading reading;
  std::size_t at = 0;
  const auto source = [&](char* buffer, std::size_t size) -> Result<std::size_t> {
    const auto count = bytes.copy(buffer, std::min(size, chunk), at);
    at += count;
    return count;
  };
  std::function<void(Case &&)> on_case;
  if (keep) on_case = [&reading](Case&& one) { reading.cases.push_back(std::move(one)); };
  formats::JunitScan scan(source, on_case, {window, std::size_t{8} << 20, 65536});
  auto summary = scan.run(nullptr);
  if (summary) reading.summary = std::move(*summary);
  else reading.error = summary.error().message;
  return reading;
}

void require_same(const Reading& a, const Reading& b) {
  require(a.error == b.error, "same error");
  require(a.summary.counts == b.summary.counts, "same counts");
  require(a.summary.notes == b.summary.notes, "same notes");
  require(a.summary.incomplete_cases == b.summary.incomplete_cases, "same incomplete cases");
  require(a.summary.has_timestamps == b.summary.has_timestamps, "same has_timestamps");
  require(a.summary.damage.has_value() == b.summary.damage.has_value(), "same damage");
  if (a.summary.damage) require(a.summary.damage->offset == b.summary.damage->offset, "same damage offset");
  if (a.summary.damage) require(a.summary.damage->line == b.summary.damage->line, "same damage line");
}

void require_same_cases(const Reading& a, const Reading& b) {
  require(a.cases.size() == b.cases.size(), "same number of cases");
  for (std::size_t i = 0; i < a.cases.size(); ++i) {
    const Case& x = a.cases[i];
    const Case& y = b.cases[i];
    require(x.suite == y.suite && x.class_name == y.class_name && x.name == y.name && x.file == y.file,
            "same identity");
    require(x.status == y.status && x.message == y.message && x.duration_ms == y.duration_ms && x.started == y.started,
            "same result");
    require(x.earlier.size() == y.earlier.size() && x.later.size() == y.later.size(), "same attempts");
  }
}

void require_clean(const Reading& reading, std::size_t size) {
  const auto& counts = reading.summary.counts;
  if (!reading.error.empty()) return;
  require(reading.cases.size() == counts.tests, "every counted case is delivered");
  require(counts.passed + counts.failures + counts.errors + counts.skipped == counts.tests, "counts add up");
  if (reading.summary.damage) require(reading.summary.damage->offset <= size, "damage inside the file");
  for (const auto& one : reading.cases) {
    require(
        is_clean_name(one.suite) && is_clean_name(one.class_name) && is_clean_name(one.name) && is_clean_name(one.file),
        "clean names");
    require(one.message.size() <= kMessageLimit && clean_line(one.message) == one.message, "clean message");
    require(!one.duration_ms || *one.duration_ms >= 0, "no negative duration");
  }
}

/// The names and statuses of a report of ours; messages with marks of other dialects may change what a result means.
void require_round_trip(const Reading& reading) {
  formats::JunitSuite suite{"s", std::nullopt, "", {}, reading.cases};
  const auto again = read(formats::write_junit({"", {suite}}), true, SIZE_MAX, 4096);
  require(again.error.empty() && !again.summary.damage, "our own report is whole");
  require(again.cases.size() == reading.cases.size(), "our own report has every case");
  for (std::size_t i = 0; i < reading.cases.size(); ++i) {
    require(again.cases[i].name == reading.cases[i].name, "names come back");
    require(again.cases[i].message == reading.cases[i].message, "messages come back");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = read(bytes, true, SIZE_MAX, 256 * 1024);
  require_clean(whole, size);
  const auto counted = read(bytes, false, SIZE_MAX, 256 * 1024);
  require_same(whole, counted);
  const auto pieces = read(bytes, true, 3, 64);
  require_same(whole, pieces);
  require_same_cases(whole, pieces);
  require_same(whole, read(bytes, false, SIZE_MAX, 64));
  require_round_trip(whole);
  return 0;
}
