// The gate's decision for people who read CI: a job summary or comment in Markdown, and the log commands of CI systems.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "report/gate.hpp"

namespace flakestat::report {

/// Stands in the first line of the Markdown, so that a comment can be found and updated.
inline constexpr std::string_view kReportMarker = "<!-- flakestat-report -->";

/// GitHub refuses comments beyond 65,536 characters; nobody else's limit is lower.
inline constexpr std::size_t kMostReportBytes = 60'000;

/// Decision, counts, what is new or worse, the failing and the fixed folded, notes. Rows are halved until it fits.
[[nodiscard]] std::string ci_markdown(const GateView& view);

/// Azure Pipelines logging commands, one a line: an issue for what failed or may fail the gate. `summary`: the absolute
/// path of a Markdown file that we wrote and the agent may upload; empty: none.
[[nodiscard]] std::string azure_commands(const GateView& view, const std::string& summary);

/// TeamCity service messages: a warning each, statistics, a build status text. None of them fails the build: that is
/// check's exit code.
[[nodiscard]] std::string teamcity_messages(const GateView& view);

}  // namespace flakestat::report
