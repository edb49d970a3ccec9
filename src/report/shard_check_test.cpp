#include "report/shard_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr UnixMillis kNow = 1'783'850'000'123;

rules::ShardCheck whole() {
  rules::ShardCheck check;
  check.expected = 2;
  check.collected = check.run = 5;
  check.parts = {{1, 2, "r1", "a/r1.json", kNow, 3, 3, true, 0}, {2, 2, "r2", "b/r2.json", kNow, 2, 2, true, 1}};
  return check;
}

rules::ShardCheck broken() {
  auto check = whole();
  check.expected = 4;
  check.run = 4;
  check.parts[1].run = 1;
  check.parts[1].finished = false;
  check.missing = {3, 4};
  check.contradictions = {"the shards differ in \x1b[31m"};
  check.doubled = {{"a.py::t[\x1b[2J]", {1, 2}}};
  check.not_run = {{"b.py::t", 2}};
  check.unassigned = {"c.py::t"};
  check.unnamed = 7;
  check.set_aside = {{"old\n.json", 1, "repeated later"}};
  return check;
}

TEST(ShardCheckTable, AWholeRunIsARowAShardAndTheDecision) {
  EXPECT_EQ(shard_check_table(whole(), false, {}),
            "SHARD  TESTS  RUN  ENDED        STARTED                   RUN ID  MANIFEST\n"
            "  1/2      3    3  exit code 0  2026-07-12T09:53:20.123Z  r1      a/r1.json\n"
            "  2/2      2    2  exit code 1  2026-07-12T09:53:20.123Z  r2      b/r2.json\n"
            "\n"
            "ok: 5 tests, each run in one of 2 shards\n");
}

TEST(ShardCheckTable, NamesAllThatIsWrongAndEscapesIt) {
  EXPECT_EQ(shard_check_table(broken(), false, {}),
            "SHARD  TESTS  RUN  ENDED        STARTED                   RUN ID  MANIFEST\n"
            "  1/2      3    3  exit code 0  2026-07-12T09:53:20.123Z  r1      a/r1.json\n"
            "  2/2      2    1  unfinished   2026-07-12T09:53:20.123Z  r2      b/r2.json\n"
            "\n"
            "missing: shards 3, 4\n"
            "\n"
            "contradictions:\n"
            "  the shards differ in \\x1b[31m\n"
            "\n"
            "1 test run more than once:\n"
            "  a.py::t[\\x1b[2J]  (shards 1, 2)\n"
            "\n"
            "1 test not run:\n"
            "  b.py::t  (shard 2)\n"
            "\n"
            "1 test in no shard that is there:\n"
            "  c.py::t\n"
            "\n"
            "7 more tests in no shard that is there, with names that no manifest holds\n"
            "\n"
            "set aside:\n"
            "  old\\n.json: shard 1: repeated later\n"
            "\n"
            "not ok: 4 of 5 tests ran, in 2 of 4 shards\n");
}

TEST(ShardCheckTable, LongListsAreCutUnlessAllIsWanted) {
  auto check = whole();
  for (int i = 0; i < 25; ++i) check.unassigned.push_back("t" + std::to_string(i));
  EXPECT_THAT(shard_check_table(check, false, {}), HasSubstr("  t19\n  and 5 more (--all shows them)\n"));
  EXPECT_THAT(shard_check_table(check, true, {}), HasSubstr("  t24\n"));
  EXPECT_THAT(shard_check_table(check, true, {}), Not(HasSubstr("more")));
}

TEST(ShardCheckTable, NothingFoundIsSaid) {
  EXPECT_EQ(shard_check_table({}, false, {}), "not ok: no manifest of a shard was found\n");
}

TEST(ShardCheckJson, HasEverything) {
  EXPECT_EQ(
      shard_check_json(broken(), text::JsonStyle::compact),
      R"({"ok":false,"expected":4,"collected":5,"run":4,"shards":[{"shard":1,"of":2,"run_id":"r1",)"
      R"("file":"a/r1.json","started":"2026-07-12T09:53:20.123Z","tests":3,"run":3,"finished":true,"exit_code":0},)"
      R"({"shard":2,"of":2,"run_id":"r2","file":"b/r2.json","started":"2026-07-12T09:53:20.123Z","tests":2,"run":1,)"
      R"("finished":false,"exit_code":null}],"missing":[3,4],"contradictions":["the shards differ in \u001b[31m"],)"
      R"("doubled":[{"test":"a.py::t[\u001b[2J]","shards":[1,2]}],"not_run":[{"test":"b.py::t","shard":2}],)"
      R"("unassigned":["c.py::t"],"unnamed":7,"set_aside":[{"file":"old\n.json","shard":1,"reason":"repeated later"}]})"
      "\n");
}

}  // namespace
}  // namespace flakestat::report
