#include "formats/junit_time.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/strings.hpp"
#include "text/xml_text.hpp"

namespace flakestat::formats {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Length of a group mark (blank, apostrophe, no-break spaces) at the start of `text`; 0: none.
std::size_t group_mark(std::string_view text) {
  if (text[0] == ' ' || text[0] == '\t' || text[0] == '\'') return 1;
  if (text.starts_with("\xC2\xA0")) return 2;
  if (text.starts_with("\xE2\x80\xAF") || text.starts_with("\xE2\x80\x99")) return 3;
  return 0;
}

/// The text without marks that stand between two digits; nothing when a mark stands elsewhere or the text is absurd.
std::optional<std::string> ungrouped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto mark = group_mark(text);
    if (mark == 0) {
      out.push_back(text[0]);
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(mark);
    if (out.empty() || !is_digit(out.back()) || text.empty() || !is_digit(text[0])) return std::nullopt;
  }
  if (out.size() > 64) return std::nullopt;
  return out;
}

/// Removes the separator that groups, turns the decimal one into a dot; false when they make no sense.
bool settle_separators(std::string& number) {
  const auto comma = number.rfind(',');
  const auto dot = number.rfind('.');
  if (comma == std::string::npos) return true;
  const bool comma_groups = dot != std::string::npos && dot > comma;
  const char grouping = comma_groups ? ',' : '.';
  if (!comma_groups && number.find(',') != comma) return false;
  if (comma_groups && number.find('.') != dot) return false;
  std::erase(number, grouping);
  if (const auto decimal = number.find(','); decimal != std::string::npos) number[decimal] = '.';
  return true;
}

std::optional<double> parse_number(std::string_view text) {
  const auto value = number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// `PT1H2M3.5S`: every part may be missing, not all.
std::optional<double> parse_iso_duration(std::string_view text) {
  text.remove_prefix(2);
  double total = 0;
  bool any = false;
  for (const auto& [unit, seconds] : {std::pair{'H', 3600.0}, std::pair{'M', 60.0}, std::pair{'S', 1.0}}) {
    const auto at = text.find(unit);
    if (at == std::string_view::npos) continue;
    const auto value = parse_number(text.substr(0, at));
    if (!value) return std::nullopt;
    total += *value * seconds;
    any = true;
    text.remove_prefix(at + 1);
  }
  if (!any || !text.empty()) return std::nullopt;
  return total;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text::is_xml_blank(text.front()) || text.starts_with("\xC2\xA0"))) {
    text.remove_prefix(text.starts_with("\xC2\xA0") ? 2 : 1);
  }
  while (!text.empty() && (text::is_xml_blank(text.back()) || text.ends_with("\xC2\xA0"))) {
    text.remove_suffix(text.ends_with("\xC2\xA0") ? 2 : 1);
  }
  return text;
}

/// Reads digits: between `least` and `most` of them.
std::optional<int> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t size = 0;
  int value = 0;
  while (size < most && size < text.size() && is_digit(text[size])) value = value * 10 + (text[size++] - '0');
  if (size < least) return std::nullopt;
  text.remove_prefix(size);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text[0] != wanted) return false;
  text.remove_prefix(1);
  return true;
}

void skip_blanks(std::string_view& text) {
  while (take(text, ' ')) {
  }
}

struct Clock {
  int hour = 0, minute = 0, second = 0, millis = 0;
};

/// `16:54:53`, `16:54`, with a fraction of any length.
std::optional<Clock> take_clock(std::string_view& text) {
  Clock clock;
  const auto hour = take_number(text, 1, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2, 2);
  if (!minute) return std::nullopt;
  const auto second = take(text, ':') ? take_number(text, 2, 2) : std::optional(0);
  if (!second || *hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  clock = {*hour, *minute, *second, 0};
  if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
    text.remove_prefix(1);
    int scale = 100;
    if (text.empty() || !is_digit(text[0])) return std::nullopt;
    for (; !text.empty() && is_digit(text[0]); scale /= 10, text.remove_prefix(1))
      clock.millis += (text[0] - '0') * scale;
  }
  return clock;
}

