// JSON documents: keys in the order they are written, text always valid UTF-8, numbers always finite.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace flakestat::text {

enum class JsonStyle { compact, pretty };

/// A thin layer over RapidJSON's writers. Broken UTF-8 becomes U+FFFD. Hidden characters (code_points.hpp) are written
/// as \u escapes, so that a document printed on a terminal cannot steer it and no value changes. Doubles are the
/// shortest text that reads back as the same number; NaN and infinities are null. The caller keeps objects and arrays
/// balanced. Not thread-safe.
class JsonWriter {
 public:
  explicit JsonWriter(JsonStyle style = JsonStyle::pretty);
  ~JsonWriter();
  JsonWriter(JsonWriter&&) noexcept;
  JsonWriter& operator=(JsonWriter&&) noexcept;

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag);
  JsonWriter& value(double number);
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T number) {
    if constexpr (std::signed_integral<T>) return signed_number(number);
    else return unsigned_number(number);
  }
  JsonWriter& null();

  /// `"name": value`; an empty optional is null.
  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  template <class T>
  JsonWriter& field(std::string_view name, const std::optional<T>& content) {
    key(name);
    return content ? value(*content) : null();
  }

  /// One value that is JSON already, as it is.
  JsonWriter& raw(std::string_view json);

  /// Bytes written and not taken yet.
  [[nodiscard]] std::size_t size() const;
  /// Hands over what has been written so far; writing may go on. Lets a long document leave in pieces.
  [[nodiscard]] std::string take();
  /// take() after the last value, ended by a newline.
  [[nodiscard]] std::string finish();

 private:
  JsonWriter& signed_number(std::int64_t number);
  JsonWriter& unsigned_number(std::uint64_t number);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flakestat::text
