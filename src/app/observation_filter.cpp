#include "app/observation_filter.hpp"

#include <algorithm>

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "env/platform.hpp"

namespace flakestat::app {

Result<UnixMillis> parse_since(const std::string& text, UnixMillis now) {
  if (const auto time = parse_rfc3339(text)) return *time;
  if (const auto day = parse_rfc3339(text + "T00:00:00Z")) return *day;
  if (auto duration = parse_duration(text)) return now - duration->count();
  return Error{ErrorKind::usage,
               "--since " + in_quotes(text) +
                   ": a duration such as 30d, a day such as 2026-08-17, or a time such as 2026-08-17T10:00:00Z"};
}

Result<ObservationFilter> ObservationFilter::make(const ReportRequest& request, UnixMillis now) {
  ObservationFilter filter;
  if (request.since) {
    auto since = parse_since(*request.since, now);
    if (!since) return since.error();
    filter.since_ = *since;
  }
  auto dimensions = env::parse_dimensions(request.dimensions);
  if (!dimensions) return dimensions.error();
  filter.dimensions_ = std::move(*dimensions);
  filter.branch_ = request.branch;
  return filter;
}

bool ObservationFilter::keeps(const ObservationView& observation) const {
  if (since_ && observation.ts < *since_) return false;
  if (branch_ && observation.branch != *branch_) return false;
  return std::all_of(dimensions_.begin(), dimensions_.end(), [&](const auto& wanted) {
    return std::any_of(observation.dimensions.begin(), observation.dimensions.end(),
                       [&](const auto& found) { return found.first == wanted.first && found.second == wanted.second; });
  });
}

}  // namespace flakestat::app
