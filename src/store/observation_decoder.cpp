#include "store/observation_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace flakestat::store {
namespace {

constexpr const char* kNoObject = "no whole JSON object";
constexpr const char* kNoIdentity = "no test identity";
constexpr const char* kNoStatus = "no known status";

bool is_job_key(std::string_view key) {
  return key == "run_id" || key == "commit" || key == "code" || key == "branch" || key == "source" ||
         key == "attempt" || key == "repetition";
}

// The log's own clock text, `10:00:00.123Z`, in milliseconds; -1 for any other form.
UnixMillis own_clock(const char* text) {
  static constexpr std::string_view kForm = "00:00:00.000Z";
  static constexpr std::array<UnixMillis, 13> kWeight{36'000'000, 3'600'000, 0,   600'000, 60'000, 0, 10'000,
                                                      1000,       0,         100, 10,      1,      0};
  UnixMillis value = 0;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const auto digit = static_cast<unsigned>(text[i] - kForm[i]);
    if (digit > (kForm[i] == '0' ? 9U : 0U)) return -1;
    value += digit * kWeight[i];
  }
  return text[0] * 10 + text[1] < '2' * 10 + '4' && text[3] < '6' && text[6] < '6' ? value : -1;
}

}  // namespace

const char* ObservationDecoder::decode(const text::JsonTokens& tokens, const LineTokens& line, DecodeArena& arena,
                                       ObservationView& view) {
  tokens_ = &tokens;
  arena_ = &arena;
  line_ = line.line;
  walk_ = TokenWalk(line.base, line.positions, line.first);
  has_escapes_ = std::memchr(line_.data(), '\\', line_.size()) != nullptr;
  damaged_ = has_name_ = has_status_ = false;
  id_.reset();
  job_begin_ = kNone;
  first_field_ = line.first + 1;
  if (!read_object(view) || damaged_) return kNoObject;
  const char* end = line_.data() + line_.size();
  const bool stops_here = walk_.position(walk_.at() - 1) < end && (walk_.at_end() || walk_.position(walk_.at()) >= end);
  if (!stops_here) return kNoObject;
  if (!has_status_) return kNoStatus;
  if (!id_ && !has_name_) return kNoIdentity;
  view.test_id = id_ ? TestId{*id_} : test_id(view.suite, view.class_name, view.name);
  if (view.code.empty()) view.code = view.commit;
  return nullptr;
}

bool ObservationDecoder::read_object(ObservationView& view) {
  if (!walk_.take('{')) return false;
  if (walk_.take('}')) return true;
  do {
    std::string_view key;
    const auto begin = walk_.at();
    if (!walk_.take_key(key)) return false;
    if (key == "dimensions" && reuse_dimensions(view)) continue;
    JsonValue value;
    if (!walk_.take_value(value) || !read_field(key, value, view)) return false;
    if (key == "ts") start_job(begin, view);
    else if (job_begin_ != kNone && !is_job_key(key)) end_job(key == "test_id" ? begin : kNone, view);
  } while (walk_.take(','));
  return walk_.take('}');
}

// False when the line is damaged. A value of the wrong type is as if it were not there.
bool ObservationDecoder::read_field(std::string_view key, const JsonValue& value, ObservationView& view) {
  std::string_view text;
  const auto is_true = [&] { return value.raw == "true"; };
  switch (key.size()) {
    case 2:
      if (key == "ts") read_time(value, view);
      break;
    case 4:
      if (key == "name") has_name_ = text_of(value, view.name);
      else if (key == "file") text_of(value, view.file);
      else if (key == "code") text_of(value, view.code);
      break;
    case 5:
      if (key == "suite") text_of(value, view.suite);
      else if (key == "class") text_of(value, view.class_name);
      break;
    case 6:
      if (key == "status") {
        const auto status = text_of(value, text) ? parse_status(text) : std::nullopt;
        has_status_ = status.has_value();
        view.status = status.value_or(Status::error);
      } else if (key == "run_id") text_of(value, view.run_id);
      else if (key == "commit") text_of(value, view.commit);
      else if (key == "branch") text_of(value, view.branch);
      else if (key == "source" && text_of(value, text)) view.source = parse_source(text).value_or(Source::ci);
      break;
    case 7:
      if (key == "test_id") id_ = text_of(value, text) ? parse_hex64(text) : std::nullopt;
      else if (key == "attempt") view.attempt = json_count(value.raw);
      else if (key == "message") text_of(value, view.message);
      else if (key == "partial") view.partial = is_true();
      break;
    case 8:
      if (key == "exec_key") text_of(value, view.exec_key);
      else if (key == "artifact") text_of(value, view.artifact);
      break;
    case 9:
      if (key == "sanitised") return read_sanitised(value, view);
      if (key == "ambiguous") view.ambiguous = is_true();
      else if (key == "contended") view.contended = is_true();
      else if (key == "isolation") text_of(value, view.isolation);
      break;
    case 10:
      if (key == "dimensions") return read_dimensions(value, view);
      if (key == "repetition") view.repetition = json_count(value.raw);
      else if (key == "raw_status") view.raw_status = text_of(value, text) ? parse_status(text) : std::nullopt;
      break;
    case 11:
      if (key == "duration_ms") view.duration_ms = json_integer(value.raw);
      else if (key == "known_flaky") view.known_flaky = is_true();
      else if (key == "quarantined") view.quarantined = is_true();
      break;
    case 14:
      if (key == "would_sanitise") view.would_sanitise = is_true() || value.kind == '{';
      break;
    default: break;
  }
  return true;
}

