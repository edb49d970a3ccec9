// JUnit XML in, cases out: streaming, tolerant, bounded (design, section 5; docs/formats/junit.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "formats/byte_source.hpp"
#include "model/case.hpp"

namespace flakestat::formats {

/// Where and why a report stopped making sense. Offset in bytes of the original file, line from 1.
struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
  std::string reason;
};

/// What a whole report held.
struct JunitSummary {
  Counts counts;                       ///< complete cases only
  std::string encoding;                ///< as decoded: "UTF-8", "UTF-16LE", "ISO-8859-1", ...
  std::uint64_t incomplete_cases = 0;  ///< cases whose end never came
  std::optional<Damage> damage;        ///< set: the file is cut off or broken; the cases before it were delivered
  std::vector<std::string> notes;      ///< harmless oddities worth a line: replaced bytes, claimed totals that differ
  bool has_timestamps = false;         ///< some suite or case carried a readable timestamp
};

/// Why a file is no JUnit report: empty, or a root that is none of ours.
struct Rejection {
  std::string root;        ///< the first element's name; empty when there was none
  bool companion = false;  ///< a known neighbour of reports (failsafe-summary, coverage, checkstyle, ...)
};

/// Reads one report. `on_case` gets every complete case in document order; an empty function counts only (the fast
/// path: nothing is kept or decoded that the counts do not need). Damage is not an error: it is in the summary. Errors:
/// `damaged` when the input is no JUnit report (then `rejection` says why, when given), `io` when reading failed.
[[nodiscard]] Result<JunitSummary> read_junit(ByteSource& source, const std::function<void(Case&&)>& on_case,
                                              Rejection* rejection = nullptr);

}  // namespace flakestat::formats
