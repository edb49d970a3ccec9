#pragma once
#include <optional>
#include <string>
#include <vector>
namespace flakestat::sys {
struct Isolation {
  bool fs = false;
  bool tmp = false;
  bool pid = false;
  bool net = false;
};
[[nodiscard]] std::string to_string(const Isolation& isolation);
enum class TreeCopy { overlay, copied };
struct IsolationPlan {
  Isolation isolation;
  TreeCopy tree_copy = TreeCopy::overlay;
  std::string tree;
  std::vector<std::string> also;
  std::string scratch;
  std::vector<std::string> notes;
};
}  // namespace flakestat::sys
