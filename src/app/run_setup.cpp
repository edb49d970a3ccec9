#include "app/run_setup.hpp"

#include <charconv>
#include <random>
#include <utility>

#include "app/quarantine_file.hpp"
#include "app/run_settings.hpp"
#include "base/duration.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"

namespace flakestat::app {
namespace {

constexpr int kMostWorkers = 1024;

Result<std::optional<std::chrono::milliseconds>> duration_of(const std::optional<std::string>& said, const char* flag) {
  if (!said) return std::optional<std::chrono::milliseconds>();
  auto duration = parse_duration(*said);
  if (!duration) return duration.error().with(flag);
  return std::optional(*duration);
}

Result<dispatch::RerunPolicy> policy_of(const RunRequest& request) {
  dispatch::RerunPolicy policy;
  policy.reruns = request.reruns.value_or(0);
  const auto delay = duration_of(request.rerun_delay, "--rerun-delay");
  if (!delay) return delay.error();
  if (*delay) policy.delay_seconds = std::chrono::duration<double>(**delay).count();
  auto only = dispatch::ErrorPatterns::compile(request.only_rerun);
  if (!only) return only.error().with("--only-rerun");
  policy.only = *std::move(only);
  auto except = dispatch::ErrorPatterns::compile(request.rerun_except);
  if (!except) return except.error().with("--rerun-except");
  policy.except = *std::move(except);
  policy.breaker = request.rerun_breaker.value_or(policy.breaker);
  if (request.max_suite_reruns) policy.most = static_cast<std::uint64_t>(*request.max_suite_reruns);
  policy.only_known_flaky = request.reruns_only_known_flaky;
  policy.measure = request.reruns_measure;
  policy.maxfail = request.maxfail.value_or(0);
  return policy;
}

Result<void> set_workers(RunSetup& setup) {
  const auto& flag = setup.request.workers;
  const auto& said = flag ? flag : setup.settings.config.run.workers;
  if (!said) return {};
  if (*said == "auto" || *said == "logical") {
    setup.workers = static_cast<int>(core_count());
    return {};
  }
  setup.workers = number_in<int>(*said);
  if (setup.workers && *setup.workers >= 0 && *setup.workers <= kMostWorkers) return {};
  return Error{ErrorKind::usage, "-n " + in_quotes(*said) + ": a number of workers, 0 to 1024, or auto"};
}

Result<void> set_dist(RunSetup& setup) {
  const auto& flag = setup.request.dist;
  const auto& said = flag ? flag : setup.settings.config.run.dist;
  if (!said) return {};
  const auto dist = dispatch::parse_dist(*said);
  if (!dist) {
    return Error{ErrorKind::usage, "--dist " + in_quotes(*said) + ": load, loadfile, loadscope, loadgroup or each"};
  }
  setup.dist = *dist;
  return {};
}

Result<void> set_shuffle(RunSetup& setup) {
  const auto& said = setup.request.shuffle;
  if (!said) return {};
  if (setup.request.order.value_or("default") != "default") {
    return Error{ErrorKind::usage, "--shuffle and --order exclude each other"};
  }
  if (*said == "any") {
    std::random_device chance;
    setup.shuffle_seed = chance();
    return {};
  }
  setup.shuffle_seed = number_in<std::uint64_t>(*said);
  if (setup.shuffle_seed) return {};
  return Error{ErrorKind::usage, "--shuffle=" + *said + ": the seed is a whole number"};
}

Result<void> set_shard(RunSetup& setup) {
  if (!setup.request.shard) return {};
  auto shard = dispatch::parse_shard(*setup.request.shard);
  if (!shard) return shard.error().with("--shard");
  setup.shard = *shard;
  return {};
}

Result<void> set_quarantine(RunSetup& setup) {
  const auto& file = setup.settings.config.quarantine_file;
  if (setup.request.quarantine) setup.quarantine_path = *setup.request.quarantine;
  else if (file) setup.quarantine_path = path_in(setup.settings, "quarantine.file", *file);
  if (setup.quarantine_path.empty()) return {};
  auto list = load_quarantine_list(setup.quarantine_path, setup.today);
  if (!list) return list.error();
  setup.quarantine = *std::move(list);
  return {};
}

Result<void> set_times(RunSetup& setup) {
  auto worker = duration_of(setup.request.worker_timeout, "--worker-timeout");
  if (!worker) return worker.error();
  setup.worker_timeout = *worker ? *worker : setup.settings.config.run.worker_timeout;
  auto whole = duration_of(setup.request.timeout, "--timeout");
  if (!whole) return whole.error();
  setup.timeout = *whole ? *whole : setup.settings.config.timeout;
  return {};
}

std::string excuse_text(const rules::QuarantineEntry& entry) {
  std::string text = entry.pattern;
  if (!entry.reason.empty()) text += " (" + entry.reason + ")";
  if (!entry.owner.empty()) text += " " + entry.owner;
  return text;
}

}  // namespace

Result<RunSetup> prepare_run_setup(const World& world, const RunRequest& request, const Settings& settings) {
  auto provenance =
      find_provenance(world, request.common, request.provenance, settings, {env::Origin::launched_here, {}});
  if (!provenance) return provenance.error();
  auto policy = policy_of(request);
  if (!policy) return policy.error();
  RunSetup setup{world, request, settings, *std::move(provenance), request.command, *std::move(policy)};
  if (setup.command.empty()) setup.command = settings.config.command.value_or(std::vector<std::string>{});
  setup.today = rules::day_of(world.now());
  FLAKESTAT_TRY(set_workers(setup));
  FLAKESTAT_TRY(set_dist(setup));
  FLAKESTAT_TRY(set_shuffle(setup));
  FLAKESTAT_TRY(set_shard(setup));
  FLAKESTAT_TRY(set_times(setup));
  FLAKESTAT_TRY(set_quarantine(setup));
  return setup;
}

std::vector<rules::ListedTest> list_spellings(const RunTest& test, const std::string& folder) {
  std::vector<rules::ListedTest> spellings{
      {{test.suite, test.class_name, test.name, test.file}, test.test_id, test.id}};
  if (!folder.empty() && test.id.starts_with(folder + "/")) {
    auto inside = spellings.front();
    inside.framework_id.remove_prefix(folder.size() + 1);
    spellings.push_back(inside);
  }
  return spellings;
}

void excuse(const RunSetup& setup, const RunTest& test, const std::string& folder, dispatch::TestPolicy& policy) {
  if (!setup.quarantine) return;
  const auto dimensions = setup.provenance.dimensions();
  for (const auto& listed : list_spellings(test, folder)) {
    if (const auto* entry = setup.quarantine->match(listed, dimensions, setup.today)) {
      policy.excuse = excuse_text(*entry);
      return;
    }
    const auto* expired = setup.quarantine->expired_match(listed, dimensions, setup.today);
    if (expired != nullptr) policy.expired = "its quarantine (" + expired->pattern + ") has expired";
  }
}

}  // namespace flakestat::app
