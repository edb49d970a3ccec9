// What the outputs of a run say in the same words: fates, troubles, counts, times, headings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/run_event.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// `crashed`, `timed_out`, `lost`, for machines; empty: none.
[[nodiscard]] std::string_view code_of(RunTrouble trouble);
/// `crashed`, `timed out`, `no result`, for people; empty: none.
[[nodiscard]] std::string_view words_of(RunTrouble trouble);
/// `passed`, `failed`, ... as the fates are spelled.
[[nodiscard]] std::string_view word_of(RunStatus status);
[[nodiscard]] std::string_view word_of(RunEnd end);

/// The parts that failed beside the one that decided (a teardown behind a failed test).
[[nodiscard]] std::vector<const PhaseResult*> other_failures(const RunAttempt& attempt);

/// One line: the message, else the first words of the details, else what is known of a crash. Raw.
[[nodiscard]] std::string headline_of(const RunAttempt& attempt);

/// The error line of what could not be collected.
[[nodiscard]] std::string headline_of(const CollectionProblem& problem);

/// `flakestat: <text>` as a line.
[[nodiscard]] std::string voice_line(std::string_view text);

/// `1 failed, 41 passed, 1 quarantined, 1 flaky`; zero counts are left out; `no tests ran` when all are.
[[nodiscard]] std::string totals_words(const RunTotals& totals);

/// `12.31s`, from a minute on with ` (0:01:23)`.
[[nodiscard]] std::string seconds_words(double seconds);
/// `0.5123` as `0.51`; NaN and negative numbers are 0.
[[nodiscard]] std::string fixed_seconds(double seconds, int digits = 2);

/// `===== title =====` as wide as the look, 80 where it has no width.
[[nodiscard]] std::string section_line(std::string_view title, const text::Look& look,
                                       text::Tone tone = text::Tone::strong, char fill = '=');

}  // namespace flakestat::report
