// The executions of one test as a model compared them: what a history strip draws, so that it can never tell another
// story than the verdict. Made by the models' own order, lanes and neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/status.hpp"
#include "model/timestamp.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats {

/// How an execution compares with its neighbour.
enum class Mark : std::uint8_t { none, flip, same_code_flip };

struct TracedExecution {
  UnixMillis time = 0;        ///< 0: unknown
  std::uint32_t record = 0;   ///< which call of History::add brought it, from 0
  std::uint32_t job = 0;      ///< in Trace::jobs
  std::uint32_t context = 0;  ///< in Trace::contexts
  std::uint32_t run = 0;      ///< in Trace::runs
  std::uint32_t place = 0;    ///< in Trace::places
  std::uint32_t attempt = 0;
  std::uint32_t repetition = 0;
  std::optional<std::uint32_t> compared_with;  ///< its neighbour in Trace::executions; nothing: none, or a skip
  Status status = Status::pass;
  Mark mark = Mark::none;
  bool first_try = false;   ///< no earlier failure had selected it
  bool unrecorded = false;  ///< the failure behind a framework-reported pass, whose own line an old log lacks
  bool known_flaky = false;
  bool quarantined = false;
  bool sanitised = false;
  bool ambiguous = false;
  bool contended = false;
  bool shared_host = false;  ///< ran beside other copies without a network of its own
  bool partial = false;
  bool hunt = false;
  bool disagrees = false;  ///< within its burst

  [[nodiscard]] bool failed() const { return is_failure(status); }
  [[nodiscard]] bool skipped() const { return status == Status::skip; }
};

struct TracedJob {
  std::string code;         ///< empty: no commit is known
  std::string environment;  ///< for people
  std::string lead_run;
  UnixMillis start = 0;
  bool outage = false;
  std::uint32_t tests = 0;  ///< outages only, like the next two
  std::uint32_t failures = 0;
  double hit_rate = 0;
};

/// What is equal for executions that are compared. Under bayes the lane: code that another branch saw first is there.
struct TracedContext {
  std::string branch;
  std::string environment;  ///< for people; under flip-rate the platform only
  bool default_branch = false;

  friend bool operator==(const TracedContext&, const TracedContext&) = default;
};

using TracedPlace = std::vector<std::pair<std::string, std::string>>;

struct Trace {
  std::vector<TracedExecution> executions;  ///< in the model's order, oldest first
  std::vector<TracedJob> jobs;              ///< that the test was in, in the order of the fold
  std::vector<TracedContext> contexts;      ///< in order of first appearance
  std::vector<std::string> runs;
  std::vector<TracedPlace> places;  ///< dimensions as written

  [[nodiscard]] const TracedJob& job(const TracedExecution& e) const { return jobs[e.job]; }
  /// In an outage that may have made it fail.
  [[nodiscard]] bool in_outage(const TracedExecution& e) const { return jobs[e.job].outage && !e.disagrees; }
  /// The model takes its failure for the job's fault, or the contention's.
  [[nodiscard]] bool is_discounted(const TracedExecution& e) const { return in_outage(e) || e.contended; }
  /// Discounted, or no part of a proof: beside copies without isolation, or one of several with equal names.
  [[nodiscard]] bool is_doubtful(const TracedExecution& e) const {
    return is_discounted(e) || e.shared_host || e.ambiguous;
  }
};

}  // namespace flakestat::stats