/// Minutes east of UTC; nothing when `text` is no zone. An empty text: local.
std::optional<int> parse_zone(std::string_view text, bool& local) {
  skip_blanks(text);
  local = text.empty();
  if (local || text == "Z" || text == "z" || text == "UTC" || text == "GMT") return 0;
  const bool west = text[0] == '-';
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hours = take_number(text, 2, 2);
  (void)take(text, ':');
  const auto minutes = text.empty() ? std::optional(0) : take_number(text, 2, 2);
  if (!hours || !minutes || !text.empty() || *hours > 18 || *minutes > 59) return std::nullopt;
  return (*hours * 60 + *minutes) * (west ? -1 : 1);
}

std::optional<ReportStamp> assemble(int year, int month, int day, const Clock& clock, std::string_view zone) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  ReportStamp stamp;
  const auto east = parse_zone(zone, stamp.local);
  if (!date.ok() || year < 1990 || !east) return std::nullopt;
  const auto time = sys_days{date} + hours{clock.hour} + minutes{clock.minute - *east} + seconds{clock.second} +
                    milliseconds{clock.millis};
  stamp.time = duration_cast<milliseconds>(time.time_since_epoch()).count();
  return stamp;
}

std::optional<ReportStamp> parse_iso(std::string_view text) {
  const auto year = take_number(text, 4, 4);
  if (!year || text.empty() || (text[0] != '-' && text[0] != '/')) return std::nullopt;
  const char separator = text[0];
  text.remove_prefix(1);
  const auto month = take_number(text, 1, 2);
  if (!month || !take(text, separator)) return std::nullopt;
  const auto day = take_number(text, 1, 2);
  if (!day || text.empty()) return std::nullopt;
  skip_blanks(text);
  if (!take(text, 'T')) (void)take(text, 't');
  skip_blanks(text);
  const auto clock = take_clock(text);
  if (!clock) return std::nullopt;
  return assemble(*year, *month, *day, *clock, text);
}

/// `Mon, 30 Nov 2026 16:54:53 GMT`
std::optional<ReportStamp> parse_mail_date(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() > 5 && text[3] == ',') text.remove_prefix(4);
  skip_blanks(text);
  const auto day = take_number(text, 1, 2);
  skip_blanks(text);
  int month = 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (text.starts_with(kMonths[i])) month = static_cast<int>(i) + 1;
  }
  if (!day || month == 0) return std::nullopt;
  text.remove_prefix(3);
  skip_blanks(text);
  const auto year = take_number(text, 4, 4);
  skip_blanks(text);
  const auto clock = take_clock(text);
  if (!year || !clock) return std::nullopt;
  return assemble(*year, month, *day, *clock, text);
}

/// Seconds (with a fraction) or milliseconds since 1970, between 1990 and 2100.
std::optional<ReportStamp> parse_epoch(std::string_view text) {
  constexpr double kFrom = 631152000.0;
  constexpr double kTo = 4102444800.0;
  const auto value = parse_number(text);
  if (!value) return std::nullopt;
  if (*value >= kFrom && *value < kTo) return ReportStamp{static_cast<UnixMillis>(std::llround(*value * 1000)), false};
  if (*value >= kFrom * 1000 && *value < kTo * 1000) return ReportStamp{static_cast<UnixMillis>(*value), false};
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_duration(std::string_view text) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  if (text.starts_with("PT")) return parse_iso_duration(text);
  if (text[0] == '+') {
    text.remove_prefix(1);
    if (text.empty() || text[0] == '+' || text[0] == '-') return std::nullopt;
  }
  if (auto plain = parse_number(text)) return std::max(0.0, *plain);
  auto number = ungrouped(text);
  if (!number || !settle_separators(*number)) return std::nullopt;
  const auto value = parse_number(*number);
  if (!value) return std::nullopt;
  return std::max(0.0, *value);
}

std::optional<ReportStamp> parse_stamp(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > 64) return std::nullopt;
  if (auto stamp = parse_iso(text)) return stamp;
  if (auto stamp = parse_mail_date(text)) return stamp;
  return parse_epoch(text);
}

}  // namespace flakestat::formats
