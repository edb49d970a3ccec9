// How many terminal columns a text takes, and cutting it to a width between grapheme clusters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flakestat::text {

/// What a reader sees as one character: its bytes and its columns (0, 1 or 2).
struct Cluster {
  std::size_t size = 0;
  std::size_t width = 0;
};

/// The first grapheme cluster of a text that is not empty (Unicode extended grapheme clusters, UAX 29).
/// Widths: wide East Asian letters and emoji 2 (also as ZWJ sequence, with skin tone, with U+FE0F, as a pair of
/// regional indicators), combining marks 0, ambiguous letters 1. Control characters count 0: escape them first.
[[nodiscard]] Cluster next_cluster(std::string_view text);

/// Columns of the whole text.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Which part of a text that is too long gives way to `…`.
enum class Elide { end, middle };

/// The text when it fits into `width` columns, else as much of it as does with one `…`. Cuts between clusters only, so
/// the result may be one column narrower than allowed.
[[nodiscard]] std::string truncate(std::string_view text, std::size_t width, Elide elide = Elide::end);

}  // namespace flakestat::text
