#include "app/shown_tests.hpp"

#include "base/glob.hpp"
#include "model/identity.hpp"

namespace flakestat::app {

void keep_shown(stats::Scores& scores, const std::optional<std::string>& filter) {
  if (!filter) return;
  const auto id = parse_hex64(*filter);
  std::erase_if(scores.tests, [&](const TestScore& test) {
    if (id && test.test_id == TestId{*id}) return false;
    return !filter_match(*filter, display_name(test.suite, test.class_name, test.name));
  });
}

}  // namespace flakestat::app
