// What emitting, updating and checking a quarantine list have in common: the history, the list's file, the tests to
// list.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/requests.hpp"
#include "app/scored_history.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "rules/quarantine_list.hpp"

namespace flakestat::app {

/// The scored history. An empty one is `missing`: a list made from nothing would excuse nothing and look like good
/// news.
[[nodiscard]] Result<ScoredHistory> quarantine_history(const World& world, const QuarantineRequest& request,
                                                       const Observer& observer = {});

/// The named file, or the configuration's; a usage error when neither says one.
[[nodiscard]] Result<std::string> list_path(const World& world, const Settings& settings, const std::string& named);

/// Tests to be listed now, worst first: flaky ones, broken ones when asked for, suspects never; within `--filter` and
/// above the severity limit.
[[nodiscard]] std::vector<const TestScore*> tests_to_list(const ScoredHistory& scored,
                                                          const QuarantineRequest& request);

[[nodiscard]] inline rules::ListedTest listed_test(const TestScore& test) {
  return {{test.suite, test.class_name, test.name, test.file}, test.test_id, {}};
}

/// How entries name tests: by display name where it is one test's own and can stand in a list, else by test_id.
class EntryNames {
 public:
  explicit EntryNames(const stats::Scores& scores);
  [[nodiscard]] std::string entry_of(const TestScore& test) const;
  /// The comment in front of an entry that is a bare test_id; empty for the others.
  [[nodiscard]] std::string comment_of(const TestScore& test) const;

 private:
  std::unordered_map<std::string, int> tests_of_name_;
};

}  // namespace flakestat::app
