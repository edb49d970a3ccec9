// Numbers and nouns in sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flakestat::report {

/// `1 test`, `2 tests`; `plural` when it is not the noun and an s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural = {});

/// `run 3`, `runs 3, 5-7` for ascending numbers.
[[nodiscard]] std::string run_list(const std::vector<int>& runs);

/// The same of another noun: `shards 1, 4-6`.
[[nodiscard]] std::string number_list(std::string_view noun, const std::vector<int>& numbers);

/// `412ms`, `12.3s`, `1m12s`, `1h02m`, `2d03h`; never negative.
[[nodiscard]] std::string format_duration(std::int64_t milliseconds);

/// Whole seconds: `45s`, `1m12s`, `1h02m`.
[[nodiscard]] std::string format_eta(std::int64_t milliseconds);

/// A probability in a column: three digits; what rounds to zero but is not is `<0.001`.
[[nodiscard]] std::string format_score(double value);

/// A rate bound as `14 %`: two digits below ten per cent, whole per cent above, always rounded up, so that "above"
/// holds.
[[nodiscard]] std::string percent_up(double rate);

/// An argv as a shell would take it.
[[nodiscard]] std::string quote_command(const std::vector<std::string>& argv);

}  // namespace flakestat::report
