// Lines of a block -> records, with an account of every byte. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "store/line_blocks.hpp"
#include "store/log_reader.hpp"
#include "store/observation_decoder.hpp"

namespace flakestat::store {

/// Where a record, or a piece that is none, lies in the stream.
struct LinePart {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< line end included
  bool is_record = false;
};

/// The records of one block, with the account of its bytes. The views live until the block is scanned or read again.
struct ScannedBlock {
  LineBlock block;
  DecodeArena arena;
  std::vector<ObservationView> records;
  ReadStats stats;
  bool keeps_parts = false;     ///< asked for: `parts` costs time
  std::vector<LinePart> parts;  ///< all but blank lines, in order; those of records in the order of `records`
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
  bool decode_alone(ScannedBlock& scanned, std::string_view text, std::size_t size_with_end);
  bool decode(ScannedBlock& scanned, const text::JsonTokens& tokens, const LineTokens& line, std::size_t size_with_end);

  void skip_tokens(const ScannedBlock& scanned, std::string_view text);

  text::JsonTokens block_tokens_;  ///< of the whole block, when nothing in it is damaged
  text::JsonTokens line_tokens_;   ///< of one line (or a part of one) of a damaged block
  bool has_block_tokens_ = false;
  std::size_t next_token_ = 0;
  ObservationDecoder decoder_;
  const char* reason_ = nullptr;  ///< why the last decode failed
};

/// Adds a later block's account to `total`.
void add(ReadStats& total, ReadStats&& later);

}  // namespace flakestat::store
