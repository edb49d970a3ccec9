#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stats/history_fixture.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

// What a visitor sees, as text: `run_id@branch/environment: test=outcome ...`.
class Recorder final : public JobVisitor {
 public:
  std::vector<std::string> jobs;

  void enter(const JobView& job) override {
    jobs.push_back(std::string(job.run_id) + "@" + std::string(job.branch) + "/" + std::string(job.environment) + ":");
    code = job.code_number;
    shard = job.ci_shard;
    ci_run = job.ci_run;
    started = job.started;
  }

  void execution(const ExecutionView& execution) override {
    jobs.back() += " " + std::to_string(execution.test) + "=";
    jobs.back() += execution.sanitised ? "N" : execution.skipped ? "S" : execution.failed ? "F" : "P";
  }

  std::uint32_t code = 0;
  std::string shard;
  std::string ci_run;
  UnixMillis started = 0;
};

Recorder walk(const std::vector<Observation>& lines) {
  History history;
  for (const auto& line : lines) history.add(line);
  Recorder recorder;
  history.walk(example_options(), recorder);
  return recorder;
}

LogBook sample() {
  LogBook log;
  Place at;
  at.run_id = "r1";
  log.add(at, "a", 'P');
  log.add(at, "a", 'F').attempt = 1;
  log.add(at, "b", 'S').sanitised_assumption = "network";
  at.commit = "c2";
  at.branch = "topic";
  at.run_id = "r2";
  at.ts += kHour;
  at.dimensions = {{"ci.run_id", "77"}, {"ci.shard", "3"}};
  log.add(at, "b", 'P');
  return log;
}

TEST(HistoryWalk, ShowsJobsInFoldOrderAndTheirExecutionsByTest) {
  const auto seen = walk(sample().lines);
  ASSERT_EQ(seen.jobs.size(), 2U);
  const bool a_first = test_id("suite", "Class", "a") < test_id("suite", "Class", "b");
  EXPECT_EQ(seen.jobs[0], std::string("r1@main/os=linux\n:") + (a_first ? " 0=P 0=F 1=N" : " 0=N 1=P 1=F"));
  EXPECT_EQ(seen.jobs[1], std::string("r2@topic/os=linux\n:") + (a_first ? " 1=P" : " 0=P"));
  EXPECT_EQ(seen.code, 1U);
  EXPECT_EQ(seen.ci_run, "77");
  EXPECT_EQ(seen.shard, "3");
  EXPECT_EQ(seen.started, kNoon + kHour);
}

TEST(HistoryWalk, OrderAndDuplicatesOfTheLogDoNotMatter) {
  const auto expected = walk(sample().lines).jobs;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto lines = shuffled(sample().lines, seed);
    lines.push_back(lines.front());
    EXPECT_EQ(walk(lines).jobs, expected) << seed;
  }
}

TEST(HistoryWalk, AnEmptyHistoryShowsNothing) { EXPECT_TRUE(walk({}).jobs.empty()); }

}  // namespace
}  // namespace flakestat::stats
