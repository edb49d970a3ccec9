#include "run/suite_level.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <string_view>

#include "base/sha256.hpp"

namespace flakestat::run {
namespace {

constexpr std::size_t kNameLimit = 256;
constexpr std::size_t kKeptOfLongName = 200;

bool is_plain(char c) {
  static constexpr std::string_view kPlain = "%+,-./:=@_{}";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kPlain.find(c) != std::string_view::npos;
}

void append_hex(std::string& out, char byte) {
  static constexpr char kHex[] = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  out += "\\x";
  out += kHex[value >> 4];
  out += kHex[value & 15];
}

// Length of the printable character at the front; 0 when there is none.
std::size_t printable_prefix(std::string_view text) {
  utf8proc_int32_t point = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &point);
  if (size <= 0) return 0;
  const auto category = utf8proc_category(point);
  const bool control = category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
                       category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
  return control ? 0 : static_cast<std::size_t>(size);
}

// Takes one character off the front; it, or the escape that stands for it.
std::string take_printable(std::string_view& text) {
  const auto size = printable_prefix(text);
  std::string taken(text.substr(0, size));
  if (size == 0) append_hex(taken, text.front());
  text.remove_prefix(std::max<std::size_t>(size, 1));
  return taken;
}

std::string quoted(std::string_view argument) {
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), is_plain)) return std::string(argument);
  std::string out = "'";
  while (!argument.empty()) {
    const auto taken = take_printable(argument);
    out += taken == "'" ? "'\\''" : taken;
  }
  return out + "'";
}

std::string shortened(std::string name) {
  if (name.size() <= kNameLimit) return name;
  auto cut = kKeptOfLongName;
  while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U) --cut;
  return name.substr(0, cut) + "...#" + hex_prefix(sha256(name), 8);
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty()) {
    const auto taken = take_printable(text);
    if (out.size() + taken.size() > limit) break;
    out += taken;
  }
  return out;
}

std::string suite_level_name(const std::vector<std::string>& command) {
  std::string name;
  for (const auto& argument : command) {
    if (!name.empty()) name += ' ';
    name += quoted(argument);
  }
  return shortened(std::move(name));
}

Case suite_level_case(const std::vector<std::string>& command, Status status, std::string_view message,
                      double duration_ms) {
  Case result;
  result.suite = kSuiteLevel;
  result.class_name = kSuiteLevel;
  result.name = suite_level_name(command);
  result.status = status;
  result.message = printable(message);
  result.duration_ms = duration_ms;
  return result;
}

}  // namespace flakestat::run
