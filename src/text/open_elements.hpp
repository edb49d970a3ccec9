// The elements that are open at a place in a document whose end tags cannot be trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flakestat::text {

using ElementId = std::uint32_t;

/// Numbers for names that have none of their own: exact for the first kMaxNames different ones, one number for the
/// rest.
class NameTable {
 public:
  static constexpr std::size_t kMaxNames = 16 * 1024;
  static constexpr std::size_t kLongestName = 256;

  explicit NameTable(ElementId first) : first_(first) {}
  [[nodiscard]] ElementId id(std::string_view name) {
    const std::string key(name.substr(0, kLongestName));
    if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
    if (ids_.size() == kMaxNames) return first_ + static_cast<ElementId>(kMaxNames);
    return ids_.emplace(key, first_ + static_cast<ElementId>(ids_.size())).first->second;
  }

 private:
  ElementId first_;
  std::unordered_map<std::string, ElementId> ids_;
};

/// A stack of open elements. An end tag closes the nearest open element of its name and everything inside it; one that
/// matches nothing is recognised in constant time, so that a million stray end tags cost nothing.
class OpenElements {
 public:
  /// More levels than this are no document any more (four bytes a level).
  static constexpr std::size_t kMaxDepth = std::size_t{4} << 20;

  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  [[nodiscard]] bool full() const { return open_.size() >= kMaxDepth; }
  [[nodiscard]] ElementId innermost() const { return open_.back(); }

  void push(ElementId id) {
    if (id >= counts_.size()) counts_.resize(id + 1);
    ++counts_[id];
    open_.push_back(id);
  }

  void pop() {
    --counts_[open_.back()];
    open_.pop_back();
  }

  [[nodiscard]] bool is_open(ElementId id) const { return id < counts_.size() && counts_[id] != 0; }

 private:
  std::vector<ElementId> open_;
  std::vector<std::uint32_t> counts_;  ///< how often each id is open
};

}  // namespace flakestat::text
