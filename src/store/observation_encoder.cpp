#include "store/observation_encoder.hpp"

#include <rapidjson/writer.h>
#include <simdjson.h>
#include <utf8proc.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace flakestat::store {
namespace {

constexpr UnixMillis kDay = 24LL * 3600 * 1000;
constexpr UnixMillis kFirstDay = -62'167'219'200'000;  // 0000-01-01
constexpr UnixMillis kLastDay = 253'402'214'400'000;   // 9999-12-31

// Eight bytes at a time: whether one is a control character, a quote or a backslash. The usual "has a zero byte" trick;
// a false alarm (never the other way round) only costs the slow path.
bool needs_escape(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto special = [](std::uint64_t w) {
    const auto quote = w ^ (kOnes * '"'), backslash = w ^ (kOnes * '\\');
    const auto control = (w - kOnes * 0x20) & ~w;
    return ((control | ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash)) & kHigh) != 0;
  };
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if (special(word)) return true;
  }
  std::uint64_t rest = kOnes * ' ';
  std::memcpy(&rest, text.data() + i, text.size() - i);
  return special(rest);
}

// RapidJSON's output stream over a string. Its own StringBuffer adds to a null pointer (UBSan says so).
struct StringSink {
  using Ch = char;
  std::string& out;
  void Put(char c) { out += c; }  // NOLINT(readability-identifier-naming): RapidJSON's name
  void Flush() {}                 // NOLINT(readability-identifier-naming): RapidJSON's name
};

void append_string(std::string& out, std::string_view text) {
  if (!needs_escape(text)) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  StringSink sink{out};
  rapidjson::Writer<StringSink> writer(sink);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

// `name` is the key with its comma and colon: `,"suite":`.
void append_text(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += name;
  append_string(out, value);
}

void append_number(std::string& out, std::string_view name, std::int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out += name;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_flag(std::string& out, std::string_view name, bool value) {
  if (value) out.append(name).append("true");
}

void append_hex(std::string& out, std::uint64_t value) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::array<char, 16> digits;
  for (std::size_t i = 16; i-- > 0; value >>= 4) digits[i] = kHex[value & 15];
  out.append(digits.data(), digits.size());
}

void append_marks(std::string& out, const Observation& o) {
  append_flag(out, R"(,"quarantined":)", o.quarantined);
  append_flag(out, R"(,"would_sanitise":)", o.would_sanitise);
  if (!o.sanitised_assumption.empty()) {
    out += R"(,"sanitised":{"assumption":)";
    append_string(out, o.sanitised_assumption);
    append_text(out, R"(,"detail":)", o.sanitised_detail);
    out += '}';
  }
  append_flag(out, R"(,"partial":)", o.partial);
  append_flag(out, R"(,"ambiguous":)", o.ambiguous);
  append_flag(out, R"(,"contended":)", o.contended);
  append_text(out, R"(,"isolation":)", o.isolation);
}

std::string valid_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    utf8proc_int32_t code_point = -1;
    const auto size = utf8proc_iterate(std::bit_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code_point);
    const bool valid = size > 0;
    const auto used = valid ? static_cast<std::size_t>(size) : 1;
    out += valid ? text.substr(0, used) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(used);
  }
  return out;
}

Observation with_valid_utf8(Observation o) {
  for (auto* text : {&o.run_id, &o.commit, &o.code, &o.branch, &o.suite, &o.class_name, &o.name, &o.file, &o.message,
                     &o.isolation, &o.sanitised_assumption, &o.sanitised_detail, &o.artifact, &o.exec_key}) {
    *text = valid_utf8(*text);
  }
  Dimensions dimensions;
  for (const auto& [key, value] : o.dimensions) dimensions[valid_utf8(key)] = valid_utf8(value);
  o.dimensions = std::move(dimensions);
  return o;
}

}  // namespace

