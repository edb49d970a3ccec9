// Lines of a block -> records, with an account of every byte. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "store/line_blocks.hpp"
#include "store/log_reader.hpp"
#include "store/observation_decoder.hpp"

namespace flakestat::store {

/// The records of one block, with the account of its bytes. The views live until the block is scanned or read again.
struct ScannedBlock {
  LineBlock block;
  DecodeArena arena;
  std::vector<ObservationView> records;
  ReadStats stats;
};

/// Not thread-safe.
class LogScanner {
 public:
  /// Scans `scanned.block` into the other members.
  void scan(ScannedBlock& scanned);

 private:
  void scan_line(ScannedBlock& scanned, std::string_view line);
  void recover(ScannedBlock& scanned, std::string_view line, const char* reason);
  bool decode(ScannedBlock& scanned, std::string_view text, std::size_t size_with_end);

  ObservationDecoder decoder_;
  const char* reason_ = nullptr;
};

/// Adds a later block's account to `total`.
void add(ReadStats& total, ReadStats&& later);

}  // namespace flakestat::store
