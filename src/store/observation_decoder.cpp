#include "store/observation_decoder.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "store/observation_codec.hpp"

namespace flakestat::store {
namespace {

namespace od = simdjson::ondemand;
using simdjson::SUCCESS;

static_assert(ObservationDecoder::kPadding >= simdjson::SIMDJSON_PADDING);

constexpr const char* kNoObject = "no whole JSON object";
constexpr const char* kNoIdentity = "no test identity";
constexpr const char* kNoStatus = "no known status";

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && (token.back() == ' ' || token.back() == '\t' || token.back() == '\r')) token.remove_suffix(1);
  return token;
}

bool is_quoted(std::string_view token) { return token.size() >= 2 && token.front() == '"' && token.back() == '"'; }

// Whole numbers, and others rounded; nothing for what is no number or beyond 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view token) {
  std::int64_t value = 0;
  const auto* end = token.data() + token.size();
  const auto whole = std::from_chars(token.data(), end, value);
  if (whole.ec == std::errc{} && whole.ptr == end) return value;
  double real = 0;
  const auto parsed = std::from_chars(token.data(), end, real);
  if (parsed.ec != std::errc{} || parsed.ptr != end || !(std::abs(real) < 9e18)) return std::nullopt;
  return std::llround(real);
}

std::int32_t to_count(std::string_view token) {
  const auto value = parse_integer(token).value_or(0);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::int32_t>::max()));
}

// What a line says of its test beside the fields of the view.
struct Identity {
  std::optional<std::uint64_t> id;
  bool has_name = false;
  bool has_status = false;
};

}  // namespace

void DecodeArena::reset(std::size_t bytes) {
  text_wanted_ = bytes + simdjson::SIMDJSON_PADDING;
  text_end_ = nullptr;
  last_dimensions_ = {};
  last_dimensions_raw_ = {};
  pairs_.release();
}

struct ObservationDecoder::Impl {
  od::parser parser;
  od::document document;
  std::array<DecodeArena::Pair, kMaxDimensions> scratch;
  DecodeArena* arena = nullptr;
  const char* line_end = nullptr;
  Identity identity;
  bool broken_string = false;  // an escape that JSON does not know

  // A string token's text: in place where nothing is escaped, else unescaped into the arena.
  bool text_of(std::string_view token, std::string_view& out) {
    token = trimmed(token);
    if (!is_quoted(token)) return false;
    const auto inside = token.substr(1, token.size() - 2);
    if (std::memchr(inside.data(), '\\', inside.size()) == nullptr) {
      out = inside;
      return true;
    }
    return unescape(token, out);
  }

  bool unescape(std::string_view token, std::string_view& out) {
    auto& a = *arena;
    if (a.text_end_ == nullptr) {
      if (a.text_capacity_ < a.text_wanted_) {
        a.text_ = std::make_unique_for_overwrite<unsigned char[]>(a.text_wanted_);
        a.text_capacity_ = a.text_wanted_;
      }
      a.text_end_ = a.text_.get();
    }
    const od::raw_json_string raw(reinterpret_cast<const std::uint8_t*>(token.data() + 1));
    // Lone surrogates become U+FFFD: what is read is always valid UTF-8.
    if (parser.unescape(raw, a.text_end_, true).get(out) == SUCCESS) return true;
    broken_string = true;
    return false;
  }

  bool read_dimensions(od::value& value, std::string_view token, ObservationView& view);
  bool read_sanitised(od::value& value, std::string_view token, ObservationView& view);
  bool read_field(std::string_view key, od::value& value, ObservationView& view);
  const char* read_line(std::string_view line, ObservationView& view);
};

// False only when the line is damaged inside the object.
bool ObservationDecoder::Impl::read_dimensions(od::value& value, std::string_view token, ObservationView& view) {
  if (token.empty() || token.front() != '{') return true;
  auto& a = *arena;
  const auto rest = static_cast<std::size_t>(line_end - token.data());
  const auto known = a.last_dimensions_raw_;
  // The same text is the same object; it is skipped by its brackets.
  if (!known.empty() && known.size() <= rest && std::memcmp(known.data(), token.data(), known.size()) == 0) {
    view.dimensions = a.last_dimensions_;
    view.dimensions_raw = known;
    return true;
  }
  od::object object;
  if (value.get_object().get(object) != SUCCESS) return false;
  std::size_t count = 0;
  for (auto item : object) {
    od::field field;
    if (std::move(item).get(field) != SUCCESS) return false;
    std::string_view key, text;
    if (!text_of(std::string_view(field.escaped_key().data() - 1, field.escaped_key().size() + 2), key)) continue;
    const auto raw = trimmed(field.value().raw_json_token());
    const bool scalar = !raw.empty() && raw.front() != '{' && raw.front() != '[' && raw != "null";
    if (!scalar) continue;
    if (!text_of(raw, text)) text = raw;  // a number or a truth value: as written
    if (!text.empty() && count < kMaxDimensions) scratch[count++] = {key, text};
  }
  const char* after = nullptr;
  if (document.current_location().get(after) != SUCCESS) return false;
  while (after > token.data() && after[-1] != '}') --after;
  auto* kept = static_cast<DecodeArena::Pair*>(
      a.pairs_.allocate(std::max<std::size_t>(count, 1) * sizeof(DecodeArena::Pair), alignof(DecodeArena::Pair)));
  std::uninitialized_copy_n(scratch.begin(), count, kept);
  view.dimensions = a.last_dimensions_ = {kept, count};
  view.dimensions_raw = a.last_dimensions_raw_ = {token.data(), static_cast<std::size_t>(after - token.data())};
  return true;
}

