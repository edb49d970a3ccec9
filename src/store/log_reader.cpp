#include "store/log_reader.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "store/block_pipeline.hpp"
#include "store/log_scanner.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

constexpr std::chrono::milliseconds kSnapshotPatience{2000};

void deliver(ScannedBlock& scanned, const OnObservation& on_observation, ReadStats& total) {
  for (const auto& record : scanned.records) on_observation(record);
  add(total, std::move(scanned.stats));
}

// The size between two batches where the lock can be had, else the size now.
Result<std::uint64_t> snapshot_size(const std::string& dir, int fd, const std::string& path) {
  const auto lock = sys::Lock::try_shared(lock_path(dir), kSnapshotPatience);
  struct stat info {};
  if (::fstat(fd, &info) != 0) return sys::errno_error("read " + path, errno);
  return static_cast<std::uint64_t>(info.st_size);
}

std::string plural(std::uint64_t count, const char* noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace

Result<ReadStats> read_log(const std::string& dir, const OnObservation& on_observation) {
  const auto path = log_path(dir);
  auto fd = sys::open_read(path);
  if (!fd && fd.error().kind == ErrorKind::missing) return ReadStats{};
  if (!fd) return fd.error();
  auto left = snapshot_size(dir, fd->get(), path);
  if (!left) return left.error();
  const bool small = *left <= LineBlocks::kBlock;
  LineBlocks blocks([&](char* buffer, std::size_t size) -> Result<std::size_t> {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, *left));
    if (wanted == 0) return std::size_t{0};
    auto count = sys::read_some(fd->get(), buffer, wanted, path);
    if (count) *left -= *count;
    return count;
  });
  ReadStats total;
  const OnBlock on_block = [&](ScannedBlock& scanned) { deliver(scanned, on_observation, total); };
  auto read = small ? scan_here(blocks, on_block) : scan_ahead(blocks, on_block);
  if (!read) return read.error();
  return total;
}

ReadStats read_log_bytes(std::string_view bytes, const OnObservation& on_observation) {
  LineBlocks blocks([&](char* buffer, std::size_t size) -> Result<std::size_t> {
    const auto count = std::min(size, bytes.size());
    std::memcpy(buffer, bytes.data(), count);
    bytes.remove_prefix(count);
    return count;
  });
  ReadStats total;
  // Memory has no io errors.
  (void)scan_here(blocks, [&](ScannedBlock& scanned) { deliver(scanned, on_observation, total); });
  return total;
}

std::vector<std::string> describe(const ReadStats& stats, const std::string& path) {
  std::vector<std::string> lines;
  for (const auto& skipped : stats.skipped) {
    lines.push_back(path + ": damaged line skipped: " + plural(skipped.size, "byte") + " at offset " +
                    std::to_string(skipped.offset) + ": " + skipped.reason);
  }
  if (stats.skipped_count > stats.skipped.size()) {
    lines.push_back(path + ": " + plural(stats.skipped_count - stats.skipped.size(), "more damaged line") + " skipped: " +
                    plural(stats.skipped_bytes, "byte") + " in all");
  }
  if (stats.torn_tail) {
    lines.push_back(path + ": the last line is cut off (a writer was interrupted): " +
                    plural(stats.torn_tail->size, "byte") + " at offset " + std::to_string(stats.torn_tail->offset) +
                    " skipped; the next append ends it");
  }
  return lines;
}

}  // namespace flakestat::store