// False for a value that is no string.
bool ObservationDecoder::text_of(const JsonValue& value, std::string_view& out) {
  if (value.kind != '"') return false;
  out = value.raw.substr(1, value.raw.size() - 2);
  if (!has_escapes_ || std::memchr(out.data(), '\\', out.size()) == nullptr) return true;
  if (tokens_->unescape(value.raw.data(), arena_->text_end(), out)) return true;
  damaged_ = true;
  return false;
}

// Neighbouring lines are of the same day.
void ObservationDecoder::read_time(const JsonValue& value, ObservationView& view) {
  static constexpr std::size_t kOwnSize = 24;
  std::string_view text;
  if (!text_of(value, text)) return;
  const bool own_size = text.size() == kOwnSize;
  if (own_size && has_day_ && std::memcmp(text.data(), day_.data(), day_.size()) == 0) {
    if (const auto clock = own_clock(text.data() + day_.size()); clock >= 0) {
      view.has_ts = true;
      view.ts = day_start_ + clock;
      return;
    }
  }
  const auto ts = parse_rfc3339(text);
  view.has_ts = ts.has_value();
  view.ts = ts.value_or(0);
  if (!ts || !own_size) return;
  if (const auto clock = own_clock(text.data() + day_.size()); clock >= 0) {
    std::copy_n(text.begin(), day_.size(), day_.begin());
    day_start_ = *ts - clock;
    has_day_ = true;
  }
}

// Whether the text at the next token is that of `shared`, byte for byte. The same text is the same fields.
bool ObservationDecoder::repeats(const DecodeArena::Shared& shared) {
  if (shared.raw.empty() || walk_.at_end()) return false;
  const char* begin = walk_.position(walk_.at());
  const char* end = line_.data() + line_.size();
  return begin < end && shared.raw.size() <= static_cast<std::size_t>(end - begin) &&
         std::memcmp(shared.raw.data(), begin, shared.raw.size()) == 0;
}

bool ObservationDecoder::reuse_dimensions(ObservationView& view) {
  const auto& shared = arena_->dimensions;
  if (!repeats(shared)) return false;
  view.dimensions = shared.view.dimensions;
  view.dimensions_raw = shared.raw;
  walk_.seek(walk_.at() + shared.tokens);
  return true;
}

// Behind `ts`, where it is the first field: what follows up to `test_id` is the same for all lines of a job.
void ObservationDecoder::start_job(std::size_t begin, ObservationView& view) {
  if (begin != first_field_ || walk_.peek() != ',') return;
  const auto& shared = arena_->job;
  if (!repeats(shared)) {
    job_begin_ = walk_.at();
    return;
  }
  const auto& known = shared.view;
  view.run_id = known.run_id;
  view.commit = known.commit;
  view.code = known.code;
  view.branch = known.branch;
  view.source = known.source;
  view.attempt = known.attempt;
  view.repetition = known.repetition;
  walk_.seek(walk_.at() + shared.tokens);
}

// `end`: the token of the key `test_id`, kNone at any other key that is not the job's. The comma before it belongs to
// the text that must be equal (else `"attempt":1` would do for `"attempt":10`), but is left to be read.
void ObservationDecoder::end_job(std::size_t end, const ObservationView& view) {
  const auto begin = std::exchange(job_begin_, kNone);
  if (end == kNone || end - 1 <= begin) return;
  const char* text = walk_.position(begin);
  arena_->job = {{text, static_cast<std::size_t>(walk_.position(end - 1) + 1 - text)}, end - 1 - begin, view};
}

bool ObservationDecoder::read_dimensions(const JsonValue& value, ObservationView& view) {
  if (value.kind != '{') return true;
  const auto end = walk_.at();
  walk_.seek(value.first + 1);
  std::size_t count = 0;
  if (walk_.peek() != '}') {
    do {
      std::string_view key, text;
      JsonValue item;
      if (!walk_.take_key(key) || !walk_.take_value(item)) return false;
      if (!text_of({{key.data() - 1, key.size() + 2}, '"', 0}, key)) return false;
      if (item.kind == '"') text_of(item, text);
      else if (item.raw != "null") text = item.raw;  // a number or a truth value as written; nested ones are not ours
      if (!text.empty() && count < kMaxDimensions) scratch_[count++] = {key, text};
    } while (walk_.take(','));
  }
  if (!walk_.take('}') || walk_.at() != end) return false;
  const char* begin = walk_.position(value.first);
  view.dimensions = arena_->keep({scratch_.data(), count});
  view.dimensions_raw = {begin, static_cast<std::size_t>(walk_.position(end - 1) + 1 - begin)};
  arena_->dimensions = {view.dimensions_raw, end - value.first, view};
  return true;
}

bool ObservationDecoder::read_sanitised(const JsonValue& value, ObservationView& view) {
  view.sanitised = value.raw == "true" || value.kind == '{';
  if (value.kind != '{') return true;
  const auto end = walk_.at();
  walk_.seek(value.first + 1);
  if (walk_.take('}')) return true;
  do {
    std::string_view key;
    JsonValue item;
    if (!walk_.take_key(key) || !walk_.take_value(item)) return false;
    if (key == "assumption") text_of(item, view.sanitised_assumption);
    if (key == "detail") text_of(item, view.sanitised_detail);
  } while (walk_.take(','));
  return walk_.take('}') && walk_.at() == end;
}

}  // namespace flakestat::store
