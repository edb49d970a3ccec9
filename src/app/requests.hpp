// What the command line asks of the use cases: plain values, one struct a command. Nothing set means "not said".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flakestat::app {

/// How a use case that did not fail ended; `cli` maps it to an exit code.
enum class Ending : std::uint8_t {
  done,
  failed,   ///< a gate said no (1)
  worse,    ///< an accepted flake worsened (2): outranks `failed`
  damaged,  ///< the work was done, but some input was damaged or rejected (65)
  missing,  ///< the work was done, but some named input was not there (66)
};

/// Flags that every command takes.
struct CommonFlags {
  std::optional<std::string> dir;
  std::optional<std::string> format;
  std::optional<std::string> default_branch;
  std::optional<std::string> filter;
};

/// Where and on what code the executions happened, as the user says it.
struct ProvenanceFlags {
  std::optional<std::string> commit;
  std::optional<std::string> branch;
  std::optional<std::string> run_id;
  std::vector<std::string> dimensions;  ///< `key=value` each
  bool no_host = false;
};

/// Scoring parameters by their names in docs/scoring.md.
struct ScoringFlags {
  std::optional<std::string> model;
  std::optional<std::string> break_rate;  ///< `auto` or a number
  std::optional<double> break_rate_feature;
  std::optional<double> start_broken;
  std::optional<double> start_broken_feature;
  std::optional<int> start_streak;
  std::optional<double> shared_break;
  std::optional<double> shared_repair;
  std::optional<double> change_rate;
  std::optional<double> noise_floor;
  std::optional<double> prior_flaky;
  std::optional<double> enter;
  std::optional<double> leave;
  std::optional<double> suspect;
  std::optional<int> min_runs;
  std::optional<std::string> same_code_window;
  std::optional<double> alpha;
  std::optional<double> same_commit_weight;
  std::optional<double> branch_weight;
  std::optional<double> threshold;
  std::optional<double> suspect_threshold;
  std::vector<std::string> context_keys;
  std::vector<std::string> context_ignore;
};

struct InspectRequest {
  CommonFlags common;
  std::vector<std::string> inputs;
  bool counts_only = false;
};

struct IngestRequest {
  CommonFlags common;
  ProvenanceFlags provenance;
  std::vector<std::string> inputs;
  bool allow_damaged = false;
};

struct ReportRequest {
  CommonFlags common;
  ScoringFlags scoring;
  bool all = false;
  std::optional<std::size_t> top;
  std::optional<std::string> since;
  std::optional<std::string> branch;
  std::vector<std::string> dimensions;
  bool family = false;
};

struct ExplainRequest {
  CommonFlags common;
  ScoringFlags scoring;
  std::string test;  ///< test_id, name, display name or a part of it
  std::optional<std::size_t> history;
  std::optional<std::string> since;
  std::optional<std::string> branch;
  std::vector<std::string> dimensions;
};

struct HuntRequest {
  CommonFlags common;
  ProvenanceFlags provenance;
  ScoringFlags scoring;
  std::vector<std::string> command;
  std::optional<int> runs;
  std::optional<std::string> junit;
  std::optional<std::string> timeout;
  bool until_fail = false;
  bool history = false;
  bool fail_on_flaky = false;
  bool all = false;
  std::optional<std::size_t> top;
};

}  // namespace flakestat::app
