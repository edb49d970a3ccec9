#include "store/log_reader.hpp"

#include <algorithm>
#include <cstring>

#include "store/block_pipeline.hpp"
#include "store/line_blocks.hpp"
#include "store/log_scanner.hpp"
#include "store/log_snapshot.hpp"

namespace flakestat::store {
namespace {

std::string plural(std::uint64_t count, const char* noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace

Result<ReadStats> read_log(const std::string& dir, const OnObservation& on_observation) {
  auto log = LogSnapshot::open(dir);
  if (!log) return log.error();
  return log->read(on_observation);
}

ReadStats read_log_bytes(std::string_view bytes, const OnObservation& on_observation) {
  const auto block = std::min(bytes.size() + 1, LineBlocks::kBlock);
  LineBlocks blocks(
      [&](char* buffer, std::size_t size) -> Result<std::size_t> {
        const auto count = std::min(size, bytes.size());
        std::memcpy(buffer, bytes.data(), count);
        bytes.remove_prefix(count);
        return count;
      },
      block);
  ReadStats total;
  // Memory has no io errors.
  (void)scan_here(blocks, [&](ScannedBlock& scanned) {
    for (const auto& record : scanned.records) on_observation(record);
    add(total, std::move(scanned.stats));
  });
  return total;
}

std::vector<std::string> describe(const ReadStats& stats, const std::string& path) {
  std::vector<std::string> lines;
  for (const auto& skipped : stats.skipped) {
    lines.push_back(path + ": damaged line skipped: " + plural(skipped.size, "byte") + " at offset " +
                    std::to_string(skipped.offset) + ": " + skipped.reason);
  }
  if (stats.skipped_count > stats.skipped.size()) {
    lines.push_back(path + ": " + plural(stats.skipped_count - stats.skipped.size(), "more damaged line") +
                    " skipped: " + plural(stats.skipped_bytes, "byte") + " in all");
  }
  if (stats.torn_tail) {
    lines.push_back(path +
                    ": the last line is cut off (a writer was interrupted): " + plural(stats.torn_tail->size, "byte") +
                    " at offset " + std::to_string(stats.torn_tail->offset) + " skipped; the next append ends it");
  }
  return lines;
}

}  // namespace flakestat::store
