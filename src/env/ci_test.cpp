#include "env/ci.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "testing/temp_dir.hpp"

namespace flakestat::env {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using Variables = std::map<std::string, std::string, std::less<>>;

EnvLookup lookup(Variables variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

CiRun detect(const Variables& variables) { return detect_ci(lookup(variables)).value(); }

TEST(Ci, NoKnownVariableIsNoCi) {
  EXPECT_FALSE(detect_ci(lookup({})));
  EXPECT_FALSE(
      detect_ci(lookup({{"CI", "true"}, {"BUILD_ID", "7"}, {"GITHUB_ACTIONS", "false"}, {"JENKINS_URL", ""}})));
}

TEST(Ci, AsksForWhitelistedVariablesOnly) {
  std::set<std::string, std::less<>> asked;
  EXPECT_FALSE(detect_ci([&](std::string_view name) {
    asked.emplace(name);
    return std::optional<std::string>();
  }));
  EXPECT_THAT(asked,
              UnorderedElementsAre("GITHUB_ACTIONS", "GITLAB_CI", "CIRCLECI", "BUILDKITE", "JENKINS_URL", "TF_BUILD",
                                   "BITBUCKET_BUILD_NUMBER", "TEAMCITY_VERSION", "TRAVIS", "CI", "DRONE", "APPVEYOR"));
}

TEST(Ci, ValueIsComparedWithoutLetterCaseAndTrimmed) {
  EXPECT_EQ(detect({{"GITHUB_ACTIONS", " TRUE\n"}, {"GITHUB_RUN_ID", " 7 "}}).dimensions.at("ci.run_id"), "7");
}

TEST(Ci, Github) {
  const auto run = detect({{"GITHUB_ACTIONS", "true"},
                           {"GITHUB_RUN_ID", "901"},
                           {"GITHUB_RUN_NUMBER", "41"},
                           {"GITHUB_JOB", "test"},
                           {"GITHUB_RUN_ATTEMPT", "2"},
                           {"GITHUB_REF", "refs/heads/main"},
                           {"GITHUB_REF_NAME", "main"},
                           {"GITHUB_HEAD_REF", ""},
                           {"GITHUB_SHA", "abc"}});
  EXPECT_THAT(run.dimensions,
              UnorderedElementsAre(Pair("ci.provider", "github"), Pair("ci.run_id", "901"), Pair("ci.run_number", "41"),
                                   Pair("ci.job_id", "test"), Pair("ci.attempt", "2")));
  EXPECT_EQ(run.branch, "main");
  EXPECT_EQ(run.commit, "abc");
}

TEST(Ci, TheStepSummaryIsGithubsOnly) {
  EXPECT_EQ(step_summary_file(lookup({{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", " /run/s.md "}})),
            "/run/s.md");
  EXPECT_EQ(step_summary_file(lookup({{"GITHUB_ACTIONS", "true"}})), "");
  EXPECT_EQ(step_summary_file(lookup({{"GITHUB_STEP_SUMMARY", "/run/s.md"}})), "");
}

TEST(Ci, GithubPullRequestIsItsHeadRef) {
  const Variables pull = {{"GITHUB_ACTIONS", "true"},
                          {"GITHUB_HEAD_REF", "fix/x"},
                          {"GITHUB_REF_NAME", "12/merge"},
                          {"GITHUB_REF", "refs/pull/12/merge"}};
  EXPECT_EQ(detect(pull).branch, "fix/x");
}

TEST(Ci, GithubTagIsNoBranch) {
  EXPECT_EQ(detect({{"GITHUB_ACTIONS", "true"},
                    {"GITHUB_REF_NAME", "v1"},
                    {"GITHUB_REF", "refs/tags/v1"},
                    {"GITHUB_REF_TYPE", "tag"}})
                .branch,
            "");
  EXPECT_EQ(detect({{"GITHUB_ACTIONS", "true"}, {"GITHUB_REF_NAME", "main"}}).branch, "main");
  EXPECT_EQ(detect({{"GITHUB_ACTIONS", "true"}, {"GITHUB_REF", "refs/heads/a/b"}}).branch, "a/b");
}

TEST(Ci, Gitlab) {
  const auto run = detect({{"GITLAB_CI", "true"},
                           {"CI_PIPELINE_ID", "5001"},
                           {"CI_PIPELINE_IID", "33"},
                           {"CI_JOB_ID", "9"},
                           {"CI_NODE_INDEX", "3"},
                           {"CI_COMMIT_REF_NAME", "topic"},
                           {"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "topic"},
                           {"CI_COMMIT_SHA", "def"},
                           {"CI_DEFAULT_BRANCH", "trunk"}});
  EXPECT_THAT(run.dimensions,
              UnorderedElementsAre(Pair("ci.provider", "gitlab"), Pair("ci.run_id", "5001"),
                                   Pair("ci.run_number", "33"), Pair("ci.job_id", "9"), Pair("ci.shard", "3")));
  EXPECT_EQ(run.branch, "topic");
  EXPECT_EQ(run.commit, "def");
  EXPECT_EQ(run.default_branch, "trunk");
}

TEST(Ci, GitlabTagIsNoBranch) {
  EXPECT_EQ(detect({{"GITLAB_CI", "true"}, {"CI_COMMIT_REF_NAME", "v1"}, {"CI_COMMIT_TAG", "v1"}}).branch, "");
}

TEST(Ci, CircleciHasNoRunNumber) {
  const auto run = detect({{"CIRCLECI", "true"},
                           {"CIRCLE_WORKFLOW_ID", "w"},
                           {"CIRCLE_JOB", "test"},
                           {"CIRCLE_NODE_INDEX", "0"},
                           {"CIRCLE_BUILD_NUM", "812"},
                           {"CIRCLE_BRANCH", "main"}});
  EXPECT_THAT(run.dimensions, UnorderedElementsAre(Pair("ci.provider", "circleci"), Pair("ci.run_id", "w"),
                                                   Pair("ci.job_id", "test"), Pair("ci.shard", "0")));
  EXPECT_EQ(run.branch, "main");
}

TEST(Ci, Buildkite) {
  const auto run = detect({{"BUILDKITE", "true"},
                           {"BUILDKITE_BUILD_ID", "u"},
                           {"BUILDKITE_BUILD_NUMBER", "77"},
                           {"BUILDKITE_JOB_ID", "j"},
                           {"BUILDKITE_PARALLEL_JOB", "1"},
                           {"BUILDKITE_RETRY_COUNT", "2"},
                           {"BUILDKITE_BRANCH", "x"},
                           {"BUILDKITE_COMMIT", "HEAD"},
                           {"BUILDKITE_PIPELINE_DEFAULT_BRANCH", "main"}});
  EXPECT_THAT(run.dimensions, UnorderedElementsAre(Pair("ci.provider", "buildkite"), Pair("ci.run_id", "u"),
                                                   Pair("ci.run_number", "77"), Pair("ci.job_id", "j"),
                                                   Pair("ci.shard", "1"), Pair("ci.attempt", "2")));
  EXPECT_EQ(run.branch, "x");
  EXPECT_EQ(run.commit, "") << "a name that moves is no commit";
  EXPECT_EQ(run.default_branch, "main");
}

TEST(Ci, Jenkins) {
  const auto run = detect({{"JENKINS_URL", "https://ci/"},
                           {"BUILD_ID", "17"},
                           {"BUILD_NUMBER", "17"},
                           {"JOB_NAME", "app/main"},
                           {"GIT_BRANCH", "origin/main"},
                           {"GIT_COMMIT", "abc"}});
  EXPECT_THAT(run.dimensions, UnorderedElementsAre(Pair("ci.provider", "jenkins"), Pair("ci.run_id", "17"),
                                                   Pair("ci.run_number", "17"), Pair("ci.job_id", "app/main")));
  EXPECT_EQ(run.branch, "main");
  EXPECT_EQ(detect({{"JENKINS_URL", "x"}, {"CHANGE_BRANCH", "fix"}, {"BRANCH_NAME", "PR-4"}}).branch, "fix");
}

TEST(Ci, Azure) {
  const auto run = detect({{"TF_BUILD", "True"},
                           {"BUILD_BUILDID", "55"},
                           {"AGENT_JOBNAME", "Linux"},
                           {"SYSTEM_JOBATTEMPT", "1"},
                           {"BUILD_SOURCEBRANCH", "refs/heads/rel/1"},
                           {"BUILD_SOURCEVERSION", "abc"}});
  EXPECT_THAT(run.dimensions,
              UnorderedElementsAre(Pair("ci.provider", "azure"), Pair("ci.run_id", "55"), Pair("ci.run_number", "55"),
                                   Pair("ci.job_id", "Linux"), Pair("ci.attempt", "1")));
  EXPECT_EQ(run.branch, "rel/1");
  EXPECT_EQ(detect({{"TF_BUILD", "True"}, {"BUILD_SOURCEBRANCH", "refs/tags/v1"}}).branch, "");
  EXPECT_EQ(detect({{"TF_BUILD", "True"},
                    {"BUILD_SOURCEBRANCH", "refs/pull/3/merge"},
                    {"SYSTEM_PULLREQUEST_SOURCEBRANCH", "refs/heads/fix"}})
                .branch,
            "fix");
}

TEST(Ci, Bitbucket) {
  const auto run = detect({{"BITBUCKET_BUILD_NUMBER", "12"},
                           {"BITBUCKET_PIPELINE_UUID", "{p}"},
                           {"BITBUCKET_STEP_UUID", "{s}"},
                           {"BITBUCKET_STEP_RUN_NUMBER", "2"},
                           {"BITBUCKET_PARALLEL_STEP", "1"},
                           {"BITBUCKET_BRANCH", "b"},
                           {"BITBUCKET_COMMIT", "abc"}});
  EXPECT_THAT(run.dimensions, UnorderedElementsAre(Pair("ci.provider", "bitbucket"), Pair("ci.run_id", "{p}"),
                                                   Pair("ci.run_number", "12"), Pair("ci.job_id", "{s}"),
                                                   Pair("ci.attempt", "2"), Pair("ci.shard", "1")));
  EXPECT_EQ(run.branch, "b");
}

TEST(Ci, TeamcityBuildNumberCountsOnlyWhenItIsANumber) {
  EXPECT_THAT(detect({{"TEAMCITY_VERSION", "2025.1"}, {"BUILD_NUMBER", "1.4.17"}}).dimensions,
              Not(Contains(Pair("ci.run_number", "1.4.17"))));
  EXPECT_THAT(detect({{"TEAMCITY_VERSION", "2025.1"}, {"BUILD_NUMBER", "17"}}).dimensions,
              Contains(Pair("ci.run_number", "17")));
}

TEST(Ci, Travis) {
  const auto run = detect({{"TRAVIS", "true"},
                           {"TRAVIS_BUILD_ID", "1"},
                           {"TRAVIS_BUILD_NUMBER", "2"},
                           {"TRAVIS_JOB_ID", "3"},
                           {"TRAVIS_BRANCH", "main"},
                           {"TRAVIS_PULL_REQUEST_BRANCH", "fix"},
                           {"TRAVIS_COMMIT", "abc"}});
  EXPECT_EQ(run.branch, "fix");
  EXPECT_THAT(run.dimensions,
              IsSupersetOf({Pair("ci.run_id", "1"), Pair("ci.run_number", "2"), Pair("ci.job_id", "3")}));
}

TEST(Ci, WoodpeckerIsNotDrone) {
  const auto run = detect({{"CI", "woodpecker"},
                           {"DRONE", "true"},
                           {"CI_PIPELINE_NUMBER", "8"},
                           {"CI_WORKFLOW_NAME", "test"},
                           {"CI_COMMIT_SOURCE_BRANCH", "fix"},
                           {"CI_COMMIT_BRANCH", "main"},
                           {"CI_REPO_DEFAULT_BRANCH", "main"}});
  EXPECT_EQ(run.dimensions.at("ci.provider"), "woodpecker");
  EXPECT_EQ(run.dimensions.at("ci.run_number"), "8");
  EXPECT_EQ(run.branch, "fix");
  EXPECT_EQ(run.default_branch, "main");
}

TEST(Ci, Drone) {
  const auto run = detect({{"CI", "true"},
                           {"DRONE", "true"},
                           {"DRONE_BUILD_NUMBER", "8"},
                           {"DRONE_STAGE_NAME", "s"},
                           {"DRONE_SOURCE_BRANCH", "fix"},
                           {"DRONE_BRANCH", "main"},
                           {"DRONE_REPO_BRANCH", "main"}});
  EXPECT_EQ(run.dimensions.at("ci.provider"), "drone");
  EXPECT_EQ(run.branch, "fix");
}

TEST(Ci, Appveyor) {
  const auto run = detect({{"APPVEYOR", "True"},
                           {"APPVEYOR_BUILD_ID", "1"},
                           {"APPVEYOR_BUILD_NUMBER", "2"},
                           {"APPVEYOR_JOB_ID", "j"},
                           {"APPVEYOR_REPO_BRANCH", "main"}});
  EXPECT_THAT(run.dimensions,
              IsSupersetOf({Pair("ci.run_id", "1"), Pair("ci.run_number", "2"), Pair("ci.job_id", "j")}));
  EXPECT_EQ(run.branch, "main");
}

// --- GitHub's event file --------------------------------------------------------------------------------------------

TEST(CiEvent, GivesTheDefaultBranch) {
  CiRun run;
  apply_github_event(R"({"repository":{"default_branch":"develop"}})", run);
  EXPECT_EQ(run.default_branch, "develop");
}

TEST(CiEvent, OddEventsAreIgnored) {
  for (const auto* json : {"", "{", "[]", "null", R"({"repository":[]})", R"({"repository":{"default_branch":7}})",
                           R"({"pull_request":{"head":{"repo":null}}})"}) {
    CiRun run;
    apply_github_event(json, run);
    EXPECT_EQ(run.default_branch, "") << json;
    EXPECT_FALSE(run.from_fork) << json;
  }
}

class CiEventFile : public ::testing::Test {
 protected:
  Variables variables(const std::string& json) {
    return {
        {"GITHUB_ACTIONS", "true"}, {"GITHUB_HEAD_REF", "main"}, {"GITHUB_EVENT_PATH", dir_.write("event.json", json)}};
  }
  testing::TempDir dir_;
};

TEST_F(CiEventFile, ForksMainIsNotOurMain) {
  const auto run = read_ci(lookup(variables(
      R"({"repository":{"default_branch":"main"},"pull_request":{"head":{"repo":{"full_name":"eve/app"}},
          "base":{"repo":{"full_name":"org/app"}}}})")));
  EXPECT_EQ(run->branch, "fork:main");
}

TEST_F(CiEventFile, OwnBranchKeepsItsName) {
  const auto run = read_ci(lookup(variables(
      R"({"repository":{"default_branch":"main"},"pull_request":{"head":{"repo":{"full_name":"org/app"}},
          "base":{"repo":{"full_name":"org/app"}}}})")));
  EXPECT_EQ(run->branch, "main");
  EXPECT_EQ(run->default_branch, "main");
}

TEST_F(CiEventFile, MissingFileIsNoError) {
  auto all = variables("{}");
  all["GITHUB_EVENT_PATH"] = dir_.file("nowhere.json");
  EXPECT_EQ(read_ci(lookup(all))->branch, "main");
}

TEST(Ci, ForksOfOtherProviders) {
  EXPECT_EQ(read_ci(lookup({{"GITLAB_CI", "true"},
                            {"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "main"},
                            {"CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "2"},
                            {"CI_MERGE_REQUEST_PROJECT_ID", "1"},
                            {"CI_DEFAULT_BRANCH", "main"}}))
                ->branch,
            "fork:main");
}

}  // namespace
}  // namespace flakestat::env
