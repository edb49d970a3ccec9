// From the cases of one report to observations: repetitions, attempts, ambiguity, times, exec_key (design, 3 to 5).
#pragma once

#include <cstdint>
#include <functional>
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
  Dimensions detected;                    ///< CI and host: below the report's own properties
  Dimensions explicit_ones;               ///< --dimension: above them
  std::string path;                       ///< lexically clean, relative to the repository root, else the file name
  Sha256Digest digest{};                  ///< of the report's original bytes
  UnixMillis modified = 0;                ///< the file's modification time; 0 unknown
  UnixMillis now = 0;                     ///< 0 unknown: nothing is clamped
  std::int32_t local_offset_minutes = 0;  ///< this machine's zone at `modified`, minutes east of UTC
  bool partial = false;                   ///< the run selected tests
};

struct ReportObservations {
  std::vector<Observation> observations;  ///< in document order, attempts in order
  std::vector<std::string> notes;         ///< clamped stamps, ambiguous names, ...
};

/// Gets every observation in document order, attempts in order. The object is used again for the next one: copy what
/// shall outlive the call.
using ObservationSink = std::function<void(const Observation&)>;

/// Gives every observation of a report to `sink`; returns the notes. The cheap way for a whole report: nothing is built
/// a case. `summary` is the reader's; a damaged report marks every observation `partial`. Cases that carry an exec_key
/// of ours keep it, with the run_id that made it and without artifact, so that our own report adds nothing. Dimensions:
/// detected, then the case's recognised properties, then explicit ones. A case without name and class is no test: it is
/// left out and noted. How cases of one identity relate: case_groups.hpp; when they started: start_times.hpp.
[[nodiscard]] std::vector<std::string> each_observation(std::vector<Case> cases, const JunitSummary& summary,
                                                        const ReportContext& context, const ObservationSink& sink);

/// The same, collected. Pure.
[[nodiscard]] ReportObservations to_observations(std::vector<Case> cases, const JunitSummary& summary,
                                                 const ReportContext& context);

}  // namespace flakestat::formats
