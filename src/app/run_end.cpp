#include "app/run_end.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/run_pytest.hpp"
#include "base/clean_text.hpp"
#include "report/run_json.hpp"
#include "report/run_junit.hpp"
#include "report/words.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

constexpr std::chrono::days kCleanFor{90};
constexpr std::size_t kMostNamed = 10;

rules::ListedTest listed(const RunTest& test) {
  return {{test.suite, test.class_name, test.name, test.file}, test.test_id, test.id};
}

// What an entry's tests did in this run.
struct EntryUse {
  std::size_t tests = 0;
  bool clean = true;  ///< all of them passed at once, and the ledger has forgotten any trouble
};

std::vector<EntryUse> uses_of(const RunSetup& setup, const RunMemory& memory, const report::RunRecord& record) {
  std::vector<EntryUse> uses(setup.quarantine->entries().size());
  for (std::size_t i = 0; i < record.started.tests.size(); ++i) {
    const auto& test = record.started.tests[i];
    for (const auto entry : setup.quarantine->entries_naming(listed(test))) {
      ++uses[entry].tests;
      const bool passed = record.settled[i] && record.settled[i]->fate == RunFate::passed;
      const auto counts = memory.counts(test);
      if (!passed || counts.flaky + counts.failed > 0) uses[entry].clean = false;
    }
  }
  return uses;
}

std::string named(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    text += (i == 0 ? "" : ", ") + clean_name(names[i]);
  if (names.size() > kMostNamed) text += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return text;
}

// Only a whole run can say that an entry matches nothing.
void review_quarantine(const RunSetup& setup, const RunMemory& memory, const report::RunRecord& record,
                       RunFinished& finished) {
  if (!setup.quarantine || record.started.tests.empty()) return;
  const auto uses = uses_of(setup, memory, record);
  const auto& entries = setup.quarantine->entries();
  std::vector<std::string> unused;
  std::vector<std::string> clean;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (uses[i].tests == 0) unused.push_back(entries[i].pattern);
    else if (uses[i].clean && entries[i].added && *entries[i].added + kCleanFor < setup.today)
      clean.push_back(entries[i].pattern);
  }
  const bool whole = !record.started.partial && record.started.deselected == 0 && !chooses_files(setup);
  if (!unused.empty() && whole) {
    finished.reasons.push_back(setup.quarantine_path + ": entries that match no test: " + named(unused));
  }
  if (!clean.empty()) {
    finished.reasons.push_back(setup.quarantine_path +
                               ": entries whose tests have been clean for 90 days: " + named(clean));
  }
}

}  // namespace

void conclude_run(const RunSetup& setup, const RunMemory& memory, const report::RunRecord& record,
                  RunFinished& finished) {
  review_quarantine(setup, memory, record, finished);
  if (setup.policy.only_known_flaky && !memory.knows_flaky()) finished.reasons.emplace_back(kNothingKnown);
  const bool flaky = finished.totals.flaky > 0;
  if (!setup.request.fail_on_flaky.value_or(false) || !flaky || finished.end != RunEnd::ok) return;
  finished.end = RunEnd::tests_failed;
  finished.exit_code = 1;
  finished.reasons.push_back(report::counted(finished.totals.flaky, "test") +
                             " passed only after reruns, which --fail-on-flaky counts as a failure");
}

Result<void> write_run_files(const RunSetup& setup, const report::RunRecord& record) {
  const auto write = [&](const std::string& path, const std::string& text) -> Result<void> {
    const auto slash = path.rfind('/');
    if (slash != std::string::npos && slash > 0) FLAKESTAT_TRY(sys::make_directories(path.substr(0, slash)));
    return sys::replace_file(path, text);
  };
  if (setup.request.junitxml) FLAKESTAT_TRY(write(*setup.request.junitxml, report::run_junit(record)));
  if (!setup.request.report_json) return {};
  report::RunJsonOptions options;
  options.shard = setup.request.shard.value_or("");
  return write(*setup.request.report_json, report::run_json(record, options));
}

ShardManifest ended_shard(ShardManifest manifest, const report::RunRecord& record) {
  std::vector<std::string_view> begun;
  for (const auto index : record.order) begun.emplace_back(record.test(index).id);
  dispatch::end_manifest(manifest, begun, record.finished ? record.finished->exit_code : 0);
  return manifest;
}

}  // namespace flakestat::app
