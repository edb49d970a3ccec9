#include "app/run_pytest.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "app/run_screen.hpp"
#include "base/parallel.hpp"
#include "dispatch/order.hpp"
#include "env/project_tree.hpp"
#include "env/pytest_projects.hpp"
#include "run/selection.hpp"
#include "store/shard_manifests.hpp"
#include "sys/scratch_folder.hpp"

namespace flakestat::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestFirstLine = 512;

bool is_program(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line(kLongestFirstLine, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return line.substr(0, line.find('\n'));
}

// The folder for the temporary files of a run's workers; those of the two runs before stay, as with pytest's own.
std::optional<sys::ScratchFolder> new_basetemp(const World& world, const std::string& run_id) {
  constexpr std::size_t kKept = 2;
  const auto root = world.env("PYTEST_DEBUG_TEMPROOT").value_or(world.env("TMPDIR").value_or("/tmp"));
  auto folder = sys::ScratchFolder::make(root + "/flakestat-of-" + std::to_string(::getuid()), run_id, kKept);
  if (folder) return *std::move(folder);
  world.warn("flakestat: temporary files go to pytest's own folder: " + folder.error().message);
  return std::nullopt;
}

// What a mark at the test says, with its patterns read.
Result<void> set_mark(const adapters::PytestMarks& marks, const RunTest& test, dispatch::TestPolicy& policy) {
  if (!marks.flaky) return {};
  auto& mark = policy.mark.emplace();
  mark.reruns = marks.flaky->reruns;
  mark.delay_seconds = marks.flaky->delay_seconds;
  if (!marks.flaky->only_rerun.empty()) {
    auto only = dispatch::ErrorPatterns::compile(marks.flaky->only_rerun);
    if (!only) return only.error().with("the flaky mark of " + test.id);
    mark.only = *std::move(only);
  }
  if (!marks.flaky->rerun_except.empty()) {
    auto except = dispatch::ErrorPatterns::compile(marks.flaky->rerun_except);
    if (!except) return except.error().with("the flaky mark of " + test.id);
    mark.except = *std::move(except);
  }
  return {};
}

// pytest-rerunfailures' and pytest's own options, where flakestat's were not given.
Result<void> adopt_options(const RunSetup& setup, const adapters::PytestHello& hello, dispatch::RerunPolicy& policy) {
  const auto& request = setup.request;
  if (!request.reruns && hello.reruns) policy.reruns = *hello.reruns;
  if (!request.rerun_delay && hello.reruns_delay) policy.delay_seconds = *hello.reruns_delay;
  if (request.only_rerun.empty() && !hello.only_rerun.empty()) {
    auto only = dispatch::ErrorPatterns::compile(hello.only_rerun);
    if (!only) return only.error().with("pytest's --only-rerun");
    policy.only = *std::move(only);
  }
  if (request.rerun_except.empty() && !hello.rerun_except.empty()) {
    auto except = dispatch::ErrorPatterns::compile(hello.rerun_except);
    if (!except) return except.error().with("pytest's --rerun-except");
    policy.except = *std::move(except);
  }
  if (!request.maxfail) policy.maxfail = hello.maxfail;
  return {};
}

class Planner {
 public:
  Planner(const RunSetup& setup, RunMemory& memory, std::optional<ShardManifest>& shard)
      : setup_(setup), memory_(memory), shard_(shard) {}

  Result<adapters::PytestPlan> operator()(const std::vector<const adapters::PytestSuite*>& suites) const {
    adapters::PytestPlan plan;
    plan.policy = setup_.policy;
    plan.shuffle_seed = setup_.shuffle_seed;
    // Chosen by their results; a selection by name or mark says nothing about what they will do.
    plan.partial = setup_.request.last_failed;
    std::vector<const RunTest*> tests;
    for (const auto* suite : suites) {
      FLAKESTAT_TRY(adopt_options(setup_, suite->hello, plan.policy));
      plan.partial = plan.partial || suite->hello.lastfailed;
      for (std::size_t i = 0; i < suite->tests.size(); ++i) {
        const auto& test = suite->tests[i];
        auto& policy = plan.tests.emplace_back();
        FLAKESTAT_TRY(set_mark(suite->marks[i], test, policy));
        policy.ledger = memory_.counts(test);
        excuse(setup_, test, suite->folder, policy);
        plan.seconds.push_back(memory_.seconds(test));
        tests.push_back(&test);
      }
    }
    set_order(tests, failed_before(suites), plan);
    FLAKESTAT_TRY(keep_shard(tests, plan));
    return plan;
  }

 private:
  // What pytest's cache says of the run before, by ids from the root of the run.
  static std::set<std::string> failed_before(const std::vector<const adapters::PytestSuite*>& suites) {
    std::set<std::string> failed;
    for (const auto* suite : suites) {
      for (const auto& id : store::read_last_failed(suite->hello.cachedir)) {
        failed.insert(suite->folder.empty() ? id : suite->folder + "/" + id);
      }
    }
    return failed;
  }

  void set_order(const std::vector<const RunTest*>& tests, const std::set<std::string>& failed_last,
                 adapters::PytestPlan& plan) const {
    plan.order.resize(tests.size());
    std::iota(plan.order.begin(), plan.order.end(), 0);
    if (setup_.shuffle_seed) {
      std::vector<std::string_view> ids;
      for (const auto* test : tests) ids.emplace_back(test->id);
      plan.order = dispatch::shuffled_order(ids, *setup_.shuffle_seed);
      plan.as_ordered = true;
    } else if (setup_.request.order.value_or("default") == "fail-fast") {
      std::vector<dispatch::PastTrouble> past;
      for (std::size_t i = 0; i < tests.size(); ++i) {
        past.push_back({failed_last.contains(tests[i]->id), plan.tests[i].ledger, plan.seconds[i]});
      }
      const auto order = dispatch::fail_fast_order(past);
      plan.order = order.order;
      plan.urgent.assign(tests.size(), false);
      for (std::size_t i = 0; i < order.urgent; ++i) plan.urgent[plan.order[i]] = true;
    }
  }

  // The partition is made of the whole suite, whatever order its tests have here.
  Result<void> keep_shard(const std::vector<const RunTest*>& tests, adapters::PytestPlan& plan) const {
    if (!setup_.shard) return {};
    std::vector<dispatch::ShardTest> all;
    for (const auto* test : tests) all.push_back({test->id, std::nullopt});
    const auto suite = dispatch::partition(all, setup_.shard->n).collected_hash;
    auto round = memory_.join_shard_round({setup_.shard->k, setup_.shard->n, suite});
    if (!round) return round.error();
    for (auto& test : all) {
      const auto known = round->find(test.id);
      if (known != round->end()) test.seconds = known->second.seconds;
    }
    const auto parts = dispatch::partition(all, setup_.shard->n);
    std::erase_if(plan.order, [&](std::size_t test) { return parts.shard_of[test] != setup_.shard->k; });
    shard_ = dispatch::begin_manifest(parts, all, *setup_.shard);
    shard_->run_id = setup_.provenance.run_id;
    shard_->started = setup_.world.now();
    shard_->commit = setup_.provenance.code.commit;
    const auto ci_run = setup_.provenance.detected.find("ci.run_id");
    if (ci_run != setup_.provenance.detected.end()) shard_->ci_run = ci_run->second;
    setup_.world.note("flakestat: shard " + *setup_.request.shard + ": " + std::to_string(plan.order.size()) + " of " +
                      std::to_string(tests.size()) + " tests");
    return store::write_shard(setup_.settings.dir, *shard_, setup_.world.now());
  }

  const RunSetup& setup_;
  RunMemory& memory_;
  std::optional<ShardManifest>& shard_;
};

// Outputs for machines cannot stand between pytest's own lines.
bool needs_own_output(const RunSetup& setup) {
  static const std::set<std::string> kForPeople = {"bar", "dots", "verbose"};
  return (setup.request.output || setup.request.common.format) && !kForPeople.contains(output_name(setup));
}

int workers_named(const std::string& asked) {
  if (asked.empty() || asked == "0") return 0;
  if (asked == "auto" || asked == "logical") return static_cast<int>(core_count());
  return std::clamp(std::atoi(asked.c_str()), 0, 1024);
}

int workers_for(const RunSetup& setup, const adapters::PytestCommand& command) {
  if (!adapters::needs_one_process(command.args).empty()) return 0;
  if (needs_own_output(setup) && setup.workers.value_or(0) == 0) return 1;
  if (setup.workers) return *setup.workers;
  const auto asked = adapters::asked_workers(command.args);
  return workers_named(asked);
}

// Arguments that lead to files choose what is run: then there is one project, as pytest sees it.
bool names_a_path(const std::vector<std::string>& args, const std::string& directory) {
  return std::any_of(args.begin(), args.end(), [&](const std::string& arg) {
    std::error_code ignored;
    return !arg.empty() && arg.front() != '-' &&
           fs::exists(fs::path(directory) / arg.substr(0, arg.find("::")), ignored);
  });
}

}  // namespace

