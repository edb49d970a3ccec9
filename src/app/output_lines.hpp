// The output of a command that is shown while it comes: whole lines, cleaned.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace flakestat::app {

/// Puts pieces together to lines and gives each on, colours removed and control characters escaped. A line without an
/// end is given on in parts of 64 KiB. Not thread-safe.
class OutputLines {
 public:
  using Give = std::function<void(const std::string& line)>;
  explicit OutputLines(Give give) : give_(std::move(give)) {}

  void add(std::string_view bytes);
  /// Gives on what has no line end.
  void finish();

 private:
  static constexpr std::size_t kLongest = std::size_t{64} << 10;
  Give give_;
  std::string open_;
};

}  // namespace flakestat::app
