// From the cases of one report to observations: repetitions, attempts, ambiguity, times, exec_key (design, 3 to 5).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "formats/case_groups.hpp"
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

/// A report's cases, related to each other and ready to become observations piece by piece. `summary` is the reader's;
/// a damaged report marks every observation `partial`. Cases that carry an exec_key of ours keep it, with the run_id
/// that made it and without artifact, so that our own report adds nothing. Dimensions: detected, then the case's
/// recognised properties, then explicit ones. A case without name and class is no test: it is left out and noted. How
/// cases of one identity relate: case_groups.hpp; when they started: start_times.hpp.
class ReportConversion {
 public:
  /// `summary` and `context` must outlive the object. Up to `threads` threads digest identities.
  ReportConversion(std::vector<Case> cases, const JunitSummary& summary, const ReportContext& context,
                   std::size_t threads = 1);

  [[nodiscard]] std::size_t size() const { return cases_.size(); }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// Gives the observations of the cases from `begin` to `end` - 1, each once. Disjoint pieces may be converted on
  /// several threads at once.
  void convert(std::size_t begin, std::size_t end, const ObservationSink& sink);

  /// What came before a case among the tries of its identity.
  struct TryCounters {
    std::uint32_t stored = 0;    ///< ordinal of its first observation in the report
    std::uint32_t attempts = 0;  ///< its first attempt, where cases are attempts
  };

 private:
  void count_tries();

  const JunitSummary& summary_;
  const ReportContext& context_;
  std::vector<Case> cases_;
  std::vector<TestId> ids_;
  std::vector<GroupPlace> places_;
  std::vector<UnixMillis> starts_;
  std::vector<TryCounters> first_tries_;
  std::vector<std::string> notes_;
};

/// Gives every observation of a report to `sink` in document order; returns the notes.
[[nodiscard]] std::vector<std::string> each_observation(std::vector<Case> cases, const JunitSummary& summary,
                                                        const ReportContext& context, const ObservationSink& sink);

/// The same, collected. Pure.
[[nodiscard]] ReportObservations to_observations(std::vector<Case> cases, const JunitSummary& summary,
                                                 const ReportContext& context);

}  // namespace flakestat::formats
