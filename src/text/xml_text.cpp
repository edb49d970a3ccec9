#include "text/xml_text.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/utf8.hpp"

namespace flakestat::text {
namespace {

constexpr std::size_t kLongestReference = 64;

/// The character of `#38` or `#x26`; nothing when it is none that UTF-8 can hold.
std::optional<char32_t> numeric(std::string_view body) {
  body.remove_prefix(1);
  int base = 10;
  if (!body.empty() && (body[0] == 'x' || body[0] == 'X')) {
    base = 16;
    body.remove_prefix(1);
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value, base);
  if (error != std::errc{} || end != body.data() + body.size() || body.empty()) return std::nullopt;
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return std::nullopt;
  return value;
}

char predefined(std::string_view name) {
  if (name == "amp") return '&';
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "quot") return '"';
  if (name == "apos") return '\'';
  return '\0';
}

/// Appends what `&name;` means; false when it means nothing.
bool append_reference(std::string& out, std::string_view name, const EntityTable& entities, std::size_t& uses) {
  if (name.empty()) return false;
  if (name[0] == '#') {
    const auto code = numeric(name);
    if (code) append_utf8(out, *code);
    return code.has_value();
  }
  if (const char known = predefined(name); known != '\0') {
    out.push_back(known);
    return true;
  }
  const auto* value = entities.find(name);
  if (value == nullptr || uses == EntityTable::kMaxUses) return false;
  ++uses;
  out += *value;
  return true;
}

/// Appends text without ampersands, its line ends and tabs as the place wants them.
void append_run(std::string& out, std::string_view run, XmlPlace place) {
  const char line_end = place == XmlPlace::attribute ? ' ' : '\n';
  while (!run.empty()) {
    const auto at = run.find_first_of(place == XmlPlace::attribute ? "\t\n\r" : "\r");
    out += run.substr(0, at);
    if (at == std::string_view::npos) return;
    out.push_back(line_end);
    const bool pair = run[at] == '\r' && at + 1 < run.size() && run[at + 1] == '\n';
    run.remove_prefix(at + (pair ? 2 : 1));
  }
}

constexpr std::uint64_t kOnes = 0x0101010101010101U;
constexpr std::uint64_t kHighs = 0x8080808080808080U;

/// High bits set where a byte is no printable ASCII or `&` (exact as a yes or no for the whole word).
std::uint64_t odd_bytes(std::uint64_t word) {
  const std::uint64_t ampersand = word ^ kOnes * '&';
  const std::uint64_t del = word ^ kOnes * 0x7F;
  return (((word - kOnes * 0x20) & ~word) | ((ampersand - kOnes) & ~ampersand) | ((del - kOnes) & ~del) | word) &
         kHighs;
}

}  // namespace

void EntityTable::declare(std::string_view name, std::string_view value) {
  if (entities_.size() == kMaxEntities || name.size() > kLongestReference || value.size() > kMaxValue) return;
  if (find(name) == nullptr) entities_.push_back({std::string(name), std::string(value)});
}

const std::string* EntityTable::find(std::string_view name) const {
  for (const auto& entity : entities_) {
    if (entity.name == name) return &entity.value;
  }
  return nullptr;
}

void append_decoded(std::string& out, std::string_view raw, XmlPlace place, const EntityTable& entities) {
  std::size_t uses = 0;
  while (!raw.empty()) {
    const auto ampersand = raw.find('&');
    append_run(out, raw.substr(0, ampersand), place);
    if (ampersand == std::string_view::npos) return;
    raw.remove_prefix(ampersand);
    const auto end = raw.substr(0, kLongestReference + 2).find(';');
    if (end != std::string_view::npos && append_reference(out, raw.substr(1, end - 1), entities, uses)) {
      raw.remove_prefix(end + 1);
    } else {
      out.push_back('&');
      raw.remove_prefix(1);
    }
  }
}

bool is_plain(std::string_view raw) {
  std::uint64_t odd = 0;
  std::size_t at = 0;
  for (; at + 8 <= raw.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, raw.data() + at, 8);
    odd |= odd_bytes(word);
  }
  std::uint64_t last = kOnes * ' ';
  if (at < raw.size()) std::memcpy(&last, raw.data() + at, raw.size() - at);
  return (odd | odd_bytes(last)) == 0;
}

}  // namespace flakestat::text
