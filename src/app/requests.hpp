// What the command line asks of the use cases: plain values, one struct a command. Nothing set means "not said".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/command_table.hpp"

namespace flakestat::app {

/// How a use case that did not fail ended; `cli` maps it to an exit code.
enum class Ending : std::uint16_t {
  done,
  failed,   ///< a gate said no (1)
  worse,    ///< an accepted flake worsened (2): outranks `failed`
  damaged,  ///< the work was done, but some input was damaged or rejected (65)
  missing,  ///< the work was done, but some named input was not there (66)
};

inline constexpr int kOwnCodes = 256;

/// Ends with this exit code, 0 to 255: that of a command that was made again, or 128 and a signal's number.
[[nodiscard]] constexpr Ending exit_with(int code) { return static_cast<Ending>(kOwnCodes + code); }
/// As a shell tells of what a signal ended.
[[nodiscard]] constexpr Ending exit_by_signal(int signal) { return exit_with(128 + signal); }

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

/// What the gate is to fail on.
struct GateFlags {
  std::optional<std::string> baseline;
  bool fail_on_new = true;
  bool fail_on_regression = true;
  std::optional<double> regression_delta;
  std::optional<int> new_tests;
  std::optional<int> fail_on_sanitised;
  std::optional<std::string> expect;      ///< `all` or a number of tests
  std::optional<std::string> quarantine;  ///< a committed list
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

/// Which recorded executions are looked at (docs/narrowing.md); all that are given must hold.
struct NarrowingFlags {
  std::optional<std::string> since;
  std::optional<std::string> branch;
  std::vector<std::string> dimensions;
};

struct ReportRequest {
  CommonFlags common;
  ScoringFlags scoring;
  NarrowingFlags narrowing;
  bool all = false;
  std::optional<std::size_t> top;
  bool family = false;
};

struct CompactRequest {
  CommonFlags common;
  bool dry_run = false;
  bool salvage = false;
};

struct LedgerRequest {
  enum class Action : std::uint8_t { show, merge, rebuild, import };
  CommonFlags common;
  Action action = Action::show;
  std::vector<std::string> files;
  std::optional<std::size_t> top;
};

struct ShardVerifyRequest {
  CommonFlags common;
  std::vector<std::string> inputs;  ///< manifests, or folders of them; none: the state directory
  std::optional<int> expect;        ///< how many shards there must be
  bool all = false;                 ///< every name, however many there are
};

struct ConfigRequest {
  CommonFlags common;
  ScoringFlags scoring;
  std::vector<std::string> given;  ///< the flags that were said, as `--min-runs`
};

struct CompletionsRequest {
  std::string shell;  ///< `bash`, `zsh` or `fish`
  text::CommandEntry program;
};

struct ManRequest {
  std::vector<std::string> command;   ///< its words below the program; none: the program itself
  std::optional<std::string> output;  ///< a folder: every page, as a file
  text::CommandEntry program;
  std::string version;
  std::string date;
};

struct CheckRequest {
  CommonFlags common;
  ProvenanceFlags provenance;
  ScoringFlags scoring;
  GateFlags gate;
  std::vector<std::string> inputs;
  bool update_baseline = false;
  bool prune = false;
  std::optional<std::string> code_quality;  ///< a file to write
};

struct CiReportRequest {
  CommonFlags common;  ///< format: the CI system's name, `markdown` or `json`
  ProvenanceFlags provenance;
  ScoringFlags scoring;
  GateFlags gate;
  std::optional<std::string> system;        ///< --github ...: the same as format
  std::optional<std::string> output;        ///< a file that takes the Markdown too
  std::optional<std::string> code_quality;  ///< a file to write
  std::optional<std::size_t> max_rows;
};

/// One of: emit (the default), `update`, `validate`. A set but empty file name: the configuration's.
struct QuarantineRequest {
  CommonFlags common;
  ScoringFlags scoring;
  std::optional<std::string> output;  ///< file of the list; a form's hook is written beside it
  std::optional<std::string> from;    ///< emit the tests of this list instead of those that are flaky now
  std::optional<std::string> update;
  std::optional<std::string> validate;
  std::optional<std::string> expires;  ///< of added entries
  std::optional<std::string> retention;
  std::vector<std::string> dimensions;  ///< where the tests will run: decides `when=` of `from`
  bool include_broken = false;
  bool allow_broad = false;
  bool prune = false;
};

struct ExplainRequest {
  CommonFlags common;
  ScoringFlags scoring;
  std::string test;  ///< test_id, name, display name or a part of it
  std::optional<std::size_t> history;
  NarrowingFlags narrowing;
};

struct HuntRequest {
  CommonFlags common;
  ProvenanceFlags provenance;
  ScoringFlags scoring;
  std::vector<std::string> command;
  std::optional<int> runs;
  std::optional<std::string> junit;
  std::optional<std::string> timeout;
  std::optional<int> parallel;           ///< copies at a time, from run 2 on
  std::optional<std::string> isolation;  ///< `fs,tmp,pid,net` in part, or `none`
  std::optional<int> verify;             ///< runs alone after parallel ones, at most
  std::vector<std::string> keep;         ///< files and folders that parallel copies hand back to the tree
  bool until_fail = false;
  std::optional<std::string> output_limit;
  std::vector<std::string> record_env;  ///< names of variables
  std::optional<std::string> replay;    ///< a run of an earlier hunt instead of a hunt: `7`, `RUN_ID:7`
  bool settle = false;
  std::optional<double> rule_out;
  std::optional<std::string> max_time;
  std::optional<std::string> select;
  std::optional<std::string> id;
  std::optional<std::string> join;
  bool history = false;
  bool fail_on_flaky = false;
  bool all = false;
  std::optional<std::size_t> top;
};

/// One run of a suite, with reruns, memory and quarantine.
struct RunRequest {
  CommonFlags common;
  ProvenanceFlags provenance;
  std::vector<std::string> command;
  std::optional<std::string> adapter;  ///< `pytest`, `generic`; not said: by the command
  std::optional<std::string> python;
  std::optional<std::string> workers;  ///< `auto` or a number
  std::optional<std::string> dist;
  std::optional<int> reruns;
  std::optional<std::string> rerun_delay;
  std::vector<std::string> only_rerun;
  std::vector<std::string> rerun_except;
  std::optional<int> rerun_breaker;
  std::optional<int> max_suite_reruns;
  bool reruns_only_known_flaky = false;
  bool reruns_measure = false;
  std::optional<bool> fail_on_flaky;
  std::optional<std::string> quarantine;
  std::optional<int> maxfail;
  bool last_failed = false;
  bool failed_first = false;
  std::optional<std::string> order;    ///< `default` or `fail-fast`
  std::optional<std::string> shuffle;  ///< a seed, or `any`
  std::optional<std::string> shard;    ///< `K/N`
  std::optional<std::string> worker_timeout;
  std::optional<std::string> timeout;  ///< generic: of each run of the command
  std::optional<std::string> junitxml;
  std::optional<std::string> report_json;
  std::optional<std::string> output;
  std::optional<int> durations;
  std::optional<std::string> junit;  ///< generic: where the command writes its report
  std::optional<std::string> select;
  std::optional<std::string> id;
  std::optional<std::string> join;
};

struct InitRequest {
  CommonFlags common;
  std::optional<std::string> framework;  ///< write this one for the working directory
  bool all = false;                      ///< configs in sub-folders, too
  bool force = false;                    ///< overwrite configs
  bool dry_run = false;
  bool gitignore = false;  ///< say what to ignore in the project's own .gitignore
};

}  // namespace flakestat::app
