#include "model/identity.hpp"

#include <array>

#include "base/sha256.hpp"

namespace flakestat {
namespace {

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
  static constexpr std::string_view kNul("\0", 1);
  Sha256 digest;
  digest.update(suite).update(kNul).update(class_name).update(kNul).update(name);
  return TestId{first_u64(digest.finish())};
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

std::string to_hex(std::uint64_t value) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) out[i] = kHex[value & 15];
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
