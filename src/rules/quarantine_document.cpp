#include "rules/quarantine_document.hpp"

#include <algorithm>
#include <array>

#include "base/edit_distance.hpp"
#include "base/result.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "model/dimensions.hpp"
#include "model/identity.hpp"

namespace flakestat::rules {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr auto kKeys = std::to_array<std::string_view>({"owner", "expires", "reason", "when", "added"});

bool is_known(std::string_view key) { return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end(); }

Error wrong(std::string message) { return {ErrorKind::config, std::move(message)}; }

Result<void> set_day(std::string_view key, std::string_view text, std::optional<Day>& day) {
  if (day) return wrong(std::string(key) + "= is there twice");
  day = parse_day(text);
  if (!day)
    return wrong(std::string(key) + "=" + std::string(text) + " is no day: write " + std::string(key) + "=2027-01-31");
  return {};
}

Result<void> set_text(std::string_view key, std::string_view untrimmed, std::string& value) {
  const auto text = trim(untrimmed);
  if (!value.empty()) return wrong(std::string(key) + "= is there twice");
  if (text.empty()) return wrong(std::string(key) + "= is empty");
  value = text;
  return {};
}

Result<void> set_attribute(std::string_view key, std::string_view value, QuarantineEntry& entry) {
  if (key == "owner") return set_text(key, value, entry.owner);
  if (key == "reason") return set_text(key, value, entry.reason);
  if (key == "expires") return set_day(key, value, entry.expires);
  if (key == "added") return set_day(key, value, entry.added);
  auto dimension = parse_dimension(value);
  if (!dimension) return wrong("when=" + std::string(value) + ": write when=os=windows");
  if (dimension->second.empty()) return wrong("when=" + std::string(value) + " says no value");
  entry.when.push_back(std::move(*dimension));
  return {};
}

constexpr std::size_t kMarkSize = 3;

// Where the attributes begin: at a `#` between blanks or tabs; npos: there are none.
std::size_t mark_in(std::string_view line) {
  const auto is_gap = [&](std::size_t at) { return line[at] == ' ' || line[at] == '\t'; };
  for (std::size_t at = 1; at + 1 < line.size(); ++at) {
    if (line[at] == '#' && is_gap(at - 1) && is_gap(at + 1)) return at - 1;
  }
  return std::string_view::npos;
}

// White space of any script.
bool is_blank(char32_t code) {
  return code == ' ' || code == '\t' || code == '\v' || code == '\f' || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200B) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
         code == 0x205F || code == 0x3000 || code == 0xFEFF;
}

Error unknown_key(std::string_view word) {
  const auto key = word.substr(0, word.find('='));
  std::string message = "after ' # ' stand owner=, expires=, reason=, when= and added=, not " + in_quotes(word);
  if (const auto meant = nearest_name(key, kKeys)) message += "; did you mean " + std::string(*meant) + "=?";
  else message += " (a name that holds ' # ' is listed by its test_id)";
  return wrong(std::move(message));
}

// Whether a word inside a reason is a key with a slip in it (`expire=2027-01-31`): taken for a part of the reason, it
// would make an entry without an end.
bool is_slip_of_key(std::string_view key) {
  const auto lower = ascii_lower(key);
  return key.size() <= 10 && std::any_of(kKeys.begin(), kKeys.end(), [&](std::string_view known) {
           return edit_distance(lower, known) <= known.size() / 3;
         });
}

// The words between blanks of every kind: an editor's tab or no-break space must not hide one in the word before it.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const auto step = at == text.size() ? Utf8Step{' ', 1, true} : decode_utf8(text.substr(at));
    if (is_blank(step.code)) {
      if (at > begin) words.push_back(text.substr(begin, at - begin));
      begin = at + step.size;
    }
    at += step.size;
  }
  return words;
}

