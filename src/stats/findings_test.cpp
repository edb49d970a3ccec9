#include "stats/findings.hpp"

#include <gtest/gtest.h>

#include "stats/history_fixture.hpp"
#include "stats/test_details.hpp"

namespace flakestat::stats {
namespace {

using namespace fixture;

struct Found {
  TestScore score;
  Trace trace;
  Findings findings;
};

Found found_in(const LogBook& log, const std::string& name = "t") {
  History history;
  for (const auto& line : log.lines) feed(history, line);
  const auto options = example_options();
  const auto scores = history.score(options);
  Found out;
  out.score = of(scores, name);
  out.trace = history.trace(out.score.test_id, options, scores.outages);
  out.findings = find(out.trace, out.score);
  return out;
}

TEST(Findings, CleanSinceTheNewestFailure) {
  LogBook log;
  log.add_commits("t", "PPFPSPP");
  const auto& clean = found_in(log).findings.clean;
  EXPECT_EQ(clean.runs, 3U);
  EXPECT_EQ(clean.code, "commit1003");
}

TEST(Findings, ADiscountedFailureDoesNotEndACleanStretchOthersDo) {
  LogBook log;
  log.add_commits("t", "PPFPP");
  log.lines[2].contended = true;
  EXPECT_EQ(found_in(log).findings.clean.runs, 4U);
  EXPECT_EQ(found_in(log).findings.failures_under_contention, 1U);
  log.lines[2].contended = false;
  log.lines[2].isolation = "fs,tmp";
  EXPECT_EQ(found_in(log).findings.clean.runs, 2U) << "no proof, but a failure";
}

TEST(Findings, FailingNowLooksAtTheDefaultBranch) {
  LogBook log;
  log.add_commits("t", "PPFFF");
  Place topic;
  topic.branch = "topic";
  topic.commit = "t1";
  topic.ts += 100 * kHour;
  log.add(topic, "t", 'P');
  const auto found = found_in(log).findings;
  EXPECT_EQ(found.failing.runs, 3U);
  EXPECT_EQ(found.failing.code, "commit1002");
  ASSERT_TRUE(found.last_pass.has_value());
  EXPECT_EQ(found.last_pass->code, "commit1001");
  EXPECT_EQ(found.last_pass->runs, 2U);
  EXPECT_EQ(found.codes_failing_now, 3U);
  EXPECT_EQ(found.failures_elsewhere, 0U);
}

TEST(Findings, AContextThatFailsBesideOneThatPassesIsNotFailingAltogether) {
  LogBook log;
  Place at;
  for (int i = 0; i < 4; ++i) {
    at.commit = "c" + std::to_string(i);
    at.ts += kHour;
    at.os = "linux";
    log.add(at, "t", 'P');
    at.os = "windows";
    log.add(at, "t", i < 2 ? 'P' : 'F');
  }
  const auto found = found_in(log).findings;
  EXPECT_EQ(found.failing.runs, 0U);
  EXPECT_FALSE(found.last_pass.has_value());
  ASSERT_EQ(found.failing_in.size(), 1U);
  EXPECT_EQ(found.failing_in[0].failing.runs, 2U);
  EXPECT_EQ(found.failing_in[0].failing.code, "c2");
  EXPECT_EQ(found.failing_in[0].last_pass, "c1");
}

TEST(Findings, FailuresOfOtherBranchesAreCountedApart) {
  LogBook log;
  log.add_commits("t", "PPP");
  Place topic;
  topic.branch = "topic";
  topic.commit = "t1";
  log.add_all(topic, "t", "FF");
  EXPECT_EQ(found_in(log).findings.failures_elsewhere, 2U);
  for (auto& line : log.lines) line.branch = "topic";
  EXPECT_EQ(found_in(log).findings.failures_elsewhere, 0U) << "there is no other branch to compare with";
}

TEST(Findings, ATestThatNeverPassedHasNoLastPass) {
  LogBook log;
  log.add_commits("t", "FFF");
  const auto found = found_in(log).findings;
  EXPECT_EQ(found.failing.runs, 3U);
  EXPECT_FALSE(found.last_pass.has_value());
}

TEST(Findings, TheIntervalIsExactUnlessAHuntIsPartOfIt) {
  LogBook log;
  log.add_commits("t", "PPPPPPPPFF");
  auto rate = found_in(log).findings.first_tries;
  EXPECT_FALSE(rate.any_stop);
  EXPECT_DOUBLE_EQ(rate.rate, 0.2);
  EXPECT_DOUBLE_EQ(rate.interval.lower, exact_interval(2, 10).lower);
  log.lines[0].source = Source::hunt;
  rate = found_in(log).findings.first_tries;
  EXPECT_TRUE(rate.any_stop);
  EXPECT_DOUBLE_EQ(rate.interval.upper, interval_under_stopping(2, 10).upper);
  EXPECT_GT(rate.interval.upper, exact_interval(2, 10).upper);
}

TEST(Findings, SkipsAndRerunsAreNoFirstTries) {
  LogBook log;
  log.add_commits("t", "PFPSSS");
  Place again;
  again.commit = "commit1001";
  again.ts += 2 * kHour;
  log.add(again, "t", 'P').attempt = 1;
  const auto rate = found_in(log).findings.first_tries;
  EXPECT_EQ(rate.tries, 3U);
  EXPECT_EQ(rate.fails, 1U);
}

TEST(Findings, OfNothingAreEmpty) {
  const auto found = find({}, {});
  EXPECT_EQ(found.clean.runs, 0U);
  EXPECT_EQ(found.failing.runs, 0U);
  EXPECT_EQ(found.first_tries.tries, 0U);
  EXPECT_EQ(found.first_tries.interval.upper, 1);
}

// As the log reader gives it.
ObservationView view_of(const Observation& o) {
  ObservationView view;
  view.test_id = o.test_id;
  view.status = o.status;
  view.message = o.message;
  view.duration_ms = o.duration_ms;
  view.sanitised = !o.sanitised_assumption.empty();
  view.sanitised_assumption = o.sanitised_assumption;
  view.would_sanitise = o.would_sanitise;
  return view;
}

TEST(TestDetails, LookAtTheExecutionsThatCountAndNoOthers) {
  LogBook log;
  log.add_commits("t", "PFFS");
  log.add_commits("other", "F");
  for (auto& line : log.lines) {
    line.message = "message of " + line.commit;
    line.duration_ms = line.status == Status::pass ? 10 : 30;
  }
  log.lines[2].would_sanitise = true;
  log.lines[3].sanitised_assumption = "network";
  auto copy = log.lines[1];
  copy.ts += 1;
  copy.message = "never counted";
  log.lines.insert(log.lines.begin(), copy);
  const auto found = found_in(log);
  TestDetails details(found.trace, found.score.test_id);
  for (const auto& line : log.lines) details.see(view_of(line));
  EXPECT_EQ(details.messages().total(), 2U);
  ASSERT_EQ(details.messages().largest(5).size(), 1U);
  EXPECT_EQ(details.messages().largest(5)[0].example, "message of commit1002");
  EXPECT_EQ(details.passes().count, 1U);
  EXPECT_EQ(details.failures().count, 2U);
  EXPECT_EQ(details.failures().median, 30);
  EXPECT_EQ(details.would_sanitise(), 1U);
  EXPECT_EQ(details.sanitised().at("network"), 1U);
}

TEST(TestDetails, ALogThatChangedInBetweenIsNotMistaken) {
  LogBook log;
  log.add_commits("t", "PFPF");
  const auto found = found_in(log);
  TestDetails details(found.trace, found.score.test_id);
  LogBook other;
  other.add_commits("other", "FFFFFFFF");
  for (const auto& line : other.lines) details.see(view_of(line));
  EXPECT_EQ(details.messages().total() + details.messages().without_message(), 0U);
}

}  // namespace
}  // namespace flakestat::stats
