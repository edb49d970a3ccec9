#include "store/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "store/log_reader.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/file_limit.hpp"

namespace flakestat::store {
namespace {

constexpr mode_t kLogMode = 0644;
constexpr std::size_t kWriteSize = std::size_t{1} << 20;

// What stays of a chunk, in pieces as long as possible; `emit` returns a Result.
template <class Emit>
Result<void> for_each_kept(const EncodedBatch& batch, const Duplicates& duplicates, Emit emit) {
  const auto& lines = batch.lines();
  for (std::size_t i = 0; i < lines.size();) {
    if (duplicates.is_dropped(i)) {
      ++i;
      continue;
    }
    auto piece = lines[i++];
    while (i < lines.size() && lines[i].chunk == piece.chunk && !duplicates.is_dropped(i))
      piece.size += lines[i++].size;
    FLAKESTAT_TRY(emit(batch.text(piece)));
  }
  return {};
}

}  // namespace

LogFile::LogFile(std::string dir, const sys::FileCalls& calls, sys::Fd fd, std::uint64_t size)
    : dir_(std::move(dir)), path_(log_path(dir_)), calls_(calls), fd_(std::move(fd)), size_(size) {}

Result<LogFile> LogFile::open(const std::string& dir, const sys::FileCalls& calls) {
  const auto path = log_path(dir);
  sys::Fd fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, kLogMode));
  if (!fd.valid()) return sys::errno_error("open " + path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return sys::errno_error("open " + path, errno);
  if (!S_ISREG(info.st_mode)) return Error{ErrorKind::io, "open " + path + ": not a regular file"};
  return LogFile(dir, calls, std::move(fd), static_cast<std::uint64_t>(info.st_size));
}

LineBlocks LogFile::blocks() const {
  return LineBlocks([fd = fd_.get(), path = path_, offset = std::uint64_t{0}](char* buffer, std::size_t size) mutable {
    auto count = sys::read_at(fd, buffer, size, offset, path);
    if (count) offset += *count;
    return count;
  });
}

Result<char> LogFile::byte_at(std::uint64_t offset) const {
  char byte = 0;
  auto count = sys::read_at(fd_.get(), &byte, 1, offset, path_);
  if (!count) return count.error();
  if (*count == 0) return Error{ErrorKind::io, "read " + path_ + ": it became shorter while locked"};
  return byte;
}

Result<std::uint64_t> LogFile::last_line_start() const {
  std::string buffer(65536, '\0');
  for (auto end = size_; end > 0;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(end, buffer.size()));
    auto count = sys::read_at(fd_.get(), buffer.data(), wanted, end - wanted, path_);
    if (!count) return count.error();
    const auto* found = static_cast<const char*>(::memrchr(buffer.data(), '\n', *count));
    if (found != nullptr) return end - wanted + static_cast<std::uint64_t>(found + 1 - buffer.data());
    end -= wanted;
  }
  return std::uint64_t{0};
}

Result<std::string> LogFile::heal() {
  if (size_ == 0) return std::string();
  auto last = byte_at(size_ - 1);
  if (!last) return last.error();
  if (*last == '\n') return std::string();
  needs_line_end_ = true;
  auto start = last_line_start();
  if (!start) return start.error();
  return path_ + ": the last line was cut off (a writer was interrupted): " + std::to_string(size_ - *start) +
         " bytes at offset " + std::to_string(*start) + "; ended it before appending";
}

Result<void> LogFile::append(const EncodedBatch& batch, const Duplicates& duplicates, bool flushed) {
  const sys::FileLimitGuard guard;
  auto done = write_lines(batch, duplicates);
  if (done && flushed) done = flush();
  if (!done) return cut_back(done.error());
  return {};
}

Result<void> LogFile::write_lines(const EncodedBatch& batch, const Duplicates& duplicates) {
  std::string pending;
  if (needs_line_end_) pending += '\n';
  FLAKESTAT_TRY(for_each_kept(batch, duplicates, [&](std::string_view piece) -> Result<void> {
    if (pending.empty() && piece.size() >= kWriteSize / 2) return write(piece);
    pending += piece;
    if (pending.size() < kWriteSize) return {};
    auto written = write(pending);
    pending.clear();
    return written;
  }));
  return write(pending);
}

Result<void> LogFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = calls_.write(fd_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return sys::errno_error("write " + path_, count == 0 ? ENOSPC : errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// The directory too, every time: the log may have been created by a writer that was killed before it synced the name.
Result<void> LogFile::flush() {
  while (calls_.sync(fd_.get()) != 0) {
    if (errno != EINTR) return sys::errno_error("flush " + path_, errno);
  }
  return sys::sync_directory(dir_);
}

Error LogFile::cut_back(Error error) {
  if (calls_.truncate(fd_.get(), static_cast<off_t>(size_)) == 0) return error;
  const auto why = sys::errno_error("cut back", errno).message;
  error.message += "; " + why + ": a part of the batch may remain in it, repeating adds only what is missing";
  return error;
}

}  // namespace flakestat::store
