// Hostile text for the tests of this layer: pieces that break terminals, tables and markup, in seeded random order.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "text/code_points.hpp"

namespace flakestat::text {

/// How many random texts a test tries: FLAKESTAT_SOAK=1 asks for many. Printed, so that a log says what was tried.
inline int random_texts() {
  const char* soak = std::getenv("FLAKESTAT_SOAK");
  const int count = soak != nullptr && std::string_view(soak) == "1" ? 400'000 : 4'000;
  std::printf("random texts: %d\n", count);
  return count;
}

/// Whether something in it is broken or would not be seen; line ends are fine.
inline bool has_hidden(std::string_view text) {
  while (!text.empty()) {
    const auto point = next_code_point(text);
    if (!point.valid || (is_hidden(point.value) && point.value != '\n')) return true;
    text.remove_prefix(point.size);
  }
  return false;
}

class NastyText {
 public:
  explicit NastyText(unsigned seed) : random_(seed) {}

  /// Up to 12 pieces.
  std::string next() {
    std::string out;
    const auto count = random_() % 13;
    for (unsigned i = 0; i < count; ++i) out += piece();
    return out;
  }

 private:
  std::string piece() {
    static constexpr std::array<std::string_view, 40> kPieces = {"a",
                                                                 "test_login",
                                                                 "|",
                                                                 "\\",
                                                                 "`",
                                                                 "``",
                                                                 "\n",
                                                                 "\r",
                                                                 "\r\n",
                                                                 "\t",
                                                                 "\x1b[31m",
                                                                 "\x1b]0;title\a",
                                                                 "\x1b",
                                                                 "\x7f",
                                                                 "\xC2\x9B",
                                                                 "\xC2\x9D",
                                                                 "\xE2\x80\xAE",
                                                                 "\xE2\x81\xA6",
                                                                 "\xE2\x80\xA8",
                                                                 "<script>",
                                                                 "</td>",
                                                                 "&amp;",
                                                                 "\"",
                                                                 "'",
                                                                 "@octocat",
                                                                 "https://e.example",
                                                                 "[x](y)",
                                                                 "%0A",
                                                                 "::error::",
                                                                 ",",
                                                                 ":",
                                                                 "%",
                                                                 "日本",
                                                                 "e\xCC\x81",
                                                                 "👩‍👩‍👧",
                                                                 "🇩🇪",
                                                                 " ",
                                                                 "\xFF",
                                                                 "\xED\xA0\x80",
                                                                 "\xEF\xBB\xBF"};
    if (random_() % 8 == 0) return std::string(1, static_cast<char>(random_() & 0xFF));
    return std::string(kPieces[random_() % kPieces.size()]);
  }

  std::mt19937 random_;
};

/// Names that break something in every kind of output.
inline std::vector<std::string> hostile_names() {
  return {"test_\x1b[31mred\x1b[0m\x07",
          "a|b||c\\|d",
          "line\r\nbreak\tand tab",
          "`code` ``fence``",
          "<img src=x onerror=alert(1)> &amp;",
          "@octocat https://e.example #1 [x](y)",
          "rtl \xE2\x80\xAEgnp.exe\xE2\x80\xAC end",
          "\u009B31mC1",
          "broken \xFF\xC0 bytes",
          "日本語のテスト",
          "emoji 👩‍👩‍👧‍👦 🇩🇪 ❤️ 👍🏽",
          "combining e\xCC\x81\xCC\x82",
          "",
          "long_" + std::string(120, 'x') + "_end"};
}

}  // namespace flakestat::text
