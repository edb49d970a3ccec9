// The log opened for appending, while the lock is held.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "store/duplicates.hpp"
#include "store/encoded_batch.hpp"
#include "store/line_blocks.hpp"
#include "sys/fd.hpp"
#include "sys/file_calls.hpp"

namespace flakestat::store {

/// Not thread-safe; the caller holds the lock for as long as it lives, and opens it after the lock is taken.
class LogFile {
 public:
  /// Creates the log where there is none (0644 less the umask).
  [[nodiscard]] static Result<LogFile> open(const std::string& dir, const sys::FileCalls& calls);

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// The content, from the start.
  [[nodiscard]] LineBlocks blocks() const;

  /// Looks at the end of the file: a last line without its end gets one with the next append. Says where the line is,
  /// or nothing when the file ends as it should.
  [[nodiscard]] Result<std::string> heal();

  /// Flushes the file and its name to disk.
  [[nodiscard]] Result<void> flush();

  /// Appends the lines that are no duplicates and, unless told not to, flushes them to disk. On an error the file has
  /// its old size again.
  [[nodiscard]] Result<void> append(const EncodedBatch& batch, const Duplicates& duplicates, bool flushed = true);

 private:
  LogFile(std::string dir, const sys::FileCalls& calls, sys::Fd fd, std::uint64_t size);

  [[nodiscard]] Result<char> byte_at(std::uint64_t offset) const;
  [[nodiscard]] Result<std::uint64_t> last_line_start() const;
  [[nodiscard]] Result<void> write_lines(const EncodedBatch& batch, const Duplicates& duplicates);
  [[nodiscard]] Result<void> write(std::string_view bytes);
  [[nodiscard]] Error cut_back(Error error);

  std::string dir_, path_;
  sys::FileCalls calls_;
  sys::Fd fd_;
  std::uint64_t size_ = 0;
  bool needs_line_end_ = false;
};

}  // namespace flakestat::store
