// What a run is asked for: flags and settings as values that were checked.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/provenance.hpp"
#include "app/requests.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "dispatch/lifecycle.hpp"
#include "dispatch/schedule.hpp"
#include "dispatch/shards.hpp"
#include "rules/quarantine_list.hpp"

namespace flakestat::app {

/// One run, ready to be made. References live as long as the run.
struct RunSetup {
  const World& world;
  const RunRequest& request;
  const Settings& settings;
  Provenance provenance;
  std::vector<std::string> command;
  dispatch::RerunPolicy policy;
  dispatch::Dist dist = dispatch::Dist::load;
  std::optional<int> workers{};  ///< not said: the adapter's usual number
  std::optional<std::chrono::milliseconds> worker_timeout{};
  std::optional<std::chrono::milliseconds> timeout{};
  std::optional<rules::QuarantineList> quarantine{};
  std::string quarantine_path{};
  rules::Day today{};
  std::optional<std::uint64_t> shuffle_seed{};
  std::optional<dispatch::Shard> shard{};
};

/// Errors: usage for flags that cannot be read or contradict each other; those of the quarantine list.
[[nodiscard]] Result<RunSetup> prepare_run_setup(const World& world, const RunRequest& request,
                                                 const Settings& settings);

/// As what a list may name a test: from the root of the run, and from its project's `folder` (empty: the root). They
/// refer to the test.
[[nodiscard]] std::vector<rules::ListedTest> list_spellings(const RunTest& test, const std::string& folder);

/// The list's verdict on a test, for the lifecycle. Entries may name it from the root of the run or from its project's
/// `folder`.
void excuse(const RunSetup& setup, const RunTest& test, const std::string& folder, dispatch::TestPolicy& policy);

}  // namespace flakestat::app
