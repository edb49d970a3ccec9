#include "app/test_lookup.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

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

std::string name_of(const TestScore& test) { return display_name(test.suite, test.class_name, test.name); }

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
  if (found.empty()) found = select(tests, [&](const TestScore& test) { return name_of(test) == wanted; });
  if (found.empty()) {
    found = select(tests, [&](const TestScore& test) { return name_of(test).find(wanted) != std::string::npos; });
  }
  return found;
}

std::string line_of(const TestScore& test) {
  return "  " + to_hex(test.test_id) + "  " +
         text::defuse_log_commands(text::truncate(text::escape_terminal(name_of(test)), kShownName));
}

Error several(const Matches& matches, const std::string& wanted, const Say& say) {
  for (std::size_t i = 0; i < std::min(matches.size(), kMostCandidates); ++i) say(line_of(*matches[i]));
  if (matches.size() > kMostCandidates) {
    say("  ... and " + std::to_string(matches.size() - kMostCandidates) + " more");
  }
  return {ErrorKind::usage,
          in_quotes(wanted) + " names " + std::to_string(matches.size()) + " tests, listed above: give one test_id"};
}

// How far a name is from the wanted one; nothing when it is not near.
std::optional<std::size_t> distance(std::string_view wanted, std::string_view name) {
  const std::size_t limit = std::clamp<std::size_t>(wanted.size() / 3, 2, kMostSteps);
  return name.size() > kLongestCompared ? std::nullopt : edit_distance_within(wanted, ascii_lower(name), limit);
}

Error none(const std::vector<TestScore>& tests, const std::string& wanted, const Say& say) {
  std::string message = "no test " + in_quotes(wanted) + " in the history";
  if (tests.empty() || wanted.size() > kLongestCompared) return {ErrorKind::missing, message};
  const std::string low = ascii_lower(wanted);
  std::vector<std::pair<std::size_t, const TestScore*>> near;
  for (const auto& test : tests) {
    const auto by_name = distance(low, test.name);
    const auto by_display = distance(low, name_of(test));
    if (by_name || by_display) {
      near.emplace_back(std::min(by_name.value_or(SIZE_MAX), by_display.value_or(SIZE_MAX)), &test);
    }
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.empty()) return {ErrorKind::missing, message + ": 'flakestat report --all' lists them"};
  for (std::size_t i = 0; i < std::min(near.size(), kMostNearest); ++i) say(line_of(*near[i].second));
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