void ObservationEncoder::append(std::string& out, const Observation& observation) {
  const auto start = out.size();
  append_fields(out, observation);
  // Escaping leaves bytes above 0x7f alone, so the line is valid exactly when every string is.
  if (simdjson::validate_utf8(out.data() + start, out.size() - start)) return;
  out.resize(start);
  append_fields(out, with_valid_utf8(observation));
}

void ObservationEncoder::append_fields(std::string& out, const Observation& o) {
  out += R"({"ts":")";
  append_time(out, o.ts);
  out += '"';
  append_job(out, o);
  append_number(out, R"(,"attempt":)", o.attempt);
  if (o.repetition != 0) append_number(out, R"(,"repetition":)", o.repetition);
  out += R"(,"test_id":")";
  append_hex(out, static_cast<std::uint64_t>(o.test_id));
  out += '"';
  append_text(out, R"(,"suite":)", o.suite);
  append_text(out, R"(,"class":)", o.class_name);
  out += R"(,"name":)";
  append_string(out, o.name);
  out.append(R"(,"status":")").append(to_string(o.status)) += '"';
  if (o.raw_status) out.append(R"(,"raw_status":")").append(to_string(*o.raw_status)) += '"';
  append_text(out, R"(,"file":)", o.file);
  if (o.duration_ms) append_number(out, R"(,"duration_ms":)", *o.duration_ms);
  append_text(out, R"(,"message":)", o.message);
  append_flag(out, R"(,"known_flaky":)", o.known_flaky);
  append_marks(out, o);
  append_dimensions(out, o.dimensions);
  append_text(out, R"(,"artifact":)", o.artifact);
  append_text(out, R"(,"exec_key":)", o.exec_key);
  out += "}\n";
}

void ObservationEncoder::append_job(std::string& out, const Observation& o) {
  const bool same = !job_text_.empty() && o.source == source_ && o.run_id == run_id_ && o.commit == commit_ &&
                    o.code == code_ && o.branch == branch_;
  if (!same) {
    run_id_ = o.run_id;
    commit_ = o.commit;
    code_ = o.code;
    branch_ = o.branch;
    source_ = o.source;
    job_text_.clear();
    append_text(job_text_, R"(,"run_id":)", run_id_);
    append_text(job_text_, R"(,"commit":)", commit_);
    if (code_ != commit_) append_text(job_text_, R"(,"code":)", code_);
    append_text(job_text_, R"(,"branch":)", branch_);
    job_text_.append(R"(,"source":")").append(to_string(source_)) += '"';
  }
  out += job_text_;
}

void ObservationEncoder::append_time(std::string& out, UnixMillis ts) {
  if (ts < kFirstDay || ts >= kLastDay + kDay) {
    out += format_utc(ts);
    return;
  }
  const auto in_day = ((ts % kDay) + kDay) % kDay;
  const auto day = ts - in_day;
  if (day_text_.empty() || day != day_) {
    day_ = day;
    day_text_ = format_utc(day).substr(0, 11);  // `2026-08-17T`
  }
  std::array<char, 13> clock{'0', '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
  const auto put = [&](std::size_t last, std::size_t digits, UnixMillis value) {
    for (; digits-- > 0; value /= 10) clock[last--] = static_cast<char>('0' + value % 10);
  };
  put(1, 2, in_day / 3'600'000);
  put(4, 2, in_day / 60'000 % 60);
  put(7, 2, in_day / 1000 % 60);
  put(11, 3, in_day % 1000);
  out.append(day_text_).append(clock.data(), clock.size());
}

void ObservationEncoder::append_dimensions(std::string& out, const Dimensions& dimensions) {
  if (dimensions != dimensions_) {
    dimensions_ = dimensions;
    dimensions_text_.clear();
    for (const auto& [key, value] : dimensions) {
      if (value.empty()) continue;
      dimensions_text_ += dimensions_text_.empty() ? R"(,"dimensions":{)" : ",";
      append_string(dimensions_text_, key);
      dimensions_text_ += ':';
      append_string(dimensions_text_, value);
    }
    if (!dimensions_text_.empty()) dimensions_text_ += '}';
  }
  out += dimensions_text_;
}

}  // namespace flakestat::store
