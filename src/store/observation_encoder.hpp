// Observation -> a line of the log. The order of keys is the design's; see docs/formats/store.md.
#pragma once

#include <string>
#include <string_view>

#include "model/observation.hpp"

namespace flakestat::store {

/// Keeps what neighbouring observations share (job, day, dimensions) in encoded form. Not thread-safe; objects are
/// independent, and what is written depends on the observation alone.
class ObservationEncoder {
 public:
  /// Appends the line with its `\n`. Always valid UTF-8 (broken bytes become U+FFFD) and one line.
  void append(std::string& out, const Observation& observation);

 private:
  void append_fields(std::string& out, const Observation& o);
  void append_job(std::string& out, const Observation& o);
  void append_time(std::string& out, UnixMillis ts);
  void append_dimensions(std::string& out, const Dimensions& dimensions);

  std::string run_id_, commit_, code_, branch_, job_text_;
  Source source_ = Source::ci;
  UnixMillis day_ = 0;
  std::string day_text_;
  Dimensions dimensions_;
  std::string dimensions_text_;
};

}  // namespace flakestat::store
