#include "text/width.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "text/code_points.hpp"

namespace flakestat::text {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr char32_t kEmojiPresentation = 0xFE0F;

utf8proc_int32_t code(char32_t value) { return static_cast<utf8proc_int32_t>(value); }

bool is_regional_indicator(char32_t value) { return value >= 0x1F1E6 && value <= 0x1F1FF; }

bool is_keycap_base(char32_t value) { return (value >= '0' && value <= '9') || value == '#' || value == '*'; }

// Pictographs that U+FE0F turns from a narrow text symbol into a wide emoji.
bool becomes_emoji(char32_t base) {
  return is_keycap_base(base) ||
         utf8proc_get_property(code(base))->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

std::size_t own_width(char32_t value) { return static_cast<std::size_t>(std::max(0, utf8proc_charwidth(code(value)))); }

// Columns of the first `size` bytes as whole clusters that fit into `limit`, and where they end.
struct Prefix {
  std::size_t size = 0;
  std::size_t width = 0;
};

Prefix fitting_prefix(std::string_view text, std::size_t limit) {
  Prefix prefix;
  while (prefix.size < text.size()) {
    const auto cluster = next_cluster(text.substr(prefix.size));
    if (prefix.width + cluster.width > limit) break;
    prefix.size += cluster.size;
    prefix.width += cluster.width;
  }
  return prefix;
}

// Where the longest suffix of whole clusters that fits into `limit` begins.
std::size_t fitting_suffix(std::string_view text, std::size_t limit) {
  std::vector<Cluster> clusters;
  for (std::size_t at = 0; at < text.size(); at += clusters.back().size)
    clusters.push_back(next_cluster(text.substr(at)));
  std::size_t start = text.size();
  std::size_t width = 0;
  for (auto cluster = clusters.rbegin(); cluster != clusters.rend() && width + cluster->width <= limit; ++cluster) {
    width += cluster->width;
    start -= cluster->size;
  }
  return start;
}

}  // namespace

Cluster next_cluster(std::string_view text) {
  const auto base = next_code_point(text);
  Cluster cluster{base.size, own_width(base.value)};
  utf8proc_int32_t state = 0;
  char32_t previous = base.value;
  while (cluster.size < text.size()) {
    const auto next = next_code_point(text.substr(cluster.size));
    if (utf8proc_grapheme_break_stateful(code(previous), code(next.value), &state)) break;
    const bool wide = (next.value == kEmojiPresentation && becomes_emoji(base.value)) ||
                      (is_regional_indicator(previous) && is_regional_indicator(next.value));
    cluster.width = wide ? 2 : std::max(cluster.width, own_width(next.value));
    cluster.size += next.size;
    previous = next.value;
  }
  return cluster;
}

std::size_t display_width(std::string_view text) {
  if (is_plain_ascii(text)) return text.size();
  return fitting_prefix(text, static_cast<std::size_t>(-1)).width;
}

std::string truncate(std::string_view text, std::size_t width, Elide elide) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t room = width - 1;
  const auto head = fitting_prefix(text, elide == Elide::end ? room : room / 2);
  std::string out(text.substr(0, head.size));
  out += kEllipsis;
  if (elide == Elide::middle) out += text.substr(fitting_suffix(text, room - head.width));
  return out;
}

}  // namespace flakestat::text
