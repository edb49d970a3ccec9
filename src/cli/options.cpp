#include "cli/options.hpp"

#include <CLI/CLI.hpp>

#include <vector>

namespace flakestat::cli {
namespace {

constexpr const char* kOutputGroup = "Output";
constexpr const char* kScoringGroup = "Scoring (docs/scoring.md)";
constexpr const char* kPredecessorGroup = "Scoring, flip-rate model";

void add_probability(CLI::App& command, const char* name, std::optional<double>& value, const char* help,
                     const char* group) {
  command.add_option(name, value, help)->check(probability())->group(group);
}

}  // namespace

// The library's own range lets a NaN through, with which every comparison says no.
CLI::Validator probability() {
  const auto refuse = [](std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1) return {};
    return "Value " + text + " not in range [0 - 1]";
  };
  return {refuse, "PROBABILITY"};
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what, const std::string& example) {
  auto* command = app.add_subcommand(name, what);
  command->footer("Example:\n  " + example);
  command->set_help_flag("-h,--help", "Print this help and exit");
  return command;
}

void add_basics(CLI::App& command, app::CommonFlags& flags, Invocation& invocation,
                const std::vector<std::string>& formats) {
  command.add_option("--dir", flags.dir, "State directory (default .flakestat)");
  command.add_option("--format", flags.format, "Form of the output (default " + formats.front() + ")")
      ->check(CLI::IsMember(formats))
      ->group(kOutputGroup);
  command.add_flag("-q,--quiet", invocation.quiet, "No notes, no progress; warnings and errors stay")
      ->group(kOutputGroup);
  command.add_flag("-v,--verbose", invocation.verbose, "More notes")->group(kOutputGroup);
  command.add_flag("--no-color", invocation.no_color, "No colour (as with NO_COLOR)")->group(kOutputGroup);
}

void add_default_branch(CLI::App& command, app::CommonFlags& flags) {
  command.add_option("--default-branch", flags.default_branch, "Branch whose results are trusted (default: detected)");
}

void add_common(CLI::App& command, app::CommonFlags& flags, Invocation& invocation,
                const std::vector<std::string>& formats) {
  add_basics(command, flags, invocation, formats);
  add_default_branch(command, flags);
  command.add_option("--filter", flags.filter, "Only tests whose display name matches this glob, or one test_id")
      ->group(kOutputGroup);
}

void add_narrowing(CLI::App& command, app::NarrowingFlags& flags) {
  command.add_option("--since", flags.since,
                     "Only executions since then: 30d, 12h, 2026-08-17[T10:00:00Z], or a commit's first");
  command.add_option("--branch", flags.branch, "Only executions on this branch");
  command.add_option("--dimension", flags.dimensions, "Only executions with this key=value; may be repeated")
      ->allow_extra_args(false);
}

void add_place(CLI::App& command, app::ProvenanceFlags& flags) {
  command.add_option("--dimension", flags.dimensions, "key=value describing where the tests ran; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--no-host", flags.no_host, "Never record this machine's platform, not even in CI");
}

void add_provenance(CLI::App& command, app::ProvenanceFlags& flags) {
  command.add_option("--commit", flags.commit, "Commit that was tested (default: CI variables, then git)");
  command.add_option("--branch", flags.branch, "Branch (default: CI variables, then git)");
  command.add_option("--run-id", flags.run_id, "Name of this run or job (default: made from time and chance)");
  add_place(command, flags);
}

void add_scoring(CLI::App& command, app::ScoringFlags& flags) {
  command.add_option("--model", flags.model, "bayes (default) or flip-rate")
      ->check(CLI::IsMember({"bayes", "flip-rate"}))
      ->group(kScoringGroup);
  command
      .add_option("--min-runs", flags.min_runs, "Executions below which only a proof speaks (default 5; 2 in a hunt)")
      ->check(CLI::Range(1, 1000000))
      ->group(kScoringGroup);
  command.add_option("--break-rate", flags.break_rate, "Chance that a commit breaks a test, or auto")
      ->group(kScoringGroup);
  add_probability(command, "--break-rate-feature", flags.break_rate_feature, "The same on other branches",
                  kScoringGroup);
  add_probability(command, "--start-broken", flags.start_broken, "First sight of a branch is broken", kScoringGroup);
  add_probability(command, "--start-broken-feature", flags.start_broken_feature, "The same on other branches",
                  kScoringGroup);
  command.add_option("--start-streak", flags.start_streak, "Extra streak when the first execution fails")
      ->check(CLI::Range(0, 1000))
      ->group(kScoringGroup);
  add_probability(command, "--shared-break", flags.shared_break, "Chance to break once another environment broke",
                  kScoringGroup);
  add_probability(command, "--shared-repair", flags.shared_repair, "The same for repairs", kScoringGroup);
  add_probability(command, "--change-rate", flags.change_rate, "Chance per commit that a test's level changes",
                  kScoringGroup);
  add_probability(command, "--noise-floor", flags.noise_floor, "Failure rate of a deterministic test", kScoringGroup);
  add_probability(command, "--prior-flaky", flags.prior_flaky, "Share of flaky tests", kScoringGroup);
  add_probability(command, "--enter", flags.enter, "P(flaky) to become flaky", kScoringGroup);
  add_probability(command, "--leave", flags.leave, "P(flaky) to stay flaky", kScoringGroup);
  add_probability(command, "--suspect", flags.suspect, "P(flaky) to be suspect", kScoringGroup);
  command.add_option("--same-code-window", flags.same_code_window, "How long one code is one cell (default 24h)")
      ->group(kScoringGroup);
  command.add_option("--context-key", flags.context_keys, "A further dimension that splits environments; repeatable")
      ->allow_extra_args(false)
      ->group(kScoringGroup);
  command.add_option("--context-ignore", flags.context_ignore, "A dimension that does not; repeatable")
      ->allow_extra_args(false)
      ->group(kScoringGroup);
  add_probability(command, "--threshold", flags.threshold,
                  "flip-rate: the flaky threshold; bayes: rows below this lower bound are left out", kScoringGroup);
  add_probability(command, "--alpha", flags.alpha, "Recency weight per commit (default 0.3)", kPredecessorGroup);
  command.add_option("--same-commit-weight", flags.same_commit_weight, "Weight of one commit over two (default 3)")
      ->check(CLI::Range(1e-9, 1e9))
      ->group(kPredecessorGroup);
  add_probability(command, "--branch-weight", flags.branch_weight, "Weight of other branches (default 0.5)",
                  kPredecessorGroup);
  add_probability(command, "--suspect-threshold", flags.suspect_threshold, "Suspect threshold (default 0.05)",
                  kPredecessorGroup);
}

}  // namespace flakestat::cli
