// Dimensions: key=value facts about where an execution happened (design, section 1).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace flakestat {

/// Sorted by key, so that iteration is the canonical order. Empty values are never stored by `merge`.
using Dimensions = std::map<std::string, std::string, std::less<>>;

/// Dimensions that many records share: copying is cheap, writing to one copy never shows in another. Reads like a map.
/// Copies may live in different threads; one object is not thread-safe.
class SharedDimensions {
 public:
  using value_type = Dimensions::value_type;
  using size_type = Dimensions::size_type;
  using const_iterator = Dimensions::const_iterator;
  using iterator = const_iterator;

  SharedDimensions() = default;
  SharedDimensions(Dimensions dimensions)
      : shared_(dimensions.empty() ? nullptr : std::make_shared<Dimensions>(std::move(dimensions))) {}
  SharedDimensions(std::initializer_list<value_type> dimensions) : SharedDimensions(Dimensions(dimensions)) {}

  [[nodiscard]] const Dimensions& get() const;
  operator const Dimensions&() const { return get(); }
  [[nodiscard]] const_iterator begin() const { return get().begin(); }
  [[nodiscard]] const_iterator end() const { return get().end(); }
  [[nodiscard]] const_iterator find(std::string_view key) const { return get().find(key); }
  [[nodiscard]] bool contains(std::string_view key) const { return get().contains(key); }
  [[nodiscard]] const std::string& at(const std::string& key) const { return get().at(key); }
  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] size_type size() const { return get().size(); }

  /// The value to write, in a map of this object's own from now on.
  std::string& operator[](const std::string& key);

  /// True when both are the same map in memory, hence equal: a cheap first test.
  [[nodiscard]] bool same_object(const SharedDimensions& other) const { return shared_ == other.shared_; }

  friend bool operator==(const SharedDimensions& a, const SharedDimensions& b) {
    return a.same_object(b) || a.get() == b.get();
  }
  friend bool operator==(const SharedDimensions& a, const Dimensions& b) { return a.get() == b; }

 private:
  std::shared_ptr<Dimensions> shared_;  // null: empty
};

/// Later layers win; empty values are dropped.
[[nodiscard]] Dimensions merge(const Dimensions& lower, const Dimensions& higher);

/// `key=value\n` for every key in order, empty values dropped: what exec_key and artifact digest.
[[nodiscard]] std::string canonical(const Dimensions& dimensions);

/// Dimensions that say which execution it was, never what it was like: recorded, never analysed, never context.
[[nodiscard]] bool is_provenance(std::string_view key);

/// What recognised JUnit properties say (names in any letter case): `os.name` -> os, `os.arch` -> arch, `java.version`,
/// `go.version`, `python.version`, `node.version`, `ruby.version` -> runtime.name and runtime.version (with several,
/// the first of this list). Values are kept as written, trimmed; everything else is ignored and never stored.
[[nodiscard]] Dimensions from_properties(const Dimensions& properties);

/// Whether `from_properties` would use a property of this name: what a reader keeps.
[[nodiscard]] bool is_recognised_property(std::string_view name);

/// One `key=value` as given to `--dimension`: the key matches ^[a-zA-Z0-9][a-zA-Z0-9._-]*$, the value is trimmed, may
/// hold `=` and may be empty (which says nothing). Usage errors name the whole pair.
[[nodiscard]] Result<std::pair<std::string, std::string>> parse_dimension(std::string_view pair);

namespace dim {
inline constexpr std::string_view kOs = "os";
inline constexpr std::string_view kArch = "arch";
inline constexpr std::string_view kRuntimeName = "runtime.name";
inline constexpr std::string_view kRuntimeVersion = "runtime.version";
inline constexpr std::string_view kCiProvider = "ci.provider";
inline constexpr std::string_view kCiRunId = "ci.run_id";
inline constexpr std::string_view kCiRunNumber = "ci.run_number";
inline constexpr std::string_view kCiJobId = "ci.job_id";
inline constexpr std::string_view kCiAttempt = "ci.attempt";
inline constexpr std::string_view kCiWorker = "ci.worker";
inline constexpr std::string_view kCiShard = "ci.shard";
}  // namespace dim

}  // namespace flakestat
