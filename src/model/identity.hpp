// The identity behind cases: suite, class, name -> test_id, family id, display name (design, section 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace flakestat {

/// A test's identity as the first 8 bytes of its digest; prints as 16 hex digits. 0 never occurs in practice.
enum class TestId : std::uint64_t {};

/// First 16 hex digits of SHA-256(suite NUL class NUL name).
[[nodiscard]] TestId test_id(std::string_view suite, std::string_view class_name, std::string_view name);

/// test_id for many cases in a row: what neighbours share (suite and class) is digested once. Not thread-safe.
class TestIdDigester {
 public:
  [[nodiscard]] TestId operator()(std::string_view suite, std::string_view class_name, std::string_view name);

 private:
  std::string suite_;
  std::string class_name_;
  Sha256 prefix_;
  bool has_prefix_ = false;
};

/// test_id over the family name. Shown, never gated on.
[[nodiscard]] TestId family_id(std::string_view suite, std::string_view class_name, std::string_view name);

/// The name with its parameters stripped: trailing `[...]` / `(...)` groups go while a non-empty name remains; a name
/// ending in `]` is cut at its first `[`. `Test/sub` and gtest's `/0` are not groups. A view into `name`.
[[nodiscard]] std::string_view family_name(std::string_view name);

/// `class::name`, or `suite::name` when the class is empty or equals the suite, or `name`.
[[nodiscard]] std::string display_name(std::string_view suite, std::string_view class_name, std::string_view name);

/// The name with everything that looks generated made equal: runs of digits become `0`, UUIDs and runs of 8 or more hex
/// digits that hold a digit too. Two tests of one shape whose names differ in every run are probably one
/// test with a seed, a counter or a time in its name.
[[nodiscard]] std::string name_shape(std::string_view name);

/// Writes 16 lower-case hex digits to `out`; returns what follows them.
char* write_hex(std::uint64_t value, char* out);

/// 16 lower-case hex digits.
[[nodiscard]] std::string to_hex(std::uint64_t value);
[[nodiscard]] inline std::string to_hex(TestId id) { return to_hex(static_cast<std::uint64_t>(id)); }

/// Exactly 16 hex digits (either case), else nothing.
[[nodiscard]] std::optional<std::uint64_t> parse_hex64(std::string_view text);

}  // namespace flakestat
