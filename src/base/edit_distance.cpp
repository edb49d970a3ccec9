#include "base/edit_distance.hpp"

#include <algorithm>
#include <vector>

#include "base/strings.hpp"

namespace flakestat {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      auto best = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) best = std::min(best, at(i - 2, j - 2) + 1);
      at(i, j) = best;
    }
  }
  return at(a.size(), b.size());
}

// A band of the table above: what lies further from the diagonal than `most` costs more than that.
std::optional<std::size_t> edit_distance_within(std::string_view a, std::string_view b, std::size_t most) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return std::nullopt;
  const std::size_t far = most + 1;
  std::vector<std::size_t> two_before(b.size() + 2, far);
  std::vector<std::size_t> before(b.size() + 2, far);
  std::vector<std::size_t> now(b.size() + 2, far);
  for (std::size_t j = 0; j <= std::min(b.size(), most); ++j) before[j] = j;
  std::size_t least_before = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > most ? i - most : 1;
    const std::size_t last = std::min(b.size(), i + most);
    now[first - 1] = first == 1 ? std::min(i, far) : far;
    std::size_t least = now[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t replace = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      auto best = std::min({before[j] + 1, now[j - 1] + 1, replace, far});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) best = std::min(best, two_before[j - 2] + 1);
      now[j] = best;
      least = std::min(least, best);
    }
    now[last + 1] = far;
    if (least == far && least_before == far) return std::nullopt;  // a swap looks two rows back
    least_before = least;
    two_before.swap(before);
    before.swap(now);
  }
  return before[b.size()] == far ? std::nullopt : std::optional(before[b.size()]);
}

std::optional<std::string_view> nearest_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > 100) return std::nullopt;
  const auto wanted = ascii_lower(name);
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  std::optional<std::string_view> nearest;
  for (const auto candidate : known) {
    const auto distance = edit_distance(wanted, ascii_lower(candidate));
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace flakestat
