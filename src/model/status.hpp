// The four statuses of a case, and the verdicts, with their spelling in the log and in documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace flakestat {

/// Result of one execution. For scoring `fail` and `error` are one outcome and a `skip` is none.
enum class Status : std::uint8_t { pass, fail, error, skip };

[[nodiscard]] constexpr std::string_view to_string(Status status) {
  switch (status) {
    case Status::pass: return "pass";
    case Status::fail: return "fail";
    case Status::error: return "error";
    case Status::skip: return "skip";
  }
  return "error";
}

[[nodiscard]] constexpr std::optional<Status> parse_status(std::string_view text) {
  if (text == "pass") return Status::pass;
  if (text == "fail") return Status::fail;
  if (text == "error") return Status::error;
  if (text == "skip") return Status::skip;
  return std::nullopt;
}

[[nodiscard]] constexpr bool is_failure(Status status) { return status == Status::fail || status == Status::error; }

/// Who produced an observation.
enum class Source : std::uint8_t { hunt, ci, run };

[[nodiscard]] constexpr std::string_view to_string(Source source) {
  switch (source) {
    case Source::hunt: return "hunt";
    case Source::ci: return "ci";
    case Source::run: return "run";
  }
  return "ci";
}

[[nodiscard]] constexpr std::optional<Source> parse_source(std::string_view text) {
  if (text == "hunt") return Source::hunt;
  if (text == "ci") return Source::ci;
  if (text == "run") return Source::run;
  return std::nullopt;
}

/// What a scoring model says of a test; order is the order of rows in a report, worst first.
enum class Verdict : std::uint8_t { flaky, suspect, consistently_failing, insufficient_data, always_skipped, stable };

[[nodiscard]] constexpr std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::flaky: return "flaky";
    case Verdict::suspect: return "suspect";
    case Verdict::consistently_failing: return "consistently-failing";
    case Verdict::insufficient_data: return "insufficient-data";
    case Verdict::always_skipped: return "always-skipped";
    case Verdict::stable: return "stable";
  }
  return "stable";
}

/// How much evidence stands behind a verdict.
enum class Confidence : std::uint8_t { low, medium, high };

[[nodiscard]] constexpr std::string_view to_string(Confidence confidence) {
  switch (confidence) {
    case Confidence::low: return "low";
    case Confidence::medium: return "medium";
    case Confidence::high: return "high";
  }
  return "low";
}

}  // namespace flakestat
