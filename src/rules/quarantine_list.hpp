// A committed quarantine list, ready to be asked: which entry excuses a failure of this test, here, today? Pure.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/dimensions.hpp"
#include "model/identity.hpp"
#include "model/runner_names.hpp"
#include "rules/quarantine_document.hpp"

namespace flakestat::rules {

/// No entry may excuse for longer than this from today.
inline constexpr std::chrono::days kLongestQuarantine{366};

/// A test as the list is asked for it.
struct ListedTest {
  TestNames names;
  TestId id{};
  /// Its id by the framework itself, where a runner told it; the usual ones are worked out from the names.
  std::string_view framework_id;
};

/// Every text by which an entry may name the test, each once.
[[nodiscard]] std::vector<std::string> spellings(const ListedTest& test);

/// Immutable after `parse`; safe from any thread.
class QuarantineList {
 public:
  /// An empty list: it excuses nothing.
  QuarantineList();
  QuarantineList(QuarantineList&&) noexcept;
  QuarantineList& operator=(QuarantineList&&) noexcept;
  ~QuarantineList();

  /// Reads a whole list. A line that cannot be read, and an expiry more than a year after `today`, is an error of kind
  /// config that names `name`, the line and the mend: a list that is half understood must not excuse anything.
  [[nodiscard]] static Result<QuarantineList> parse(std::string_view text, const std::string& name, Day today);

  /// The first entry that excuses the test: it names the test, its `when=` all hold in `dimensions`, and it has not
  /// expired. Null: none. The entry lives as long as the list.
  [[nodiscard]] const QuarantineEntry* match(const ListedTest& test, const Dimensions& dimensions, Day today) const;

  /// The first entry that would excuse the test but has expired: what a failure says when `match` found nothing.
  [[nodiscard]] const QuarantineEntry* expired_match(const ListedTest& test, const Dimensions& dimensions,
                                                     Day today) const;

  /// Whether entry `index` names the test, whatever its `when=` and its expiry say.
  [[nodiscard]] bool names(std::size_t index, const ListedTest& test) const;

  /// Indices of the entries that name the test, in the list's order.
  [[nodiscard]] std::vector<std::size_t> entries_naming(const ListedTest& test) const;

  /// In the list's order.
  [[nodiscard]] const std::vector<QuarantineEntry>& entries() const;

  /// What `parse` does with a document that was read already.
  [[nodiscard]] static Result<QuarantineList> checked(const QuarantineDocument& document, const std::string& name,
                                                      Day today);

  /// The entries of a document whatever its problems: for those who tell of these themselves.
  [[nodiscard]] static QuarantineList of(const QuarantineDocument& document);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flakestat::rules
