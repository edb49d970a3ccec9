#include "text/json_writer.hpp"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <array>
#include <charconv>
#include <cmath>
#include <variant>

#include "text/code_points.hpp"

namespace flakestat::text {
namespace {

using Compact = rapidjson::Writer<rapidjson::StringBuffer>;
using Pretty = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void append_u16(std::string& out, unsigned unit) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 15U];
}

void append_escape(std::string& out, char32_t value) {
  if (value < 0x10000) return append_u16(out, static_cast<unsigned>(value));
  const auto offset = static_cast<unsigned>(value - 0x10000);
  append_u16(out, 0xD800 + (offset >> 10));
  append_u16(out, 0xDC00 + (offset & 0x3FF));
}

void append_quoted_point(std::string& out, CodePoint point, std::string_view bytes) {
  if (!point.valid) append_utf8(out, kReplacement);
  else if (point.value == '"' || point.value == '\\') out.append(1, '\\').append(bytes);
  else if (point.value == '\n') out += "\\n";
  else if (point.value == '\t') out += "\\t";
  else if (point.value == '\r') out += "\\r";
  else if (is_hidden(point.value)) append_escape(out, point.value);
  else out += bytes;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    const auto point = next_code_point(text);
    append_quoted_point(out, point, text.substr(0, point.size));
    text.remove_prefix(point.size);
  }
  out += '"';
  return out;
}

rapidjson::SizeType length(std::string_view text) { return static_cast<rapidjson::SizeType>(text.size()); }

}  // namespace

struct JsonWriter::Impl {
  explicit Impl(JsonStyle style) {
    if (style == JsonStyle::compact) writer.emplace<Compact>(sink);
    else writer.emplace<Pretty>(sink).SetIndent(' ', 2);
  }

  template <class Action>
  void with(Action action) {
    if (auto* compact = std::get_if<Compact>(&writer)) action(*compact);
    else if (auto* pretty = std::get_if<Pretty>(&writer)) action(*pretty);
  }

  rapidjson::StringBuffer sink;
  std::variant<std::monostate, Compact, Pretty> writer;
};

JsonWriter::JsonWriter(JsonStyle style) : impl_(std::make_unique<Impl>(style)) {}
JsonWriter::~JsonWriter() = default;
JsonWriter::JsonWriter(JsonWriter&&) noexcept = default;
JsonWriter& JsonWriter::operator=(JsonWriter&&) noexcept = default;

JsonWriter& JsonWriter::begin_object() {
  impl_->with([](auto& writer) { writer.StartObject(); });
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  impl_->with([](auto& writer) { writer.EndObject(); });
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  impl_->with([](auto& writer) { writer.StartArray(); });
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  impl_->with([](auto& writer) { writer.EndArray(); });
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  impl_->with([name](auto& writer) { writer.Key(name.data(), length(name)); });
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  if (is_plain_ascii(text)) {
    impl_->with([text](auto& writer) { writer.String(text.data(), length(text)); });
  } else {
    const std::string json = quoted(text);
    impl_->with([&json](auto& writer) { writer.RawValue(json.data(), json.size(), rapidjson::kStringType); });
  }
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  impl_->with([flag](auto& writer) { writer.Bool(flag); });
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number == 0 ? 0.0 : number).ptr;
  const auto size = static_cast<std::size_t>(end - text.data());
  impl_->with([&](auto& writer) { writer.RawValue(text.data(), size, rapidjson::kNumberType); });
  return *this;
}

JsonWriter& JsonWriter::signed_number(std::int64_t number) {
  impl_->with([number](auto& writer) { writer.Int64(number); });
  return *this;
}

JsonWriter& JsonWriter::unsigned_number(std::uint64_t number) {
  impl_->with([number](auto& writer) { writer.Uint64(number); });
  return *this;
}

JsonWriter& JsonWriter::null() {
  impl_->with([](auto& writer) { writer.Null(); });
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  impl_->with([json](auto& writer) { writer.RawValue(json.data(), json.size(), rapidjson::kObjectType); });
  return *this;
}

std::size_t JsonWriter::size() const { return impl_->sink.GetSize(); }

std::string JsonWriter::take() {
  std::string text(impl_->sink.GetString(), impl_->sink.GetSize());
  impl_->sink.Clear();
  return text;
}

std::string JsonWriter::finish() {
  impl_->sink.Put('\n');
  return take();
}

}  // namespace flakestat::text
