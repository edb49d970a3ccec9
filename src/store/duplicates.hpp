// Which lines of a batch are duplicates: of each other, and of what the log holds (design, section 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/encoded_batch.hpp"
#include "store/line_blocks.hpp"

namespace flakestat::store {

/// Memory goes with the batch, never with the log. Not thread-safe.
class Duplicates {
 public:
  /// Of equal exec_keys in the batch the smallest `ts`, then the smallest run_id, then the first stays.
  explicit Duplicates(const EncodedBatch& batch);

  /// Whether a search of the log can find anything.
  [[nodiscard]] bool has_keys() const { return !slots_.empty(); }

  /// Marks every line whose key a readable record of the log has. A key in a damaged line counts for nothing: its
  /// execution would be lost. Errors: those of `log`.
  [[nodiscard]] Result<void> search(LineBlocks& log);

  [[nodiscard]] bool is_dropped(std::size_t line) const { return dropped_[line]; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX;

  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const;
  [[nodiscard]] bool has(std::uint64_t key) const;
  [[nodiscard]] bool may_matter(std::string_view line) const;
  void collect(std::string_view text, LineBlock& candidates) const;
  void insert(std::uint32_t line);
  void drop(std::uint32_t line);

  const EncodedBatch& batch_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: the kept line of each key
  std::vector<bool> dropped_;
  std::uint64_t count_ = 0;
};

}  // namespace flakestat::store
