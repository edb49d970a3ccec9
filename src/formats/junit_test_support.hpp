// Small verbs for tests that read JUnit reports. Included by *_test.cpp only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "formats/byte_source.hpp"
#include "formats/junit_reader.hpp"

namespace flakestat::formats::testing {

/// Everything that reading one report gave.
struct Reading {
  std::vector<Case> cases;
  JunitSummary summary;
  Rejection rejection;
  std::string error;  ///< empty: it was a report
};

/// Gives its bytes out in pieces of at most `chunk`.
class ChunkSource final : public ByteSource {
 public:
  ChunkSource(std::string_view bytes, std::size_t chunk) : rest_(bytes), chunk_(chunk) {}
  [[nodiscard]] Result<std::size_t> read(char* buffer, std::size_t size) override {
    const auto count = rest_.copy(buffer, std::min(size, chunk_));
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t chunk_;
};

[[nodiscard]] inline Reading read_report(std::string_view bytes, std::size_t chunk = SIZE_MAX) {
  ChunkSource source(bytes, chunk);
  Reading reading;
  auto summary = read_junit(
      source, [&reading](Case&& one) { reading.cases.push_back(std::move(one)); }, &reading.rejection);
  if (summary) reading.summary = std::move(*summary);
  else reading.error = summary.error().message;
  return reading;
}

/// The same without keeping cases.
[[nodiscard]] inline Reading count_report(std::string_view bytes) {
  MemorySource source(bytes);
  Reading reading;
  auto summary = read_junit(source, nullptr, &reading.rejection);
  if (summary) reading.summary = std::move(*summary);
  else reading.error = summary.error().message;
  return reading;
}

}  // namespace flakestat::formats::testing
