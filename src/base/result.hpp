// Errors as values. Each error says what was being done, to what, and which exit code it means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace flakestat {

/// What kind of thing went wrong; `cli` maps kinds to exit codes (docs/exit-codes.md).
enum class ErrorKind : std::uint8_t { usage, damaged, missing, internal, io, config };

/// A failed operation: kind and a lower-case fragment that names the input and, where there is one, the mend.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  int os_error = 0;  ///< the errno behind it; 0: none

  /// The same error with what was being tried in front: `with("read a.xml")` -> "read a.xml: ...".
  [[nodiscard]] Error with(const std::string& what) const { return {kind, what + ": " + message, os_error}; }
};

/// A value or an error. Callers pass the error on or handle it; reading the wrong side throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const { return error_.value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace flakestat

/// Evaluates a Result<void>; on an error returns it from the calling function.
#define FLAKESTAT_TRY(expression)                                                           \
  do {                                                                                      \
    if (auto flakestat_try_ = (expression); !flakestat_try_) return flakestat_try_.error(); \
  } while (false)
