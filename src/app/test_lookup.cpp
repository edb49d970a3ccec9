#include "app/test_lookup.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "model/identity.hpp"
#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kMostCandidates = 20;
constexpr std::size_t kMostNearest = 3;
constexpr std::size_t kLongestCompared = 200;
constexpr std::size_t kMostSteps = 12;  // the work for every test goes with it
constexpr std::size_t kShownName = 160;

using Say = std::function<void(std::string_view)>;
using Matches = std::vector<const TestScore*>;

template <class Matching>
Matches select(const std::vector<TestScore>& tests, Matching matching) {
  Matches out;
  for (const auto& test : tests) {
    if (matching(test)) out.push_back(&test);
  }
  return out;
}

Matches best_matches(const std::vector<TestScore>& tests, const std::string& wanted) {
  if (const auto id = parse_hex64(wanted)) {
    auto found = select(tests, [&](const TestScore& test) { return test.test_id == TestId{*id}; });
    if (!found.empty()) return found;
  }
  auto found = select(tests, [&](const TestScore& test) { return test.name == wanted; });
  if (found.empty()) found = select(tests, [&](const TestScore& test) { return display_name(test) == wanted; });
  if (found.empty()) {
    found = select(tests, [&](const TestScore& test) { return display_name(test).find(wanted) != std::string::npos; });
  }
  return found;
}

std::string line_of(const TestScore& test) {
  return "  " + to_hex(test.test_id) + "  " +
         text::defuse_log_commands(text::truncate(text::escape_terminal(display_name(test)), kShownName));
}

Error several(const Matches& matches, const std::string& wanted, const Say& say) {
  for (std::size_t i = 0; i < std::min(matches.size(), kMostCandidates); ++i) say(line_of(*matches[i]));
  if (matches.size() > kMostCandidates) {
    say("  ... and " + std::to_string(matches.size() - kMostCandidates) + " more");
  }
  return {ErrorKind::usage,
          in_quotes(wanted) + " names " + std::to_string(matches.size()) + " tests, listed above: give one test_id"};
}

// How far a name is from the wanted one; nothing when it is further than `limit`.
std::optional<std::size_t> distance(std::string_view wanted, std::string_view name, std::size_t limit) {
  return name.size() > kLongestCompared ? std::nullopt : edit_distance_within(wanted, ascii_lower(name), limit);
}

using Near = std::vector<std::pair<std::size_t, const TestScore*>>;

// The nearest first; of equally near ones the first.
Near nearest_of(const std::vector<TestScore>& tests, const std::string& low) {
  Near near;
  std::size_t limit = std::clamp<std::size_t>(low.size() / 3, 2, kMostSteps);
  for (const auto& test : tests) {
    const auto by_name = distance(low, test.name, limit);
    const auto by_display = distance(low, display_name(test), limit);
    if (!by_name && !by_display) continue;
    const auto steps = std::min(by_name.value_or(SIZE_MAX), by_display.value_or(SIZE_MAX));
    const auto place = std::upper_bound(near.begin(), near.end(), steps,
                                        [](std::size_t value, const auto& one) { return value < one.first; });
    near.insert(place, {steps, &test});
    if (near.size() > kMostNearest) near.pop_back();
    if (near.size() < kMostNearest) continue;
    if (near.back().first == 0) break;
    limit = near.back().first - 1;  // only a nearer one would be shown
  }
  return near;
}

Error none(const std::vector<TestScore>& tests, const std::string& wanted, const Say& say) {
  std::string message = "no test " + in_quotes(wanted) + " in the history";
  if (tests.empty() || wanted.size() > kLongestCompared) return {ErrorKind::missing, message};
  const std::string low = ascii_lower(wanted);
  const auto near = nearest_of(tests, low);
  if (near.empty()) return {ErrorKind::missing, message + ": 'flakestat report --all' lists them"};
  for (const auto& one : near) say(line_of(*one.second));
  return {ErrorKind::missing, message + "; the nearest are listed above"};
}

}  // namespace

Result<const TestScore*> find_test(const std::vector<TestScore>& tests, const std::string& wanted, const Say& say) {
  if (wanted.empty()) return Error{ErrorKind::usage, "no test named: give a test_id, a name, or a part of one"};
  const auto matches = best_matches(tests, wanted);
  if (matches.size() == 1) return matches.front();
  if (matches.empty()) return none(tests, wanted, say);
  return several(matches, wanted, say);
}

}  // namespace flakestat::app
