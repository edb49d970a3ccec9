// Steps over the tokens of one JSON object: keys, scalars, nested values. Inline: it runs for every field of every
// line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "store/json_scalars.hpp"

namespace flakestat::store {

/// A value as it stands in the text.
struct JsonValue {
  std::string_view raw;   ///< of a scalar the token (of a string with its quotes), else empty
  char kind = '\0';       ///< the first byte
  std::size_t first = 0;  ///< the first token
};

/// A cursor over token positions (text::JsonTokens). Steps return false where the text is not as asked for; then the
/// walk is over. No recursion.
class TokenWalk {
 public:
  TokenWalk() = default;
  /// `positions` are relative to `base` and may go on behind the object; `begin` is the first token of it.
  TokenWalk(const char* base, std::span<const std::uint32_t> positions, std::size_t begin)
      : base_(base), positions_(positions), at_(begin) {}

  [[nodiscard]] std::size_t at() const { return at_; }
  void seek(std::size_t token) { at_ = token; }
  [[nodiscard]] bool at_end() const { return at_ >= positions_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : base_[positions_[at_]]; }
  /// Where a token starts; only of tokens that exist.
  [[nodiscard]] const char* position(std::size_t token) const { return base_ + positions_[token]; }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  /// A key and its colon; the key as written, escapes and all.
  bool take_key(std::string_view& key) {
    if (at_ + 2 >= positions_.size() || *position(at_) != '"' || *position(at_ + 1) != ':') return false;
    const auto token = text_between(at_, at_ + 1);
    if (!is_quoted(token)) return false;
    key = token.substr(1, token.size() - 2);
    at_ += 2;
    return true;
  }

  /// A value; something must follow it.
  bool take_value(JsonValue& value) {
    value.kind = peek();
    value.first = at_;
    value.raw = {};
    if (at_ + 1 >= positions_.size()) return false;
    if (value.kind == '{' || value.kind == '[') return skip_nested();
    value.raw = text_between(at_, at_ + 1);
    ++at_;
    return value.kind == '"' ? is_quoted(value.raw) : is_json_literal(value.raw);
  }

 private:
  static bool is_quoted(std::string_view token) { return token.size() >= 2 && token.back() == '"'; }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

  std::string_view text_between(std::size_t first, std::size_t next) const {
    const char* begin = position(first);
    const char* end = position(next);
    while (is_space(end[-1])) --end;  // stops at the token's own first byte, which is no space
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  bool skip_nested() {
    std::size_t depth = 0;
    do {
      const char c = peek();
      if (c == '\0') return false;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at_;
    } while (depth > 0);
    return true;
  }

  const char* base_ = nullptr;
  std::span<const std::uint32_t> positions_;
  std::size_t at_ = 0;  ///< the next token
};

}  // namespace flakestat::store
