#include "app/observation_filter.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "base/duration.hpp"
#include "base/strings.hpp"
#include "env/platform.hpp"
#include "store/log_reader.hpp"

namespace flakestat::app {

namespace {

constexpr std::size_t kFewestDigits = 7;

// The codes of a history that a text names, each with the first time it was seen.
class CommitSearch {
 public:
  explicit CommitSearch(std::string_view text) : text_(text), by_code_(text.find('+') != std::string_view::npos) {}

  void look_at(const ObservationView& observation) {
    const auto name = by_code_ ? observation.code : observation.commit;
    const bool named = is_prefix() ? name.starts_with(text_) : name == text_;
    if (!named || name.empty()) return;
    auto found = first_seen_.find(name);
    if (found == first_seen_.end()) found = first_seen_.emplace(std::string(name), std::nullopt).first;
    if (observation.has_ts) found->second = std::min(found->second.value_or(observation.ts), observation.ts);
  }

  [[nodiscard]] Result<UnixMillis> first_time(const std::string& dir) const {
    const auto exact = first_seen_.find(text_);
    if (exact == first_seen_.end() && first_seen_.size() > 1) return ambiguous();
    if (first_seen_.empty()) return is_prefix() ? unknown(dir) : no_commit();
    const auto& [name, time] = exact != first_seen_.end() ? *exact : *first_seen_.begin();
    if (time) return *time;
    return Error{ErrorKind::missing, "--since " + in_quotes(name) + ": no observation of it says when it was made"};
  }

 private:
  [[nodiscard]] bool is_prefix() const {
    const auto digits = text_.substr(0, text_.find('+'));
    return digits.size() >= kFewestDigits && text_.find_first_not_of("0123456789abcdef+") == std::string_view::npos;
  }

  [[nodiscard]] Error unknown(const std::string& dir) const {
    return {ErrorKind::missing, "--since " + in_quotes(text_) + ": no commit in " + dir + "/runs.ndjson begins so"};
  }

  [[nodiscard]] Error no_commit() const {
    return {ErrorKind::usage, "--since " + in_quotes(text_) +
                                  ": a duration such as 30d, a day such as 2026-08-17, a time such as "
                                  "2026-08-17T10:00:00Z, or a commit of the history (at least 7 digits of it)"};
  }

  [[nodiscard]] Error ambiguous() const {
    constexpr std::size_t kNamed = 5;
    std::string names;
    std::size_t count = 0;
    for (const auto& [name, time] : first_seen_) {
      if (++count > kNamed) break;
      names += (names.empty() ? "" : ", ") + name;
    }
    if (first_seen_.size() > kNamed) names += ", ...";
    return {ErrorKind::usage, "--since " + in_quotes(text_) + ": " + std::to_string(first_seen_.size()) +
                                  " commits begin so (" + names + "): say more of it"};
  }

  std::string_view text_;
  bool by_code_;
  std::map<std::string, std::optional<UnixMillis>, std::less<>> first_seen_;
};

}  // namespace

std::optional<UnixMillis> parse_since(const std::string& text, UnixMillis now) {
  if (const auto time = parse_rfc3339(text)) return *time;
  if (const auto day = parse_rfc3339(text + "T00:00:00Z")) return *day;
  if (auto duration = parse_duration(text)) return now - duration->count();
  return std::nullopt;
}

Result<ObservationFilter> ObservationFilter::make(const NarrowingFlags& flags, UnixMillis now) {
  ObservationFilter filter;
  if (flags.since) {
    filter.since_ = parse_since(*flags.since, now);
    if (!filter.since_) filter.since_commit_ = flags.since;
  }
  auto dimensions = env::parse_dimensions(flags.dimensions);
  if (!dimensions) return dimensions.error();
  filter.dimensions_ = std::move(*dimensions);
  filter.branch_ = flags.branch;
  return filter;
}

Result<void> ObservationFilter::resolve(const std::string& dir) {
  if (!since_commit_) return {};
  CommitSearch search(*since_commit_);
  auto read = store::read_log(dir, [&](const ObservationView& observation) { search.look_at(observation); });
  if (!read) return read.error();
  auto time = search.first_time(dir);
  if (!time) return time.error();
  since_ = *time;
  since_commit_.reset();
  return {};
}

bool ObservationFilter::keeps(const ObservationView& observation) const {
  if (since_commit_) return false;
  if (since_ && observation.ts < *since_) return false;
  if (branch_ && observation.branch != *branch_) return false;
  return std::all_of(dimensions_.begin(), dimensions_.end(), [&](const auto& wanted) {
    return std::any_of(observation.dimensions.begin(), observation.dimensions.end(),
                       [&](const auto& found) { return found.first == wanted.first && found.second == wanted.second; });
  });
}

}  // namespace flakestat::app
