// Cuts a stream of bytes into blocks of whole lines: bounded memory whatever the file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace flakestat::store {

/// Bytes of a block with room behind them. Reused from block to block; shrinks again after a long line.
class BlockBuffer {
 public:
  [[nodiscard]] char* data() { return data_.get(); }
  [[nodiscard]] const char* data() const { return data_.get(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// Room for `capacity` bytes and padding; the first `used` bytes are kept.
  void reserve(std::size_t capacity, std::size_t used);

 private:
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
};

/// What `LineBlocks::next` found.
struct LineBlock {
  BlockBuffer buffer;
  std::size_t size = 0;        ///< bytes of whole lines in `buffer`; only the file's last block may end without `\n`
  std::uint64_t offset = 0;    ///< of the first byte in the stream
  std::uint64_t overlong = 0;  ///< not 0: no lines, but this many bytes of one line over the limit

  [[nodiscard]] std::string_view text() { return {buffer.data(), size}; }
};

/// Not thread-safe.
class LineBlocks {
 public:
  /// Reads up to `size` bytes; 0 at the end.
  using Read = std::function<Result<std::size_t>(char* buffer, std::size_t size)>;

  static constexpr std::size_t kBlock = std::size_t{1} << 19;

  explicit LineBlocks(Read read, std::size_t block = kBlock) : read_(std::move(read)), block_(block) {}

  /// The next block; false at the end. Every byte of the stream is in exactly one block or `overlong` count.
  [[nodiscard]] Result<bool> next(LineBlock& block);

 private:
  Result<bool> skip_line(LineBlock& block, std::size_t used);

  Read read_;
  std::size_t block_;
  std::string carry_;  ///< begin of a line whose end is in the next block
  std::uint64_t offset_ = 0;
  bool ended_ = false;
};

}  // namespace flakestat::store
