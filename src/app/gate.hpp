// The gate's decision on the recorded history: what check and ci-report show, so that they never disagree.
#pragma once

#include <cstdint>
#include <string>

#include "app/requests.hpp"
#include "app/scored_history.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "report/gate.hpp"
#include "rules/gate.hpp"

namespace flakestat::app {

/// The history, scored, and its runs. Never without a run.
struct GateHistory {
  ScoredHistory scored;  ///< tests that --filter leaves out are gone from its scores
  rules::RunBook book;
};

/// Errors: `missing` when there is nothing to decide on: no execution, or none that the filter selects.
[[nodiscard]] Result<GateHistory> read_gate_history(const World& world, const CommonFlags& common, Settings settings);

/// `--baseline`, else `<dir>/baseline.json`.
[[nodiscard]] std::string baseline_path(const GateFlags& flags, const Settings& settings);

/// The decision and what it was made with.
struct Gate {
  rules::GateOptions options;
  std::string path;  ///< of the baseline
  bool has_baseline = false;
  std::size_t accepted_before = 0;
  stats::Model model = stats::Model::bayes;
  std::string root;  ///< of the working directory
  rules::GateResult result;
};

/// Where the decision is made: the present branch, and what `when=` of a quarantine list is held against.
struct Place {
  std::string branch;
  Dimensions dimensions;
  std::string run;               ///< of the CI, as rules::Run names it; empty: none is known
  bool nothing_brought = false;  ///< reports were given, and there is no test in them
};

/// The branch: --branch > CI > git, empty when none says one. This machine's platform (unless --no-host) and
/// --dimension; the run that CI says this is.
[[nodiscard]] Result<Place> place_of(const World& world, const ProvenanceFlags& flags);

/// Errors: usage for a bad --expect; what read_baseline gives; `config` for a baseline of another model or a quarantine
/// list that cannot be read; `missing` for a named baseline or list that is not there.
[[nodiscard]] Result<Gate> decide_gate(const World& world, const CommonFlags& common, const GateFlags& flags,
                                       GateHistory& history, const Place& place);

/// The gate as a renderer wants it; points into `gate`.
[[nodiscard]] report::GateView view_of(const Gate& gate, const World& world);

[[nodiscard]] Ending ending_of(rules::Decision decision);

}  // namespace flakestat::app
