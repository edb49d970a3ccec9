#include "store/line_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "store/observation_codec.hpp"
#include "text/json_tokens.hpp"

namespace flakestat::store {
namespace {

const char* last_line_end(const char* begin, std::size_t size) {
  return static_cast<const char*>(::memrchr(begin, '\n', size));
}

}  // namespace

void BlockBuffer::reserve(std::size_t capacity, std::size_t used) {
  if (capacity <= capacity_) return;
  auto grown = std::make_unique_for_overwrite<char[]>(capacity + text::JsonTokens::kPadding);
  if (used > 0) std::memcpy(grown.get(), data_.get(), used);
  std::memset(grown.get() + capacity, 0, text::JsonTokens::kPadding);
  data_ = std::move(grown);
  capacity_ = capacity;
}

Result<bool> LineBlocks::next(LineBlock& block) {
  block.size = 0;
  block.overlong = 0;
  block.offset = offset_;
  if (block.buffer.capacity() > 4 * block_) block.buffer = {};
  std::size_t used = carry_.size();
  block.buffer.reserve(used + block_, 0);
  std::memcpy(block.buffer.data(), carry_.data(), used);
  carry_.clear();
  while (!ended_) {
    if (used > kMaxLine) return skip_line(block, used);
    if (block.buffer.capacity() < used + block_) block.buffer.reserve(2 * (used + block_), used);
    auto count = read_(block.buffer.data() + used, block_);
    if (!count) return count.error();
    ended_ = *count == 0;
    const auto* end = last_line_end(block.buffer.data() + used, *count);
    used += *count;
    if (end == nullptr) continue;
    block.size = static_cast<std::size_t>(end + 1 - block.buffer.data());
    carry_.assign(end + 1, used - block.size);
    offset_ += block.size;
    return true;
  }
  block.size = used;
  offset_ += used;
  return used > 0;
}

// Drops the line that fills the buffer, up to and with its end.
Result<bool> LineBlocks::skip_line(LineBlock& block, std::size_t used) {
  block.overlong = used;
  while (!ended_) {
    auto count = read_(block.buffer.data(), block_);
    if (!count) return count.error();
    ended_ = *count == 0;
    const auto* begin = block.buffer.data();
    const auto* end = *count == 0 ? nullptr : static_cast<const char*>(std::memchr(begin, '\n', *count));
    if (end == nullptr) {
      block.overlong += *count;
      continue;
    }
    const auto dropped = static_cast<std::size_t>(end + 1 - begin);
    block.overlong += dropped;
    carry_.assign(end + 1, *count - dropped);
    break;
  }
  offset_ += block.overlong;
  return true;
}

}  // namespace flakestat::store
