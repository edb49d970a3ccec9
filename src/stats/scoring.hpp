// From observations to verdicts: one history, two models (shared contract: docs/scoring.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/observation.hpp"
#include "model/test_score.hpp"
#include "stats/job_visitor.hpp"

namespace flakestat::stats {

enum class Model : std::uint8_t { bayes, flip_rate };

/// Names and defaults of docs/scoring.md, section 3.
struct BayesParameters {
  std::optional<double> break_rate;  ///< nothing: `auto`, starting at 0.003
  double break_rate_feature = 0.20;
  double start_broken = 0.05;
  double start_broken_feature = 0.25;
  int start_streak = 4;
  double shared_break = 0.5;
  double shared_repair = 0.9;
  double change_rate = 3e-4;
  double noise_floor = 1e-8;
  double prior_flaky = 0.05;
  double enter = 0.95;
  double leave = 0.50;
  double suspect = 0.50;
};

/// The predecessor's rule, section 2.
struct FlipRateParameters {
  double alpha = 0.3;
  double same_commit_weight = 3.0;
  double branch_weight = 0.5;
  double threshold = 0.10;
  double suspect_threshold = 0.05;
};

struct ScoringOptions {
  Model model = Model::bayes;
  BayesParameters bayes;
  FlipRateParameters flip_rate;
  int min_runs = 5;                                       ///< 2 in a burst
  std::string default_branch;                             ///< empty: no branch is known to be the default
  std::int64_t same_code_window_ms = 24LL * 3600 * 1000;  ///< see docs/scoring.md, cell
  std::vector<std::string> context_keys;                  ///< further dimensions that split environments
  std::vector<std::string> context_ignore;
  int threads = 1;
};

/// An outage that the model discounted.
struct Outage {
  std::string run_id;
  UnixMillis started = 0;
  std::uint32_t tests = 0;
  std::uint32_t failures = 0;
  double hit_rate = 0;
  std::uint32_t job = 0;  ///< its place in the order of the fold: by which a trace finds it again
};

struct Scores {
  std::vector<TestScore> tests;  ///< worst first: verdict, then score, then display name, then test_id
  std::vector<Outage> outages;
  std::uint64_t observations = 0;  ///< that counted
  std::uint64_t duplicates = 0;    ///< equal exec_keys dropped
  double break_rate = 0;           ///< the λ in force at the end
};

struct Trace;

/// All observations of a log, interned and compact: 16 bytes an observation, and 8 for its exec_key while the history
/// may grow, beside the tables of names. Not thread-safe.
class History {
 public:
  History();
  History(History&&) noexcept;
  History& operator=(History&&) noexcept;
  ~History();

  /// Adds one observation; the view need not outlive the call. Input order never matters.
  void add(const ObservationView& observation);
  /// The same of an observation that is about to be written: as it will be read. Time 0 stands for none.
  void add(const Observation& observation);

  /// Scores every test. Pure: the same history and options give the same bits.
  [[nodiscard]] Scores score(const ScoringOptions& options) const;

  /// Shows every job and its executions in the order in which they are scored (duplicates dropped, ambiguous results
  /// merged): for questions that no score answers. Views in what is shown are valid during the call only.
  void walk(const ScoringOptions& options, JobVisitor& visitor) const;

  /// Every execution of one test as the model compared it (stats/trace.hpp). `outages` are those of `score` under the
  /// same options. A test that is not there has an empty trace.
  [[nodiscard]] Trace trace(TestId test, const ScoringOptions& options, std::span<const Outage> outages) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flakestat::stats
