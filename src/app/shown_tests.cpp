#include "app/shown_tests.hpp"

#include "base/glob.hpp"
#include "model/identity.hpp"

namespace flakestat::app {

bool is_shown(const TestScore& test, const std::optional<std::string>& filter) {
  if (!filter) return true;
  const auto id = parse_hex64(*filter);
  if (id && test.test_id == TestId{*id}) return true;
  return filter_match(*filter, display_name(test.suite, test.class_name, test.name));
}

void keep_shown(stats::Scores& scores, const std::optional<std::string>& filter) {
  if (!filter) return;
  std::erase_if(scores.tests, [&](const TestScore& test) { return !is_shown(test, filter); });
}

}  // namespace flakestat::app
