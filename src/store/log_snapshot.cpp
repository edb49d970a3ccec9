#include "store/log_snapshot.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "store/block_pipeline.hpp"
#include "store/log_scanner.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

// A writer that was stopped in the middle must not stop readers: then its half batch is seen, and accounted for.
constexpr std::chrono::milliseconds kPatience{2000};

}  // namespace

Result<LogSnapshot> LogSnapshot::open(const std::string& dir) {
  LogSnapshot snapshot;
  snapshot.path_ = log_path(dir);
  const auto lock = sys::Lock::try_shared(lock_path(dir), kPatience);
  auto fd = sys::open_read(snapshot.path_);
  if (!fd && fd.error().kind == ErrorKind::missing) return snapshot;
  if (!fd) return fd.error();
  struct stat info {};
  if (::fstat(fd->get(), &info) != 0) return sys::errno_error("read " + snapshot.path_, errno);
  snapshot.fd_ = std::move(*fd);
  snapshot.size_ = static_cast<std::uint64_t>(info.st_size);
  return snapshot;
}

Result<ReadStats> LogSnapshot::read(const OnObservation& on_observation) const {
  ReadStats total;
  if (!fd_.valid()) return total;
  LineBlocks blocks([this, offset = std::uint64_t{0}](char* buffer, std::size_t size) mutable {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    auto count = sys::read_at(fd_.get(), buffer, wanted, offset, path_);
    if (count) offset += *count;
    return count;
  });
  const OnBlock on_block = [&](ScannedBlock& scanned) {
    for (const auto& record : scanned.records) on_observation(record);
    add(total, std::move(scanned.stats));
  };
  auto read = size_ <= LineBlocks::kBlock ? scan_here(blocks, on_block) : scan_ahead(blocks, on_block);
  if (!read) return read.error();
  return total;
}

}  // namespace flakestat::store
