// A line of the log -> ObservationView. Tolerant: any order of keys, unknown keys, predecessor's lines, wrong types.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/observation.hpp"

namespace flakestat::store {

/// Memory that the views of a block of lines point into, beside the block itself. `reset` invalidates those views.
class DecodeArena {
 public:
  DecodeArena() = default;

  /// For lines of at most `bytes` in total. Invalidates every earlier view.
  void reset(std::size_t bytes);

 private:
  friend class ObservationDecoder;
  using Pair = std::pair<std::string_view, std::string_view>;

  // Unescaped strings: never longer than their lines, so one buffer of the block's size, made when first needed.
  std::unique_ptr<unsigned char[]> text_;
  std::size_t text_capacity_ = 0;
  std::size_t text_wanted_ = 0;
  unsigned char* text_end_ = nullptr;
  std::pmr::monotonic_buffer_resource pairs_;
  std::span<const Pair> last_dimensions_;  // neighbouring lines usually have equal ones
  std::string_view last_dimensions_raw_;
};

/// Not thread-safe; objects are independent.
class ObservationDecoder {
 public:
  /// Bytes that must be readable (not meaningful) behind every line.
  static constexpr std::size_t kPadding = 64;

  ObservationDecoder();
  ObservationDecoder(ObservationDecoder&&) noexcept;
  ObservationDecoder& operator=(ObservationDecoder&&) noexcept;
  ~ObservationDecoder();

  /// nullptr when `line` (without its `\n`) is a record, else why it is none: no whole JSON object, no test identity
  /// (neither a test_id of 16 hex digits nor a name), no known status. The view lives as long as `line` and `arena`.
  [[nodiscard]] const char* decode(std::string_view line, DecodeArena& arena, ObservationView& view);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flakestat::store
