#include "model/identity.hpp"

#include <algorithm>
#include <array>

#include "base/sha256.hpp"

namespace flakestat {
namespace {

constexpr std::string_view kNul("\0", 1);

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t run_length(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
}

// 36 when `text` starts with a UUID in its usual form, else 0.
std::size_t uuid_length(std::string_view text) {
  static constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (text.size() < kForm.size()) return 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == '-' ? text[i] != '-' : !is_hex(text[i])) return 0;
  }
  return kForm.size();
}

// Appends `part` with every run of digits as one `0`.
void append_without_digits(std::string& out, std::string_view part) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!is_digit(part[i])) out.push_back(part[i]);
    else if (i == 0 || !is_digit(part[i - 1])) out.push_back('0');
  }
}

// The start of the bracket group that ends `name`, or npos when it ends in none. Brackets of one kind nest.
std::size_t trailing_group(std::string_view name) {
  if (name.empty()) return std::string_view::npos;
  const char close = name.back();
  if (close != ']' && close != ')') return std::string_view::npos;
  if (close == ']') return name.find('[');
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

constexpr unsigned kNoHexDigit = 0x80;

// The value of each hex digit, kNoHexDigit for other bytes: a log has two such numbers a line.
constexpr auto kHexDigits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNoHexDigit);
  for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < 6; ++i) table['a' + i] = table['A' + i] = static_cast<std::uint8_t>(10 + i);
  return table;
}();

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

TestId test_id(std::string_view suite, std::string_view class_name, std::string_view name) {
  Sha256 digest;
  digest.update(suite).update(kNul).update(class_name).update(kNul).update(name);
  return TestId{first_u64(digest.finish())};
}

TestId TestIdDigester::operator()(std::string_view suite, std::string_view class_name, std::string_view name) {
  if (!has_prefix_ || suite != suite_ || class_name != class_name_) {
    suite_ = suite;
    class_name_ = class_name;
    prefix_ = Sha256();
    prefix_.update(suite).update(kNul).update(class_name).update(kNul);
    has_prefix_ = true;
  }
  Sha256 digest = prefix_;
  return TestId{first_u64(digest.update(name).finish())};
}

TestId family_id(std::string_view suite, std::string_view class_name, std::string_view name) {
  return test_id(suite, class_name, family_name(name));
}

std::string_view family_name(std::string_view name) {
  std::string_view family = name;
  for (;;) {
    const auto start = trailing_group(family);
    if (start == std::string_view::npos) return family;
    const auto rest = trim_right(family.substr(0, start));
    if (rest.empty()) return family;
    family = rest;
  }
}

std::string display_name(std::string_view suite, std::string_view class_name, std::string_view name) {
  const auto prefix = class_name.empty() || class_name == suite ? suite : class_name;
  if (prefix.empty()) return std::string(name);
  std::string out;
  out.reserve(prefix.size() + 2 + name.size());
  out.append(prefix).append("::").append(name);
  return out;
}

std::string name_shape(std::string_view name) {
  static constexpr std::size_t kShortestHash = 8;
  std::string out;
  while (!name.empty()) {
    const auto uuid = uuid_length(name);
    const auto part = name.substr(0, uuid > 0 ? uuid : run_length(name, is_hex));
    const bool has_digit = std::any_of(part.begin(), part.end(), is_digit);
    if (part.empty()) out.push_back(name.front());
    else if (uuid > 0 || (has_digit && part.size() >= kShortestHash)) out.push_back('0');
    else append_without_digits(out, part);
    name.remove_prefix(std::max<std::size_t>(part.size(), 1));
  }
  return out;
}

char* write_hex(std::uint64_t value, char* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = kHex[value & 15];
  return out + 16;
}

std::string to_hex(std::uint64_t value) {
  std::string out(16, '0');
  write_hex(value, out.data());
  return out;
}

std::optional<std::uint64_t> parse_hex64(std::string_view text) {
  if (text.size() != 16) return std::nullopt;
  std::uint64_t value = 0;
  unsigned invalid = 0;
  for (const char c : text) {
    const auto digit = kHexDigits[static_cast<unsigned char>(c)];
    invalid |= digit;
    value = value << 4 | (digit & 15U);
  }
  if ((invalid & kNoHexDigit) != 0) return std::nullopt;
  return value;
}

}  // namespace flakestat
