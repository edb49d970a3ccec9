// Where the tokens of JSON text are: simdjson's first stage, for readers that know what they look for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace flakestat::text {

/// Positions of `{ } [ ] : ,`, of opening quotes and of the first byte of every other scalar, in order. Many documents
/// in one text are fine, one a line: a string never goes over a line end. Not thread-safe; objects are independent.
class JsonTokens {
 public:
  /// Bytes that must be readable (not meaningful) behind the text, and writable behind an unescaped string.
  static constexpr std::size_t kPadding = 64;

  JsonTokens();
  JsonTokens(JsonTokens&&) noexcept;
  JsonTokens& operator=(JsonTokens&&) noexcept;
  ~JsonTokens();

  /// False, and no tokens, for text that is not UTF-8, has an open string or a control character in a string, or has no
  /// token at all. Memory: 4 bytes a byte of the longest text.
  [[nodiscard]] bool index(std::string_view text);

  /// Of the last `index`.
  [[nodiscard]] std::span<const std::uint32_t> positions() const { return positions_; }

  /// The text of a string of which `token` is the opening quote, written to `to` (as long as the escaped one, and
  /// padding); `to` then points behind it. Lone surrogates become U+FFFD. False for an escape that JSON does not know.
  [[nodiscard]] bool unescape(const char* token, unsigned char*& to, std::string_view& text) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::span<const std::uint32_t> positions_;
};

}  // namespace flakestat::text