bool ObservationDecoder::Impl::read_sanitised(od::value& value, std::string_view token, ObservationView& view) {
  view.sanitised = token == "true";
  if (token.empty() || token.front() != '{') return true;
  view.sanitised = true;
  od::object object;
  if (value.get_object().get(object) != SUCCESS) return false;
  for (auto item : object) {
    od::field field;
    if (std::move(item).get(field) != SUCCESS) return false;
    const auto key = field.escaped_key();
    if (key == "assumption") text_of(field.value().raw_json_token(), view.sanitised_assumption);
    if (key == "detail") text_of(field.value().raw_json_token(), view.sanitised_detail);
  }
  return true;
}

// False when the line is damaged. A value of the wrong type is as if it were not there.
bool ObservationDecoder::Impl::read_field(std::string_view key, od::value& value, ObservationView& view) {
  const auto token = trimmed(value.raw_json_token());
  std::string_view text;
  const auto is_true = [&] { return token == "true"; };
  switch (key.size()) {
    case 2:
      if (key == "ts" && text_of(token, text)) {
        const auto ts = parse_rfc3339(text);
        view.has_ts = ts.has_value();
        view.ts = ts.value_or(0);
      }
      break;
    case 4:
      if (key == "name") identity.has_name = text_of(token, view.name);
      else if (key == "file") text_of(token, view.file);
      else if (key == "code") text_of(token, view.code);
      break;
    case 5:
      if (key == "suite") text_of(token, view.suite);
      else if (key == "class") text_of(token, view.class_name);
      break;
    case 6:
      if (key == "status") {
        const auto status = text_of(token, text) ? parse_status(text) : std::nullopt;
        identity.has_status = status.has_value();
        view.status = status.value_or(Status::error);
      } else if (key == "run_id") text_of(token, view.run_id);
      else if (key == "commit") text_of(token, view.commit);
      else if (key == "branch") text_of(token, view.branch);
      else if (key == "source" && text_of(token, text)) view.source = parse_source(text).value_or(Source::ci);
      break;
    case 7:
      if (key == "test_id") identity.id = text_of(token, text) ? parse_hex64(text) : std::nullopt;
      else if (key == "attempt") view.attempt = to_count(token);
      else if (key == "message") text_of(token, view.message);
      else if (key == "partial") view.partial = is_true();
      break;
    case 8:
      if (key == "exec_key") text_of(token, view.exec_key);
      else if (key == "artifact") text_of(token, view.artifact);
      break;
    case 9:
      if (key == "sanitised") return read_sanitised(value, token, view);
      if (key == "ambiguous") view.ambiguous = is_true();
      else if (key == "contended") view.contended = is_true();
      else if (key == "isolation") text_of(token, view.isolation);
      break;
    case 10:
      if (key == "dimensions") return read_dimensions(value, token, view);
      if (key == "repetition") view.repetition = to_count(token);
      else if (key == "raw_status") view.raw_status = text_of(token, text) ? parse_status(text) : std::nullopt;
      break;
    case 11:
      if (key == "duration_ms") view.duration_ms = parse_integer(token);
      else if (key == "known_flaky") view.known_flaky = is_true();
      else if (key == "quarantined") view.quarantined = is_true();
      break;
    case 14:
      if (key == "would_sanitise") view.would_sanitise = is_true() || token.starts_with('{');
      break;
    default: break;
  }
  return true;
}

const char* ObservationDecoder::Impl::read_line(std::string_view line, ObservationView& view) {
  if (parser.iterate(line.data(), line.size(), line.size() + kPadding).get(document) != SUCCESS) return kNoObject;
  od::object object;
  if (document.get_object().get(object) != SUCCESS) return kNoObject;
  for (auto item : object) {
    od::field field;
    if (std::move(item).get(field) != SUCCESS) return kNoObject;
    if (!read_field(field.escaped_key(), field.value(), view)) return kNoObject;
  }
  return document.at_end() && !broken_string ? nullptr : kNoObject;
}

ObservationDecoder::ObservationDecoder() : impl_(std::make_unique<Impl>()) {}
ObservationDecoder::ObservationDecoder(ObservationDecoder&&) noexcept = default;
ObservationDecoder& ObservationDecoder::operator=(ObservationDecoder&&) noexcept = default;
ObservationDecoder::~ObservationDecoder() = default;

const char* ObservationDecoder::decode(std::string_view line, DecodeArena& arena, ObservationView& view) {
  view = ObservationView{};
  impl_->arena = &arena;
  impl_->line_end = line.data() + line.size();
  impl_->identity = Identity{};
  impl_->broken_string = false;
  if (const auto* reason = impl_->read_line(line, view)) return reason;
  const auto& identity = impl_->identity;
  if (!identity.has_status) return kNoStatus;
  if (!identity.id && !identity.has_name) return kNoIdentity;
  view.test_id = identity.id ? TestId{*identity.id} : test_id(view.suite, view.class_name, view.name);
  if (view.code.empty()) view.code = view.commit;
  return nullptr;
}

}  // namespace flakestat::store
