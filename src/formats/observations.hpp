// From the cases of one report to observations: repetitions, attempts, ambiguity, times, exec_key (design, 3 to 5).
#pragma once

#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "formats/junit_reader.hpp"
#include "model/case.hpp"
#include "model/observation.hpp"

namespace flakestat::formats {

/// What is known of a report beside its bytes.
struct ReportContext {
  std::string run_id;
  std::string commit;
  std::string code;  ///< empty: equal to commit
  std::string branch;
  Source source = Source::ci;
  Dimensions detected;       ///< CI and host: below the report's own properties
  Dimensions explicit_ones;  ///< --dimension: above them
  std::string path;          ///< lexically clean, relative to the repository root, else the file name
  Sha256Digest digest{};     ///< of the report's original bytes
  UnixMillis modified = 0;   ///< the file's modification time; 0 unknown
  UnixMillis now = 0;
  bool partial = false;  ///< the run selected tests
};

struct ReportObservations {
  std::vector<Observation> observations;  ///< in document order, attempts in order
  std::vector<std::string> notes;         ///< clamped stamps, ambiguous names, ...
};

/// Pure. `summary` is the reader's; a damaged report marks every observation `partial`. Cases that carry an exec_key of
/// ours keep it, so that our own report adds nothing.
[[nodiscard]] ReportObservations to_observations(std::vector<Case> cases, const JunitSummary& summary,
                                                 const ReportContext& context);

}  // namespace flakestat::formats
