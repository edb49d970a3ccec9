// Texts and test ids as small numbers, in order of first appearance.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/identity.hpp"
#include "model/timestamp.hpp"

namespace flakestat::stats {

/// Numbers texts. A log repeats the same few texts line after line, hence the memory of the last ones.
class TextTable {
 public:
  [[nodiscard]] std::uint32_t intern(std::string_view text);
  [[nodiscard]] std::string_view text(std::uint32_t number) const { return texts_[number]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  static constexpr std::size_t kRecent = 4;
  std::deque<std::string> texts_;  ///< a deque: the map's keys point into it
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::array<std::pair<std::string_view, std::uint32_t>, kRecent> recent_{};
  std::size_t next_recent_ = 0;
};

/// What a test is called, from its latest observation.
struct TestNames {
  std::string_view suite;
  std::string_view class_name;
  std::string_view name;
  std::string_view file;
};

/// Numbers tests and keeps their names.
class TestTable {
 public:
  TestTable();

  /// The test's number. Its names become `names` when `when` is not older than those kept (of equal age the greater).
  [[nodiscard]] std::uint32_t intern(TestId id, UnixMillis when, const TestNames& names);
  /// The number of a test that was interned; nothing: it was not.
  [[nodiscard]] std::optional<std::uint32_t> find(TestId id) const;
  [[nodiscard]] TestId id(std::uint32_t number) const { return ids_[number]; }
  [[nodiscard]] TestNames names(std::uint32_t number) const;
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }

 private:
  struct Named {
    std::string text;                                   ///< suite, class, name, file, one after the other
    std::uint32_t suite = 0, class_name = 0, name = 0;  ///< lengths
    UnixMillis when = 0;
  };
  [[nodiscard]] std::size_t slot(TestId id) const;
  [[nodiscard]] std::uint32_t add(TestId id, UnixMillis when, const TestNames& names);
  void refresh(Named& kept, UnixMillis when, const TestNames& names);
  static void assign(Named& kept, const TestNames& names);
  static TestNames view(const Named& kept);
  void grow();

  std::vector<TestId> ids_;
  std::vector<Named> named_;
  std::vector<std::uint32_t> slots_;  ///< number + 1; 0: free
  std::uint64_t seed_;                ///< differs between processes: crafted ids cannot collide on purpose
  std::uint32_t last_ = 0;
};

}  // namespace flakestat::stats
