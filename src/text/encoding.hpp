// Bytes of any encoding in, UTF-8 out: detection as docs/formats/junit.md says, and streaming conversion.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace flakestat::text {

/// Up to `size` bytes into `buffer`; 0 only at the end.
using ReadBytes = std::function<Result<std::size_t>(char* buffer, std::size_t size)>;

/// What the first bytes of a document say about the rest.
struct EncodingChoice {
  std::string name = "UTF-8";  ///< canonical: "UTF-8", "UTF-16LE", "ISO-8859-1", ... or as declared
  std::size_t bom = 0;         ///< bytes of the byte order mark, to be skipped
  std::string disbelieved;     ///< a declared encoding that the bytes contradict; empty: none
};

/// Byte order mark, else UTF-16/32 by the pattern of its NULs, else the XML declaration in the first bytes, else UTF-8.
/// A declared UTF-16 or UTF-32 over 8-bit bytes is not believed. `head`: the first 4 KiB are enough.
[[nodiscard]] EncodingChoice detect_encoding(std::string_view head);

/// Turns one encoding into UTF-8, piece by piece. Never fails: what is broken becomes U+FFFD and is counted.
class Transcoder {
 public:
  virtual ~Transcoder() = default;
  /// Converts `bytes` (all of it; incomplete units are kept for the next call), appending to `out`.
  virtual void feed(std::string_view bytes, std::string& out) = 0;
  /// The input has ended: what is still incomplete becomes U+FFFD.
  virtual void finish(std::string& out) = 0;
  /// How many bytes `utf8` took in the original.
  [[nodiscard]] virtual std::uint64_t original_size(std::string_view utf8) const = 0;
  [[nodiscard]] std::uint64_t replaced() const { return replaced_; }

 protected:
  std::uint64_t replaced_ = 0;
};

/// A converter for `name`; nothing for UTF-8 and for encodings that this build does not know.
[[nodiscard]] std::unique_ptr<Transcoder> make_transcoder(std::string_view name);

/// A byte stream read as UTF-8. UTF-8 itself passes through untouched (broken bytes included).
class Utf8Input {
 public:
  explicit Utf8Input(ReadBytes read) : read_(std::move(read)) {}

  /// Fills `buffer`; less than `size` only at the end of the input.
  [[nodiscard]] Result<std::size_t> fill(char* buffer, std::size_t size);

  [[nodiscard]] const EncodingChoice& encoding() const { return choice_; }
  /// The declared encoding is one that this build cannot convert: the bytes are read as if they were UTF-8.
  [[nodiscard]] bool unsupported() const { return unsupported_; }
  [[nodiscard]] std::uint64_t replaced() const { return transcoder_ ? transcoder_->replaced() : 0; }
  /// Bytes of the original read so far.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  [[nodiscard]] std::uint64_t original_size(std::string_view utf8) const {
    return transcoder_ ? transcoder_->original_size(utf8) : utf8.size();
  }

 private:
  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<std::size_t> read_raw(char* buffer, std::size_t size);
  [[nodiscard]] Result<void> convert_more();

  ReadBytes read_;
  std::unique_ptr<Transcoder> transcoder_;
  EncodingChoice choice_;
  std::string head_;     ///< raw bytes read for detection, not yet handed on
  std::string pending_;  ///< converted, not yet handed on
  std::size_t pending_at_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool opened_ = false;
  bool ended_ = false;
  bool unsupported_ = false;
};

}  // namespace flakestat::text
