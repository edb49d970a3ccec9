// A line of the log -> ObservationView. Tolerant: any order of keys, unknown keys, predecessor's lines, wrong types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/observation.hpp"
#include "store/decode_arena.hpp"
#include "store/observation_codec.hpp"
#include "store/token_walk.hpp"
#include "text/json_tokens.hpp"

namespace flakestat::store {

/// One line and where its tokens are.
struct LineTokens {
  std::string_view line;                     ///< without its `\n`
  const char* base = nullptr;                ///< what positions are relative to
  std::span<const std::uint32_t> positions;  ///< may go on behind the line
  std::size_t first = 0;                     ///< the line's first token
};

/// Not thread-safe; objects are independent.
class ObservationDecoder {
 public:
  /// nullptr when the line is a record, else why it is none: no whole JSON object, no test identity (neither a test_id
  /// of 16 hex digits nor a name), no known status. The view lives as long as the line and `arena`. `tokens` unescapes.
  [[nodiscard]] const char* decode(const text::JsonTokens& tokens, const LineTokens& line, DecodeArena& arena,
                                   ObservationView& view);

  /// After a record: the token behind it.
  [[nodiscard]] std::size_t next_token() const { return walk_.at(); }

 private:
  bool read_object(ObservationView& view);
  bool read_field(std::string_view key, const JsonValue& value, ObservationView& view);
  bool read_dimensions(const JsonValue& value, ObservationView& view);
  bool read_sanitised(const JsonValue& value, ObservationView& view);
  bool text_of(const JsonValue& value, std::string_view& out);
  void read_time(const JsonValue& value, ObservationView& view);
  bool repeats(const DecodeArena::Shared& shared);
  bool reuse_dimensions(ObservationView& view);
  void start_job(std::size_t begin, ObservationView& view);
  void end_job(std::size_t end, const ObservationView& view);

  static constexpr std::size_t kNone = SIZE_MAX;

  const text::JsonTokens* tokens_ = nullptr;
  DecodeArena* arena_ = nullptr;
  std::string_view line_;
  TokenWalk walk_;
  bool has_escapes_ = false;
  bool damaged_ = false;  ///< an escape that JSON does not know
  std::optional<std::uint64_t> id_;
  bool has_name_ = false;
  bool has_status_ = false;
  std::size_t first_field_ = 0;
  std::size_t job_begin_ = kNone;  ///< the comma behind `ts`, while only fields of the job have followed
  std::array<DecodeArena::Pair, kMaxDimensions> scratch_;
  bool has_day_ = false;
  std::array<char, 11> day_{};  ///< `2026-08-17T` of the last time stamp, and when it began
  UnixMillis day_start_ = 0;
};

}  // namespace flakestat::store
