// The evidence for one test, as text, Markdown or JSON. Pure: values in, text out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/test_score.hpp"
#include "report/phrase.hpp"
#include "stats/associations.hpp"
#include "stats/findings.hpp"
#include "stats/message_clusters.hpp"
#include "stats/scoring.hpp"
#include "stats/spread.hpp"
#include "stats/trace.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// What failures of the test said.
struct FailureMessages {
  std::vector<stats::MessageCluster> clusters;  ///< the most frequent first
  std::uint64_t kinds = 0;                      ///< of all messages, also of those not among `clusters`
  std::uint64_t failures = 0;                   ///< with a message
  std::uint64_t without_message = 0;
};

/// A command that would tell more; none when there is nothing to run.
struct NextStep {
  std::vector<std::string> command;
  Phrase why;
  std::vector<std::string> tolerate;  ///< excuses the test meanwhile; empty: that makes no sense
};

struct Explanation {
  stats::Model model = stats::Model::bayes;
  TestScore score;
  stats::Trace trace;
  stats::Findings findings;
  FailureMessages messages;
  stats::Spread pass_durations;  ///< milliseconds
  stats::Spread fail_durations;
  std::map<std::string, std::uint64_t> sanitised;  ///< violated assumption -> executions
  std::uint64_t would_sanitise = 0;                ///< the same if sanitising had not only reported
  stats::Associations associations;
  NextStep next;
  int min_runs = 0;
  stats::FlipRateParameters flip_rate;  ///< thresholds that its verdict names
};

struct ExplainOptions {
  std::size_t history = 40;  ///< the newest executions shown
  text::Look look;
  text::JsonStyle json = text::JsonStyle::pretty;
};

[[nodiscard]] std::string explain_text(const Explanation& found, const ExplainOptions& options);
[[nodiscard]] std::string explain_markdown(const Explanation& found, const ExplainOptions& options);
/// docs/schema/explain.schema.json.
[[nodiscard]] std::string explain_json(const Explanation& found, const ExplainOptions& options);

}  // namespace flakestat::report
