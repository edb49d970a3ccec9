#include "report/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "text/shell_word.hpp"

namespace flakestat::report {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

// `1m12s`: a large unit, and a small one in two digits.
std::string two_units(std::int64_t large, char large_name, std::int64_t small, char small_name) {
  std::string out = std::to_string(large) + large_name;
  if (small < 10) out += '0';
  return out + std::to_string(small) + small_name;
}

// Whole seconds from a minute on.
std::string long_duration(std::int64_t ms) {
  if (ms < kHour) return two_units(ms / kMinute, 'm', ms % kMinute / kSecond, 's');
  if (ms < kDay) return two_units(ms / kHour, 'h', ms % kHour / kMinute, 'm');
  return two_units(ms / kDay, 'd', ms % kDay / kHour, 'h');
}

std::int64_t rounded(std::int64_t ms, std::int64_t unit) { return (ms + unit / 2) / unit * unit; }

std::string fixed(double value, int digits) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
  return {text.data(), end};
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural) {
  std::string out = std::to_string(count) + ' ';
  if (count != 1 && !plural.empty()) return out.append(plural);
  out += noun;
  return count == 1 ? out : out + 's';
}

std::string run_list(const std::vector<int>& runs) { return number_list("run", runs); }

std::string number_list(std::string_view noun, const std::vector<int>& numbers) {
  std::string out = std::string(noun) + (numbers.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (i > 0) out += ", ";
    out += std::to_string(numbers[i]);
    if (last > i) out.append(last > i + 1 ? "-" : ", ").append(std::to_string(numbers[last]));
    i = last + 1;
  }
  return out;
}

std::string format_duration(std::int64_t milliseconds) {
  const auto ms = std::max<std::int64_t>(milliseconds, 0);
  if (ms < kSecond) return std::to_string(ms) + "ms";
  const auto tenths = rounded(ms, kSecond / 10);
  if (tenths < kMinute) return fixed(static_cast<double>(tenths) / kSecond, 1) + 's';
  return long_duration(rounded(ms, kSecond));
}

std::string format_eta(std::int64_t milliseconds) {
  const auto ms = rounded(std::max<std::int64_t>(milliseconds, 0), kSecond);
  return ms < kMinute ? std::to_string(ms / kSecond) + 's' : long_duration(ms);
}

std::string format_score(double value) {
  if (value > 0 && value < 0.0005) return "<0.001";
  return fixed(value, 3);
}

std::string percent_up(double rate) {
  const double percent = rate * 100;
  const double unit = percent >= 10 ? 1 : std::pow(10, std::floor(std::log10(std::max(percent, 1e-9))) - 1);
  // The small allowance keeps 5 % from becoming 5.1 % by the last bit of a logarithm.
  const double up = std::min(std::ceil(percent / unit - 1e-9) * unit, 100.0);
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g %%", up);
  return text.data();
}

std::string quote_command(const std::vector<std::string>& argv) { return text::shell_words(argv); }

}  // namespace flakestat::report
