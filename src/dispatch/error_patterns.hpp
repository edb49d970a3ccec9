// Regular expressions that decide by a failure's text whether it is rerun.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace flakestat::dispatch {

/// Several patterns, of which one must be found anywhere in a text. RE2's syntax: linear time, whatever pattern and
/// text hold. Copies share what was compiled; safe from any thread.
class ErrorPatterns {
 public:
  /// No pattern.
  ErrorPatterns() = default;
  /// An error of kind usage names the pattern that cannot be read and why.
  [[nodiscard]] static Result<ErrorPatterns> compile(const std::vector<std::string>& patterns);

  [[nodiscard]] bool empty() const { return compiled_ == nullptr; }
  /// False without patterns.
  [[nodiscard]] bool found_in(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace flakestat::dispatch
