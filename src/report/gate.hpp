// What the gate decided, in every form that `check` and `ci-report` print. Pure: values in, text out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/accept.hpp"
#include "rules/gate.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// A decision and what its words depend on.
struct GateView {
  const rules::GateResult& result;
  rules::GateOptions options;
  stats::Model model = stats::Model::bayes;
  std::string baseline_path;        ///< as it is named to the user
  bool has_baseline = true;         ///< false: there is no file, nothing is accepted
  std::size_t accepted_before = 0;  ///< entries of the baseline
  std::string root{};               ///< absolute paths below it are shown relative to it
  std::size_t max_rows = 50;        ///< of each kind
  text::Look look{};                ///< text only
};

/// A table of what is new, worse, fixed ..., counts, notes; the last line is the decision.
[[nodiscard]] std::string gate_text(const GateView& view);

/// docs/schema/check.schema.json. Lists are complete.
[[nodiscard]] std::string gate_json(const GateView& view, text::JsonStyle style = text::JsonStyle::pretty);

/// The same content as the text; at most `max_rows` rows of each kind, names cut to some hundred characters.
[[nodiscard]] std::string gate_markdown(const GateView& view);

/// GitHub workflow commands, one a line: what failed the gate, where a file is known. Empty when there is nothing.
[[nodiscard]] std::string gate_annotations(const GateView& view);

/// GitLab's code quality report. Only tests with a file are in it: GitLab drops entries without one. The fingerprint is
/// of test and kind, so it is the same in the next run.
[[nodiscard]] std::string gate_code_quality(const GateView& view);

/// `gate: failed: 1 newly flaky test`.
[[nodiscard]] std::string decision_sentence(const GateView& view);

/// What `--update-baseline` did, as text and as JSON (docs/schema/baseline-update.schema.json).
[[nodiscard]] std::string baseline_change_text(const rules::BaselineChange& change, const std::string& path,
                                               const text::Look& look);
[[nodiscard]] std::string baseline_change_json(const rules::BaselineChange& change, const std::string& path,
                                               text::JsonStyle style = text::JsonStyle::pretty);

}  // namespace flakestat::report
