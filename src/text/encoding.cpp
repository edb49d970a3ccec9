#include "text/encoding.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace flakestat::text {
namespace {

constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kConvertBytes = 64 * 1024;

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  std::string_view name;
};

EncodingChoice by_mark(std::string_view head) {
  static constexpr std::array<Mark, 5> kMarks{{{"\xEF\xBB\xBF"sv, "UTF-8"sv},
                                               {"\xFF\xFE\0\0"sv, "UTF-32LE"sv},
                                               {"\0\0\xFE\xFF"sv, "UTF-32BE"sv},
                                               {"\xFF\xFE"sv, "UTF-16LE"sv},
                                               {"\xFE\xFF"sv, "UTF-16BE"sv}}};
  for (const auto& mark : kMarks) {
    if (head.starts_with(mark.bytes)) return {std::string(mark.name), mark.bytes.size(), {}};
  }
  return {"", 0, {}};
}

/// Which of the first bytes are NUL tells the width and the order of the code units: XML starts with ASCII.
std::string_view by_nul_pattern(std::string_view head) {
  if (head.size() < 4) return {};
  const auto nul = [&head](std::size_t i) { return head[i] == '\0'; };
  if (!nul(0) && nul(1) && nul(2) && nul(3)) return "UTF-32LE";
  if (nul(0) && nul(1) && nul(2) && !nul(3)) return "UTF-32BE";
  if (!nul(0) && nul(1) && !nul(2) && nul(3)) return "UTF-16LE";
  if (nul(0) && !nul(1) && nul(2) && !nul(3)) return "UTF-16BE";
  return {};
}

std::string_view declared(std::string_view head) {
  const auto start = head.find("<?xml");
  if (start == std::string_view::npos) return {};
  auto declaration = head.substr(start, head.find('>', start) - start);
  const auto at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  declaration.remove_prefix(at + 8);
  const auto open = declaration.find_first_of("\"'");
  if (open == std::string_view::npos || declaration.find_first_not_of(" \t\r\n=") != open) return {};
  const auto close = declaration.find(declaration[open], open + 1);
  return close == std::string_view::npos ? std::string_view{} : declaration.substr(open + 1, close - open - 1);
}

/// Upper case, blanks gone, `_` as `-`; control characters never get into a message.
std::string canonical_name(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isgraph(byte) != 0) out.push_back(c == '_' ? '-' : static_cast<char>(std::toupper(byte)));
  }
  return out;
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

EncodingChoice by_declaration(std::string_view name) {
  std::string upper = canonical_name(name);
  if (upper.empty() || one_of(upper, {"UTF-8", "UTF8", "US-ASCII", "ASCII"})) return {};
  if (upper.starts_with("UTF-16") || upper.starts_with("UTF16") || upper.starts_with("UTF-32") ||
      upper.starts_with("UTF32") || upper.starts_with("UCS-") || upper.starts_with("ISO-10646")) {
    return {"UTF-8", 0, std::move(upper)};
  }
  if (one_of(upper, {"ISO-8859-1", "ISO8859-1", "ISO88591", "LATIN1", "LATIN-1", "L1"})) upper = "ISO-8859-1";
  if (one_of(upper, {"WINDOWS-1252", "CP1252", "CP-1252", "WINDOWS1252"})) upper = "windows-1252";
  return {std::move(upper), 0, {}};
}

}  // namespace

EncodingChoice detect_encoding(std::string_view head) {
  if (auto marked = by_mark(head); !marked.name.empty()) return marked;
  if (const auto name = by_nul_pattern(head); !name.empty()) return {std::string(name), 0, {}};
  return by_declaration(declared(head.substr(0, kHeadBytes)));
}

Result<std::size_t> Utf8Input::read_raw(char* buffer, std::size_t size) {
  if (!head_.empty()) {
    const auto count = head_.copy(buffer, size);
    head_.erase(0, count);
    return count;
  }
  auto got = read_(buffer, size);
  if (got) bytes_read_ += *got;
  return got;
}

Result<void> Utf8Input::open() {
  opened_ = true;
  head_.resize(kHeadBytes);
  std::size_t have = 0;
  while (have < kHeadBytes) {
    auto got = read_(head_.data() + have, kHeadBytes - have);
    if (!got) return got.error();
    if (*got == 0) break;
    have += *got;
  }
  head_.resize(have);
  bytes_read_ = have;
  choice_ = detect_encoding(head_);
  head_.erase(0, choice_.bom);
  transcoder_ = make_transcoder(choice_.name);
  unsupported_ = !transcoder_ && choice_.name != "UTF-8";
  return {};
}

Result<void> Utf8Input::convert_more() {
  std::array<char, kConvertBytes> raw;
  auto got = read_raw(raw.data(), raw.size());
  if (!got) return got.error();
  pending_.clear();
  pending_at_ = 0;
  if (*got > 0) {
    transcoder_->feed({raw.data(), *got}, pending_);
  } else {
    ended_ = true;
    transcoder_->finish(pending_);
  }
  return {};
}

Result<std::size_t> Utf8Input::fill(char* buffer, std::size_t size) {
  if (!opened_) {
    FLAKESTAT_TRY(open());
  }
  std::size_t have = 0;
  while (have < size) {
    if (!transcoder_) {
      auto got = read_raw(buffer + have, size - have);
      if (!got) return got.error();
      if (*got == 0) break;
      have += *got;
    } else if (pending_at_ < pending_.size()) {
      const auto count = pending_.copy(buffer + have, size - have, pending_at_);
      pending_at_ += count;
      have += count;
    } else if (ended_) {
      break;
    } else {
      FLAKESTAT_TRY(convert_more());
    }
  }
  return have;
}

}  // namespace flakestat::text
