// The output of a command in bounded memory: its first and its last bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flakestat::sys {

/// How much of an output is kept: its first and its last bytes.
struct OutputLimits {
  std::size_t head = 0;
  std::size_t tail = 0;

  friend bool operator==(const OutputLimits&, const OutputLimits&) = default;
};

/// Pure. Shares out one limit: a fifth for the beginning, the rest for the end, where failures are told.
[[nodiscard]] constexpr OutputLimits share_output_limit(std::uint64_t limit) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << (sizeof(std::size_t) * 8 - 2);  // twice as much can be counted
  const auto whole = static_cast<std::size_t>(limit < kMost ? limit : kMost);
  return {whole / 5, whole - whole / 5};
}

/// Keeps up to `head_limit` first and `tail_limit` last bytes, in at most `head_limit` and twice `tail_limit` bytes of
/// memory, however much comes. Bytes are kept as they came: whoever prints them cleans them.
class OutputCapture {
 public:
  explicit OutputCapture(std::size_t head_limit = std::size_t{64} << 10,
                         std::size_t tail_limit = std::size_t{256} << 10)
      : head_limit_(head_limit), tail_limit_(tail_limit) {}

  void append(std::string_view bytes);

  /// What must be carried to another process to have the same capture there.
  struct Parts {
    std::uint64_t total = 0;
    std::string_view head;
    std::string_view tail;
  };
  [[nodiscard]] Parts parts() const { return {total_, head_, tail()}; }
  /// The capture that had these parts. Nothing when there is none such: longer than the limits, or than the total.
  [[nodiscard]] static std::optional<OutputCapture> restored(std::size_t head_limit, std::size_t tail_limit,
                                                             const Parts& parts);

  /// Bytes seen, kept or not.
  [[nodiscard]] std::uint64_t total() const { return total_; }
  /// Bytes between head and tail that were dropped.
  [[nodiscard]] std::uint64_t dropped() const;
  /// Head and tail; where something was dropped between them, a line says how much.
  [[nodiscard]] std::string text() const;
  /// The last `lines` lines, at most `limit` bytes (then the cut is at the front).
  [[nodiscard]] std::string last_lines(std::size_t lines, std::size_t limit = 8192) const;
  /// Bytes of memory that hold what is kept; see above.
  [[nodiscard]] std::size_t memory() const { return head_.capacity() + tail_.capacity(); }

 private:
  [[nodiscard]] std::string_view tail() const;

  std::size_t head_limit_;
  std::size_t tail_limit_;
  std::uint64_t total_ = 0;
  std::string head_;
  std::string tail_;  ///< up to twice the limit, so that trimming costs O(1) a byte
};

/// The last `lines` lines of `text`, cut at the front to `limit` bytes; a final newline does not count as a line.
[[nodiscard]] std::string_view last_lines(std::string_view text, std::size_t lines, std::size_t limit);

}  // namespace flakestat::sys
