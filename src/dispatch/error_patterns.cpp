#include "dispatch/error_patterns.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "base/clean_text.hpp"

namespace flakestat::dispatch {
namespace {

constexpr std::int64_t kMostMemory = std::int64_t{8} << 20;

re2::RE2::Options options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  options.set_encoding(re2::RE2::Options::EncodingUTF8);
  return options;
}

}  // namespace

struct ErrorPatterns::Compiled {
  std::vector<std::unique_ptr<re2::RE2>> patterns;
};

Result<ErrorPatterns> ErrorPatterns::compile(const std::vector<std::string>& patterns) {
  ErrorPatterns out;
  if (patterns.empty()) return out;
  auto compiled = std::make_shared<Compiled>();
  for (const auto& pattern : patterns) {
    auto& one = compiled->patterns.emplace_back(std::make_unique<re2::RE2>(pattern, options()));
    if (!one->ok())
      return Error{ErrorKind::usage, "cannot read the pattern '" + clean_name(pattern) + "': " + one->error()};
  }
  out.compiled_ = std::move(compiled);
  return out;
}

bool ErrorPatterns::found_in(std::string_view text) const {
  if (!compiled_) return false;
  return std::any_of(compiled_->patterns.begin(), compiled_->patterns.end(),
                     [&](const auto& pattern) { return re2::RE2::PartialMatch(text, *pattern); });
}

}  // namespace flakestat::dispatch
