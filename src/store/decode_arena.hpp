// Memory and memory of what was read before, for the lines of one block.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <utility>

#include "model/observation.hpp"

namespace flakestat::store {

/// What views point into beside the block itself, and what neighbouring lines share. `reset` invalidates those views.
class DecodeArena {
 public:
  using Pair = std::pair<std::string_view, std::string_view>;

  /// A stretch of fields that the next line probably repeats byte for byte, and what it said.
  struct Shared {
    std::string_view raw;    ///< empty: nothing known
    std::size_t tokens = 0;  ///< in `raw`
    ObservationView view;    ///< whose fields to take over
  };

  /// For lines of at most `bytes` in total, each decoded at most twice. Invalidates every earlier view.
  void reset(std::size_t bytes) {
    text_wanted_ = 2 * bytes + kTextPadding;
    if (text_capacity_ < text_wanted_ || text_capacity_ > 4 * text_wanted_) {
      text_.reset();
      text_capacity_ = 0;
    }
    text_end_ = nullptr;
    pairs_.release();
    dimensions = {};
    job = {};
  }

  /// Where the next unescaped string goes. Such strings are never longer than their lines: one buffer serves a block.
  unsigned char*& text_end() {
    if (text_end_ == nullptr) {
      if (text_capacity_ == 0) {
        text_ = std::make_unique_for_overwrite<unsigned char[]>(text_wanted_);
        text_capacity_ = text_wanted_;
      }
      text_end_ = text_.get();
    }
    return text_end_;
  }

  std::span<const Pair> keep(std::span<const Pair> pairs) {
    if (pairs.empty()) return {};
    auto* kept = static_cast<Pair*>(pairs_.allocate(pairs.size_bytes(), alignof(Pair)));
    std::uninitialized_copy(pairs.begin(), pairs.end(), kept);
    return {kept, pairs.size()};
  }

  Shared dimensions;  ///< the object
  Shared job;         ///< the fields between `ts` and `test_id`

 private:
  static constexpr std::size_t kTextPadding = 64;  // text::JsonTokens::kPadding

  std::unique_ptr<unsigned char[]> text_;
  std::size_t text_capacity_ = 0;
  std::size_t text_wanted_ = 0;
  unsigned char* text_end_ = nullptr;
  std::pmr::monotonic_buffer_resource pairs_;
};

}  // namespace flakestat::store
