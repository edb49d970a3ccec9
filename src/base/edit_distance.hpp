// "Did you mean": distance between names, and the nearest of a list.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace flakestat {

/// Fewest insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn `a` into
/// `b`, in bytes. Time and memory O(|a| x |b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The same, or nothing when it is more than `most`: in O(most x |a|), and less where the two soon differ.
[[nodiscard]] std::optional<std::size_t> edit_distance_within(std::string_view a, std::string_view b, std::size_t most);

/// The known name nearest to `name` (letter case costs nothing), the first of equals; nothing when none is near (more
/// than a third of the name would have to change, at least two steps allowed) or the name is longer than 100 bytes.
[[nodiscard]] std::optional<std::string_view> nearest_name(std::string_view name,
                                                           std::span<const std::string_view> known);

}  // namespace flakestat
