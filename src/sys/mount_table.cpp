#include "sys/mount_table.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "sys/file.hpp"
#include "sys/isolation.hpp"

namespace flakestat::sys {
namespace {

constexpr std::size_t kMountPointField = 4;

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// The kernel writes blanks, tabs, newlines and backslashes as \NNN.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> mount_points_in(std::string_view mountinfo) {
  std::vector<std::string> points;
  for (const auto line : split(mountinfo, '\n')) {
    const auto fields = split(line, ' ');
    if (fields.size() > kMountPointField) points.push_back(unescaped(fields[kMountPointField]));
  }
  return points;
}

std::vector<std::string> topmost_below(const std::vector<std::string>& mount_points, std::string_view folder) {
  std::vector<std::string> below;
  for (const auto& point : mount_points) {
    if (point != folder && is_within(point, folder)) below.push_back(point);
  }
  // Shortest first: whatever another one contains comes after it.
  std::sort(below.begin(), below.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  std::vector<std::string> topmost;
  for (auto& point : below) {
    if (std::none_of(topmost.begin(), topmost.end(), [&](const auto& other) { return is_within(point, other); })) {
      topmost.push_back(std::move(point));
    }
  }
  std::sort(topmost.begin(), topmost.end());
  return topmost;
}

Result<std::vector<std::string>> mounts_below(std::string_view folder) {
  auto text = read_file("/proc/self/mountinfo");
  if (!text) return text.error();
  return topmost_below(mount_points_in(*text), folder);
}

}  // namespace flakestat::sys
