#include "env/ci.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/strings.hpp"
#include "sys/file.hpp"

namespace flakestat::env {
namespace {

using Names = std::array<std::string_view, 3>;  // the first that is set counts; unused ones are empty

struct Provider {
  std::string_view name;
  std::string_view detect;
  std::string_view value;  // that `detect` must have, in any letter case; empty: any but the empty one
  Names run_id;
  Names run_number;  // only where it grows with every run of the project (or of the branch's job)
  Names job_id;
  Names attempt;
  Names shard;
  Names branch;
  Names commit;
  Names default_branch;
  std::string_view tag;  // set: the run is for a tag and what is in the branch variables is no branch
};

// Woodpecker comes before Drone, whose variables it once set as well.
constexpr std::array<Provider, 12> kProviders = {{
    {.name = "github",
     .detect = "GITHUB_ACTIONS",
     .value = "true",
     .run_id = {"GITHUB_RUN_ID"},
     .run_number = {"GITHUB_RUN_NUMBER"},
     .job_id = {"GITHUB_JOB"},
     .attempt = {"GITHUB_RUN_ATTEMPT"},
     .shard = {},
     .branch = {"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "GITHUB_REF"},
     .commit = {"GITHUB_SHA"},
     .default_branch = {},
     .tag = {}},
    {.name = "gitlab",
     .detect = "GITLAB_CI",
     .value = "true",
     .run_id = {"CI_PIPELINE_ID"},
     .run_number = {"CI_PIPELINE_IID"},
     .job_id = {"CI_JOB_ID"},
     .attempt = {},
     .shard = {"CI_NODE_INDEX"},
     .branch = {"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH", "CI_COMMIT_REF_NAME"},
     .commit = {"CI_COMMIT_SHA"},
     .default_branch = {"CI_DEFAULT_BRANCH"},
     .tag = "CI_COMMIT_TAG"},
    {.name = "circleci",
     .detect = "CIRCLECI",
     .value = "true",
     .run_id = {"CIRCLE_WORKFLOW_ID"},
     .run_number = {},
     .job_id = {"CIRCLE_JOB"},
     .attempt = {},
     .shard = {"CIRCLE_NODE_INDEX"},
     .branch = {"CIRCLE_BRANCH"},
     .commit = {"CIRCLE_SHA1"},
     .default_branch = {},
     .tag = "CIRCLE_TAG"},
    {.name = "buildkite",
     .detect = "BUILDKITE",
     .value = "true",
     .run_id = {"BUILDKITE_BUILD_ID"},
     .run_number = {"BUILDKITE_BUILD_NUMBER"},
     .job_id = {"BUILDKITE_JOB_ID"},
     .attempt = {"BUILDKITE_RETRY_COUNT"},
     .shard = {"BUILDKITE_PARALLEL_JOB"},
     .branch = {"BUILDKITE_BRANCH"},
     .commit = {"BUILDKITE_COMMIT"},
     .default_branch = {"BUILDKITE_PIPELINE_DEFAULT_BRANCH"},
     .tag = "BUILDKITE_TAG"},
    {.name = "jenkins",
     .detect = "JENKINS_URL",
     .value = {},
     .run_id = {"BUILD_ID"},
     .run_number = {"BUILD_NUMBER"},
     .job_id = {"JOB_NAME"},
     .attempt = {},
     .shard = {},
     .branch = {"CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH"},
     .commit = {"GIT_COMMIT"},
     .default_branch = {},
     .tag = "TAG_NAME"},
    {.name = "azure",
     .detect = "TF_BUILD",
     .value = "true",
     .run_id = {"BUILD_BUILDID"},
     .run_number = {"BUILD_BUILDID"},
     .job_id = {"AGENT_JOBNAME"},
     .attempt = {"SYSTEM_JOBATTEMPT"},
     .shard = {},
     .branch = {"SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH"},
     .commit = {"BUILD_SOURCEVERSION"},
     .default_branch = {},
     .tag = {}},
    {.name = "bitbucket",
     .detect = "BITBUCKET_BUILD_NUMBER",
     .value = {},
     .run_id = {"BITBUCKET_PIPELINE_UUID", "BITBUCKET_BUILD_NUMBER"},
     .run_number = {"BITBUCKET_BUILD_NUMBER"},
     .job_id = {"BITBUCKET_STEP_UUID"},
     .attempt = {"BITBUCKET_STEP_RUN_NUMBER"},
     .shard = {"BITBUCKET_PARALLEL_STEP"},
     .branch = {"BITBUCKET_BRANCH"},
     .commit = {"BITBUCKET_COMMIT"},
     .default_branch = {},
     .tag = "BITBUCKET_TAG"},
    {.name = "teamcity",
     .detect = "TEAMCITY_VERSION",
     .value = {},
     .run_id = {"BUILD_NUMBER"},
     .run_number = {"BUILD_NUMBER"},
     .job_id = {"TEAMCITY_BUILDCONF_NAME"},
     .attempt = {},
     .shard = {},
     .branch = {},
     .commit = {"BUILD_VCS_NUMBER"},
     .default_branch = {},
     .tag = {}},
    {.name = "travis",
     .detect = "TRAVIS",
     .value = "true",
     .run_id = {"TRAVIS_BUILD_ID"},
     .run_number = {"TRAVIS_BUILD_NUMBER"},
     .job_id = {"TRAVIS_JOB_ID"},
     .attempt = {},
     .shard = {},
     .branch = {"TRAVIS_PULL_REQUEST_BRANCH", "TRAVIS_BRANCH"},
     .commit = {"TRAVIS_COMMIT"},
     .default_branch = {},
     .tag = "TRAVIS_TAG"},
    {.name = "woodpecker",
     .detect = "CI",
     .value = "woodpecker",
     .run_id = {"CI_PIPELINE_NUMBER"},
     .run_number = {"CI_PIPELINE_NUMBER"},
     .job_id = {"CI_WORKFLOW_NAME"},
     .attempt = {},
     .shard = {},
     .branch = {"CI_COMMIT_SOURCE_BRANCH", "CI_COMMIT_BRANCH"},
     .commit = {"CI_COMMIT_SHA"},
     .default_branch = {"CI_REPO_DEFAULT_BRANCH"},
     .tag = "CI_COMMIT_TAG"},
    {.name = "drone",
     .detect = "DRONE",
     .value = "true",
     .run_id = {"DRONE_BUILD_NUMBER"},
     .run_number = {"DRONE_BUILD_NUMBER"},
     .job_id = {"DRONE_STAGE_NAME"},
     .attempt = {},
     .shard = {},
     .branch = {"DRONE_SOURCE_BRANCH", "DRONE_BRANCH"},
     .commit = {"DRONE_COMMIT_SHA", "DRONE_COMMIT"},
     .default_branch = {"DRONE_REPO_BRANCH"},
     .tag = "DRONE_TAG"},
    {.name = "appveyor",
     .detect = "APPVEYOR",
     .value = "true",
     .run_id = {"APPVEYOR_BUILD_ID"},
     .run_number = {"APPVEYOR_BUILD_NUMBER"},
     .job_id = {"APPVEYOR_JOB_ID"},
     .attempt = {},
     .shard = {},
     .branch = {"APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH", "APPVEYOR_REPO_BRANCH"},
     .commit = {"APPVEYOR_REPO_COMMIT"},
     .default_branch = {},
     .tag = "APPVEYOR_REPO_TAG_NAME"},
}};

std::string value_of(const EnvLookup& variable, std::string_view name) {
  return name.empty() ? std::string() : std::string(trim(variable(name).value_or("")));
}

std::string first_value(const EnvLookup& variable, const Names& names) {
  for (const auto name : names) {
    if (auto value = value_of(variable, name); !value.empty()) return value;
  }
  return {};
}

bool matches(const Provider& provider, const EnvLookup& variable) {
  const auto value = value_of(variable, provider.detect);
  return provider.value.empty() ? !value.empty() : equals_ignoring_case(value, provider.value);
}

bool take_prefix(std::string& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.erase(0, prefix.size());
  return true;
}

// A ref in full becomes a branch's name; a tag's or a pull request's own ref is no branch.
std::string branch_of_ref(std::string ref) {
  if (take_prefix(ref, "refs/heads/")) return ref;
  if (ref.starts_with("refs/")) return {};
  return ref;
}

std::string branch_of(const Provider& provider, const EnvLookup& variable) {
  if (!value_of(variable, provider.tag).empty()) return {};
  // On GitHub GITHUB_REF_NAME is a tag's name for a tag and `12/merge` for a pull request.
  const bool github_branch = value_of(variable, "GITHUB_REF").starts_with("refs/heads/") ||
                             value_of(variable, "GITHUB_REF_TYPE") == "branch" ||
                             value_of(variable, "GITHUB_REF").empty();
  if (provider.name == "github" && !github_branch) return value_of(variable, "GITHUB_HEAD_REF");
  auto branch = branch_of_ref(first_value(variable, provider.branch));
  if (provider.name == "jenkins") take_prefix(branch, "origin/");
  return branch;
}

// A symbolic name or a number of another version control system's says nothing here.
std::string commit_of(const Provider& provider, const EnvLookup& variable) {
  auto commit = first_value(variable, provider.commit);
  return commit == "HEAD" || commit.find_first_of(" \t\r\n") != std::string::npos ? std::string() : commit;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool forked(const Provider& provider, const EnvLookup& variable) {
  const auto differ = [&](std::string_view head, std::string_view base) {
    const auto from = value_of(variable, head);
    return !from.empty() && from != value_of(variable, base);
  };
  if (provider.name == "gitlab") return differ("CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "CI_MERGE_REQUEST_PROJECT_ID");
  if (provider.name == "travis") return differ("TRAVIS_PULL_REQUEST_SLUG", "TRAVIS_REPO_SLUG");
  if (provider.name == "appveyor") return differ("APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME", "APPVEYOR_REPO_NAME");
  if (provider.name == "jenkins") return !value_of(variable, "CHANGE_FORK").empty();
  if (provider.name == "azure") return equals_ignoring_case(value_of(variable, "SYSTEM_PULLREQUEST_ISFORK"), "true");
  return false;
}

Dimensions dimensions_of(const Provider& provider, const EnvLookup& variable) {
  Dimensions out;
  const auto set = [&](std::string_view key, std::string value) {
    if (!value.empty()) out.emplace(key, std::move(value));
  };
  set(dim::kCiProvider, std::string(provider.name));
  set(dim::kCiRunId, first_value(variable, provider.run_id));
  if (auto number = first_value(variable, provider.run_number); is_number(number)) set(dim::kCiRunNumber, number);
  set(dim::kCiJobId, first_value(variable, provider.job_id));
  set(dim::kCiAttempt, first_value(variable, provider.attempt));
  set(dim::kCiShard, first_value(variable, provider.shard));
  return out;
}

std::string string_at(const simdjson::dom::element& root, std::string_view pointer) {
  std::string_view text;
  if (root.at_pointer(pointer).get(text) != simdjson::SUCCESS) return {};
  return std::string(trim(text));
}

}  // namespace

std::optional<std::string> process_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<CiRun> detect_ci(const EnvLookup& variable) {
  const auto provider =
      std::find_if(kProviders.begin(), kProviders.end(), [&](const Provider& p) { return matches(p, variable); });
  if (provider == kProviders.end()) return std::nullopt;
  CiRun run;
  run.dimensions = dimensions_of(*provider, variable);
  run.branch = branch_of(*provider, variable);
  run.commit = commit_of(*provider, variable);
  run.default_branch = first_value(variable, provider->default_branch);
  run.from_fork = forked(*provider, variable);
  if (provider->name == "github") run.event_file = value_of(variable, "GITHUB_EVENT_PATH");
  return run;
}

void apply_github_event(std::string_view json, CiRun& run) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return;
  if (auto branch = string_at(root, "/repository/default_branch"); !branch.empty()) run.default_branch = branch;
  const auto head = string_at(root, "/pull_request/head/repo/full_name");
  const auto base = string_at(root, "/pull_request/base/repo/full_name");
  if (!head.empty() && !base.empty()) run.from_fork = head != base;
}

std::optional<CiRun> read_ci(const EnvLookup& variable) {
  static constexpr std::size_t kMostEventBytes = std::size_t{32} << 20;
  auto run = detect_ci(variable);
  if (!run) return run;
  if (!run->event_file.empty()) {
    if (const auto json = sys::read_file(run->event_file, kMostEventBytes)) apply_github_event(*json, *run);
  }
  if (run->from_fork && !run->branch.empty() && run->branch == run->default_branch) run->branch.insert(0, "fork:");
  return run;
}

std::string step_summary_file(const EnvLookup& variable) {
  if (!equals_ignoring_case(value_of(variable, "GITHUB_ACTIONS"), "true")) return {};
  return value_of(variable, "GITHUB_STEP_SUMMARY");
}

}  // namespace flakestat::env
