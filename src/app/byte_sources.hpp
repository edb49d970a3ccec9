// Byte sources over files and standard input, and a source that digests what passes through it.
#pragma once

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

  /// Modification time; 0 when the input is no regular file.
  [[nodiscard]] UnixMillis modified() const { return modified_; }

 private:
  FileSource(std::string path, sys::Fd fd, int borrowed, UnixMillis modified)
      : path_(std::move(path)), fd_(std::move(fd)), descriptor_(borrowed), modified_(modified) {}

  std::string path_;
  sys::Fd fd_;
  int descriptor_;
  UnixMillis modified_;
};

/// Passes bytes on and digests them. `drain` reads what the consumer left, so that the digest covers the whole input.
class DigestingSource final : public formats::ByteSource {
 public:
  explicit DigestingSource(formats::ByteSource& inner) : inner_(inner) {}
  [[nodiscard]] Result<std::size_t> read(char* buffer, std::size_t size) override;
  [[nodiscard]] Result<void> drain();
  [[nodiscard]] Sha256Digest digest() { return digest_.finish(); }

 private:
  formats::ByteSource& inner_;
  Sha256 digest_;
};

}  // namespace flakestat::app
