#include "app/quarantine_world.hpp"

#include <filesystem>

#include "app/shown_tests.hpp"
#include "model/identity.hpp"
#include "text/escape.hpp"

namespace flakestat::app {
Result<ScoredHistory> quarantine_history(const World& world, const QuarantineRequest& request,
                                         const Observer& observer) {
  auto filter = ObservationFilter::make({}, world.now());
  if (!filter) return filter.error();
  auto scored = score_history(world, request.common, &request.scoring, *filter, observer);
  if (!scored) return scored;
  if (scored->lines == 0) return Error{ErrorKind::missing, "no history, hence no list"};
  return scored;
}

Result<std::string> list_path(const World& world, const Settings& settings, const std::string& named) {
  if (!named.empty()) return named;
  if (settings.config.quarantine_file) {
    const std::filesystem::path base =
        settings.config_directory == world.directory ? std::string{} : settings.config_directory;
    return (base / *settings.config.quarantine_file).string();
  }
  return Error{ErrorKind::usage, "which list? name its file, or set quarantine.file in .flakestat.json"};
}

std::vector<const TestScore*> tests_to_list(const ScoredHistory& scored, const QuarantineRequest& request) {
  std::vector<const TestScore*> out;
  for (const auto& test : scored.scores.tests) {
    const bool broken = test.verdict == Verdict::consistently_failing && request.include_broken;
    const bool flaky = test.verdict == Verdict::flaky && test.lower_bound >= scored.settings.severity.value_or(0);
    if ((flaky || broken) && is_shown(test, request.common.filter)) out.push_back(&test);
  }
  return out;
}

EntryNames::EntryNames(const stats::Scores& scores) {
  for (const auto& test : scores.tests) tests_of_name_.emplace(display_name(test), 0);
  // A name may be another test's by its framework: `Outer::x` of a class nested in the suite Outer.
  for (const auto& test : scores.tests) {
    for (const auto& text : rules::spellings(listed_test(test))) {
      if (const auto found = tests_of_name_.find(text); found != tests_of_name_.end()) ++found->second;
    }
  }
}

std::string EntryNames::entry_of(const TestScore& test) const {
  auto name = display_name(test);
  const auto found = tests_of_name_.find(name);
  const bool unique = found == tests_of_name_.end() || found->second == 1;
  return unique && rules::can_be_entry(name) ? name : to_hex(test.test_id);
}

std::string EntryNames::comment_of(const TestScore& test) const {
  if (entry_of(test) != to_hex(test.test_id)) return {};
  return "# " + text::escape_terminal(display_name(test));
}

}  // namespace flakestat::app
