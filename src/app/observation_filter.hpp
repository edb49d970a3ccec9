// Which recorded executions a report looks at.
#pragma once

#include <optional>
#include <string>

#include "app/requests.hpp"
#include "base/result.hpp"
#include "model/observation.hpp"

namespace flakestat::app {

/// --since, --branch and --dimension, all of which must hold. `--since COMMIT` keeps nothing until `resolve` has looked
/// the commit up.
class ObservationFilter {
 public:
  [[nodiscard]] static Result<ObservationFilter> make(const NarrowingFlags& flags, UnixMillis now);

  /// Looks a commit of --since up in the history of `dir`: it means from its first observation on. A commit is named by
  /// all of it, or by 7 hex digits or more that it begins with; `COMMIT+DIGEST` names one modified tree. Errors:
  /// `usage` when several begin so or the text can be no commit, `missing` when the history has none, those of reading
  /// the log.
  [[nodiscard]] Result<void> resolve(const std::string& dir);

  [[nodiscard]] bool keeps(const ObservationView& observation) const;

 private:
  std::optional<UnixMillis> since_;
  std::optional<std::string> since_commit_;  ///< as it was said, until it is resolved
  std::optional<std::string> branch_;
  Dimensions dimensions_;
};

/// `30d` or `12h` before now, `2026-08-17`, or an RFC 3339 time; nothing for anything else. A bare number is seconds,
/// even one that a commit could begin with.
[[nodiscard]] std::optional<UnixMillis> parse_since(const std::string& text, UnixMillis now);

}  // namespace flakestat::app
