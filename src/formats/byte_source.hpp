// Where a reader's bytes come from: a file, standard input, memory.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"

namespace flakestat::formats {

/// A stream of bytes. Implementations: MemorySource here; files and stdin in `app` (formats knows no files).
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` bytes into `buffer`; 0 only at the end.
  [[nodiscard]] virtual Result<std::size_t> read(char* buffer, std::size_t size) = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}
  [[nodiscard]] Result<std::size_t> read(char* buffer, std::size_t size) override {
    const auto count = rest_.copy(buffer, size);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace flakestat::formats
