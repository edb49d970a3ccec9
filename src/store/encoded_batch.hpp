// Observations as the lines they will be: encoded where they arise (in parallel), appended in one piece.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/observation.hpp"
#include "store/observation_encoder.hpp"

namespace flakestat::store {

/// Lines in order, in chunks of about 1 MiB, with what the search for duplicates needs of each. Not thread-safe: one a
/// thread, then `merge`.
class EncodedBatch {
 public:
  struct Line {
    std::uint32_t chunk = 0;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;  ///< `\n` included
    std::uint32_t run = 0;   ///< see run_id
    UnixMillis ts = 0;
    std::uint64_t key = 0;  ///< exec_key; meaningless without has_key
    bool has_key = false;   ///< an exec_key of 16 hex digits: anything else is never taken for a duplicate
  };

  void add(const Observation& observation);
  /// Appends the other's lines after ours.
  void merge(EncodedBatch&& other);

  [[nodiscard]] bool empty() const { return lines_.empty(); }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<std::string>& chunks() const { return chunks_; }
  [[nodiscard]] std::string_view text(const Line& line) const {
    return std::string_view(chunks_[line.chunk]).substr(line.offset, line.size);
  }
  [[nodiscard]] const std::string& run_id(const Line& line) const { return run_ids_[line.run]; }

 private:
  ObservationEncoder encoder_;
  std::vector<std::string> chunks_;
  std::vector<std::string> run_ids_;  ///< neighbouring lines share
  std::vector<Line> lines_;
};

}  // namespace flakestat::store