bool chooses_files(const RunSetup& setup) {
  const auto command = find_pytest(setup);
  return command && *command && names_a_path((*command)->args, setup.world.directory);
}

namespace {

// The folders of several projects; empty: there is but one.
std::vector<std::string> project_folders(const RunSetup& setup, const adapters::PytestCommand& command) {
  if (!adapters::needs_one_process(command.args).empty()) return {};
  if (names_a_path(command.args, setup.world.directory)) return {};
  auto folders = env::pytest_projects(env::ProjectTree::read(setup.world.directory));
  if (folders.size() < 2) folders.clear();
  return folders;
}

adapters::PythonSearch search_in(const RunSetup& setup, const std::string& directory) {
  adapters::PythonSearch search;
  search.python = setup.request.python;
  search.directory = directory;
  search.env = setup.world.env;
  search.is_program = is_program;
  search.first_line = first_line;
  return search;
}

// The command as it is hunted may hold places for what only a hunt fills in.
std::vector<std::string> without_placeholders(const std::vector<std::string>& command) {
  std::vector<std::string> kept;
  for (const auto& word : command) {
    const bool filled = word.find("{junit}") != std::string::npos || word.find("{run}") != std::string::npos ||
                        word.find(run::kTestsPlaceholder) != std::string::npos;
    if (!filled) kept.push_back(word);
    else if (!kept.empty() && (kept.back() == "--junitxml" || kept.back() == "--junit-xml")) kept.pop_back();
  }
  return kept;
}

Result<std::optional<adapters::PytestCommand>> recognise(const RunSetup& setup, const std::string& directory) {
  return adapters::recognise_pytest(without_placeholders(setup.command), search_in(setup, directory));
}

// Workers by what each project is expected to take; each has one at least.
std::vector<int> shares(const RunMemory& memory, const std::vector<std::string>& folders, int workers) {
  std::vector<double> expected;
  for (const auto& folder : folders) expected.push_back(memory.seconds_below(folder + "/"));
  const double all = std::accumulate(expected.begin(), expected.end(), 0.0);
  std::vector<int> shares(folders.size(), 1);
  int left = workers - static_cast<int>(folders.size());
  for (; left > 0; --left) {
    // To the one that has the most to do for each of its workers.
    std::size_t neediest = 0;
    const auto need = [&](std::size_t i) { return (all > 0 ? expected[i] : 1.0) / shares[i]; };
    for (std::size_t i = 1; i < folders.size(); ++i) {
      if (need(i) > need(neediest)) neediest = i;
    }
    ++shares[neediest];
  }
  return shares;
}

void add_flags(const RunSetup& setup, adapters::PytestCommand& command) {
  if (setup.request.last_failed) command.args.emplace_back("--lf");
  if (setup.request.failed_first) command.args.emplace_back("--ff");
}

Result<void> add_projects(const RunSetup& setup, const RunMemory& memory, const adapters::PytestCommand& command,
                          int workers, const std::string& base, adapters::PytestRunOptions& options) {
  const auto folders = project_folders(setup, command);
  if (folders.empty()) {
    adapters::PytestProject project{command, setup.world.directory, "", workers, base};
    add_flags(setup, project.command);
    options.projects.push_back(std::move(project));
    return {};
  }
  const auto share = shares(memory, folders, workers);
  setup.world.note("flakestat: " + std::to_string(folders.size()) + " pytest projects run together");
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const auto directory = setup.world.directory + "/" + folders[i];
    auto own = recognise(setup, directory);
    if (!own) return own.error().with(folders[i]);
    adapters::PytestProject project{**own, directory, folders[i], share[i],
                                    base.empty() ? "" : base + "/" + std::to_string(i)};
    add_flags(setup, project.command);
    options.projects.push_back(std::move(project));
  }
  return {};
}

