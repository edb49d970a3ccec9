// Byte sources over files and standard input, and a source that digests what passes through it.
#pragma once

#include <memory>
#include <string>

#include "base/sha256.hpp"
#include "formats/byte_source.hpp"
#include "model/timestamp.hpp"
#include "sys/fd.hpp"

namespace flakestat::app {

/// A file, or standard input for the path `-`.
class FileSource final : public formats::ByteSource {
 public:
  [[nodiscard]] static Result<FileSource> open(const std::string& path);

  [[nodiscard]] Result<std::size_t> read(char* buffer, std::size_t size) override;

  /// Size when it was opened; 0 when the input is no regular file.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Modification time; 0 when the input is no regular file.
  [[nodiscard]] UnixMillis modified() const { return modified_; }

 private:
  FileSource(std::string path, sys::Fd fd, int borrowed, UnixMillis modified, std::uint64_t size)
      : path_(std::move(path)), fd_(std::move(fd)), descriptor_(borrowed), modified_(modified), size_(size) {}

  std::string path_;
  sys::Fd fd_;
  int descriptor_;
  UnixMillis modified_;
  std::uint64_t size_;
};

/// Passes bytes on and digests them. `drain` reads what the consumer left, so that the digest covers the whole input.
class DigestingSource : public formats::ByteSource {
 public:
  /// Errors of `drain` are those of reading.
  [[nodiscard]] virtual Result<void> drain() = 0;
  /// After `drain`.
  [[nodiscard]] virtual Sha256Digest digest() = 0;
};

/// Digests on the calling thread.
[[nodiscard]] std::unique_ptr<DigestingSource> digest_here(formats::ByteSource& inner);

/// Reads and digests ahead on a thread of its own, at most 4 blocks of 1 MiB, while the caller parses. `inner` belongs
/// to that thread until the object is gone.
[[nodiscard]] std::unique_ptr<DigestingSource> digest_ahead(formats::ByteSource& inner);

}  // namespace flakestat::app
