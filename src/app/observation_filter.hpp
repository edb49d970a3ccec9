// Which recorded executions a report looks at.
#pragma once

#include <optional>
#include <string>

#include "app/requests.hpp"
#include "base/result.hpp"
#include "model/observation.hpp"

namespace flakestat::app {

/// --since, --branch and --dimension, all of which must hold.
class ObservationFilter {
 public:
  [[nodiscard]] static Result<ObservationFilter> make(const ReportRequest& request, UnixMillis now);
  [[nodiscard]] bool keeps(const ObservationView& observation) const;

 private:
  std::optional<UnixMillis> since_;
  std::optional<std::string> branch_;
  Dimensions dimensions_;
};

/// `30d` or `12h` before now, `2026-08-17`, or an RFC 3339 time. A usage error names the text.
[[nodiscard]] Result<UnixMillis> parse_since(const std::string& text, UnixMillis now);

}  // namespace flakestat::app