// `owner=@team reason=two words when=os=windows`: a word without a known key goes on with the reason before it.
Result<void> read_attributes(std::string_view text, QuarantineEntry& entry) {
  std::string_view key;
  std::string value;
  const auto finish = [&]() -> Result<void> { return key.empty() ? Result<void>{} : set_attribute(key, value, entry); };
  for (const auto word : words_of(text)) {
    const auto equals = word.find('=');
    const auto name = equals == std::string_view::npos ? std::string_view{} : word.substr(0, equals);
    if (is_known(name)) {
      FLAKESTAT_TRY(finish());
      key = name;
      value = word.substr(equals + 1);
    } else if (key == "reason" && !is_slip_of_key(name)) {
      value.append(" ").append(word);
    } else {
      return unknown_key(word);
    }
  }
  return finish();
}

Result<std::optional<QuarantineEntry>> read_line(std::string_view line) {
  const auto text = trim(line);
  if (text.empty() || text.front() == '#') return std::optional<QuarantineEntry>{};
  if (text.find('\0') != std::string_view::npos) return wrong("a NUL byte: this is no quarantine list");
  if (text.find('\r') != std::string_view::npos) return wrong("a carriage return inside the line");
  QuarantineEntry entry;
  const auto mark = mark_in(text);
  if (mark == std::string_view::npos) {
    entry.pattern = text.ends_with(" #") ? trim(text.substr(0, text.size() - 2)) : text;
    return std::optional(std::move(entry));
  }
  entry.pattern = trim(text.substr(0, mark));
  FLAKESTAT_TRY(read_attributes(text.substr(mark + kMarkSize), entry));
  return std::optional(std::move(entry));
}

std::string one_line(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return out;
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const auto word : words_of(text)) out += word;
  return out;
}

}  // namespace

std::string QuarantineDocument::text() const {
  std::string out;
  for (const auto& line : lines) out += line.text;
  return out;
}

void QuarantineDocument::append(const std::string& line) {
  const bool carriage = !lines.empty() && lines.front().text.ends_with("\r\n");
  const std::string end = carriage ? "\r\n" : "\n";
  if (!lines.empty() && !lines.back().text.ends_with('\n')) lines.back().text += end;
  auto read = read_line(line);
  lines.push_back({line + end, read ? std::move(*read) : std::nullopt});
  if (lines.back().entry) lines.back().entry->line = lines.size();
}

QuarantineDocument read_quarantine_document(std::string_view text) {
  QuarantineDocument document;
  bool first = true;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto raw = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(raw.size());
    auto content = raw;
    if (first && content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
    first = false;
    auto read = read_line(content);
    ListLine line{std::string(raw), {}};
    if (read) line.entry = std::move(*read);
    else document.problems.push_back({document.lines.size() + 1, read.error().message});
    if (line.entry) line.entry->line = document.lines.size() + 1;
    document.lines.push_back(std::move(line));
  }
  return document;
}

std::string entry_line(const QuarantineEntry& entry) {
  std::string attributes;
  const auto add = [&attributes](std::string_view key, const std::string& value) {
    if (!value.empty()) attributes.append(" ").append(key).append("=").append(one_line(value));
  };
  add("owner", without_blanks(entry.owner));
  add("added", entry.added ? format_day(*entry.added) : std::string{});
  add("expires", entry.expires ? format_day(*entry.expires) : std::string{});
  add("reason", entry.reason);
  for (const auto& [key, value] : entry.when) add("when", key + "=" + value);
  return attributes.empty() ? entry.pattern : entry.pattern + " #" + attributes;
}

bool can_be_entry(std::string_view name) {
  if (name.empty() || name.front() == '#' || trim(name) != name || parse_hex64(name)) return false;
  if (name.find('*') != name.npos || mark_in(name) != name.npos || name.ends_with(" #")) return false;
  for (auto rest = name; !rest.empty();) {
    const auto step = decode_utf8(rest);
    const bool hidden = step.code < 0x20 || (step.code >= 0x7F && step.code < 0xA0) || step.code == 0xAD ||
                        (step.code >= 0x200B && step.code <= 0x200F) || (step.code >= 0x2028 && step.code <= 0x202E) ||
                        (step.code >= 0x2060 && step.code <= 0x206F) || step.code == 0xFEFF || step.code >= 0xE0000;
    if (!step.valid || hidden) return false;
    rest.remove_prefix(step.size);
  }
  return true;
}

}  // namespace flakestat::rules