Result<adapters::PytestRunOptions> options_for(const RunSetup& setup, const RunMemory& memory,
                                               const adapters::PytestCommand& command, int workers,
                                               const std::string& base) {
  adapters::PytestRunOptions options;
  options.command = setup.command;
  options.dist = setup.dist;
  options.adopts_dist = !setup.request.dist;
  options.shared.run_id = setup.provenance.run_id;
  options.shared.seed = std::random_device{}();
  options.shared.worker_timeout = setup.worker_timeout;
  options.shared.each = setup.dist == dispatch::Dist::each && workers > 0;
  FLAKESTAT_TRY(add_projects(setup, memory, command, workers, base, options));
  return options;
}

}  // namespace

Result<std::optional<adapters::PytestCommand>> find_pytest(const RunSetup& setup) {
  return recognise(setup, setup.world.directory);
}

Result<AdapterResult> run_pytest(const RunSetup& setup, const adapters::PytestCommand& command, RunMemory& memory,
                                 const RunHost& host) {
  auto workers = workers_for(setup, command);
  for (bool first = true;; first = false) {
    const auto scratch = workers > 0 ? new_basetemp(setup.world, setup.provenance.run_id) : std::nullopt;
    auto options = options_for(setup, memory, command, workers, scratch ? scratch->path() : "");
    if (!options) return options.error();
    for (auto& project : options->projects) project.adopts_workers = first && workers == 0 && !setup.workers;
    const auto projects = options->projects;
    adapters::PytestRun run(*std::move(options), host.clock, host.interrupts, host.sink);
    std::optional<ShardManifest> shard;
    auto outcome = run.run(Planner(setup, memory, shard), host.tick);
    if (!outcome) return outcome.error();
    if (workers == 0 && workers_named(outcome->wants_workers) > 0) {
      workers = workers_named(outcome->wants_workers);
      setup.world.note("flakestat: " + std::to_string(workers) + " workers, as pytest's configuration says");
      continue;
    }
    if (!outcome->needs_one_process.empty() && workers > 0) {
      setup.world.note("flakestat: one process, because of " + outcome->needs_one_process);
      workers = 0;
      continue;
    }
    std::vector<std::string> folders;
    for (const auto& project : projects) folders.push_back(project.folder);
    for (std::size_t i = 0; i < projects.size(); ++i) {
      if (projects[i].workers == 0) continue;  // pytest has done so itself
      if (auto saved = memory.save_pytest_cache(outcome->hellos[i].cachedir, projects[i].folder); !saved) {
        setup.world.warn("flakestat: pytest's cache: " + saved.error().message);
      }
    }
    return AdapterResult{std::move(outcome->finished), std::move(shard), std::move(folders)};
  }
}

}  // namespace flakestat::app
