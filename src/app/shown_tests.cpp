#include "app/shown_tests.hpp"

#include "base/glob.hpp"

namespace flakestat::app {

bool is_shown(const std::optional<std::string>& filter, TestId test_id, std::string_view suite,
              std::string_view class_name, std::string_view name) {
  if (!filter) return true;
  const auto id = parse_hex64(*filter);
  if (id && test_id == TestId{*id}) return true;
  return filter_match(*filter, display_name(suite, class_name, name));
}

bool is_shown(const TestScore& test, const std::optional<std::string>& filter) {
  return is_shown(filter, test.test_id, test.suite, test.class_name, test.name);
}

void keep_shown(stats::Scores& scores, const std::optional<std::string>& filter) {
  if (!filter) return;
  std::erase_if(scores.tests, [&](const TestScore& test) { return !is_shown(test, filter); });
}

}  // namespace flakestat::app
