#include "app/hunt_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/hunt_files.hpp"
#include "testing/fake_clock.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::app {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class HuntRecorderTest : public ::testing::Test {
 protected:
  HuntRecorderTest() {
    world_.directory = "/shop";
    world_.env = [](std::string_view name) { return name == "TZ" ? std::optional<std::string>("UTC") : std::nullopt; };
    world_.now = [this] { return clock_.unix_millis(); };
    world_.warn = [this](std::string_view line) { warnings_ += std::string(line) + "\n"; };
    plan_.command = {"t", "--seed={run}", "--out={junit}"};
    plan_.junit = "/r/{run}.xml";
    provenance_.run_id = "r";
  }

  [[nodiscard]] store::HuntRecord fresh(const std::vector<std::string>& names = {}) const {
    return new_record(world_, plan_, provenance_, names);
  }
  [[nodiscard]] std::string dir() const { return folder_.file("state"); }
  [[nodiscard]] std::size_t written() const {
    const auto record = store::find_hunt(dir(), "r");
    return record ? record->runs.size() : 0;
  }
  void ended(HuntRecorder& recorder, int number, int code = 0) const {
    run::RunResult result;
    result.run = number;
    result.code = code;
    const auto text = std::to_string(number);
    const std::vector<std::string> argv = {"t", "--seed=" + text, "--out=/r/" + text + ".xml"};
    recorder.add({result, argv, output_, reports_});
  }
  [[nodiscard]] std::optional<store::RecordedCommand> own(const std::vector<std::string>& argv) const {
    run::RunResult result;
    result.run = 4;
    return own_command(plan_, {result, argv, output_, reports_});
  }

  testing::TempDir folder_;
  testing::FakeClock clock_;
  World world_;
  run::HuntPlan plan_;
  Provenance provenance_;
  std::string warnings_;
  sys::OutputCapture output_;
  std::vector<std::string> reports_;
};

TEST_F(HuntRecorderTest, TheRecordSaysWhatWillBeRunAndWhere) {
  provenance_.code.commit = "abc";
  provenance_.tracked = "abc+def";
  plan_.timeout = 90s;
  const auto record = fresh({"TZ", "SEED", "TZ"});
  EXPECT_EQ(record.directory, "/shop");
  EXPECT_EQ(record.code, "abc+def");
  EXPECT_EQ(record.timeout_ms, 90'000);
  EXPECT_THAT(record.variables, ElementsAre(store::RecordedVariable{"FLAKESTAT_RUN", "{run}"}));
  EXPECT_THAT(record.recorded,
              ElementsAre(store::RecordedVariable{"TZ", "UTC"}, store::RecordedVariable{"SEED", std::nullopt}));
}

TEST_F(HuntRecorderTest, WithoutACommitTheCodeIsNotKnown) {
  provenance_.tracked = "+";
  EXPECT_EQ(fresh().code, "");
}

TEST_F(HuntRecorderTest, OnlyNamesOfOtherVariablesCanBeRecorded) {
  EXPECT_TRUE(check_record_env({"TZ", "my.name"}).ok());
  for (const auto* name : {"", "A=b", "FLAKESTAT_RUN"}) {
    const auto result = check_record_env({"TZ", name});
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
  }
}

TEST_F(HuntRecorderTest, TheFirstRunIsWrittenThenEveryFiveSeconds) {
  HuntRecorder recorder(world_, clock_, dir(), plan_, fresh());
  ended(recorder, 1);
  EXPECT_EQ(written(), 1U);
  clock_.advance(4999ms);
  ended(recorder, 2);
  EXPECT_EQ(written(), 1U);
  clock_.advance(1ms);
  ended(recorder, 3);
  EXPECT_EQ(written(), 3U);
}

TEST_F(HuntRecorderTest, AFailedRunIsWrittenAfterASecond) {
  HuntRecorder recorder(world_, clock_, dir(), plan_, fresh());
  ended(recorder, 1, 1);
  clock_.advance(999ms);
  ended(recorder, 2, 1);
  EXPECT_EQ(written(), 1U);
  clock_.advance(1ms);
  ended(recorder, 3, 1);
  EXPECT_EQ(written(), 3U);
}

TEST_F(HuntRecorderTest, TheEndIsWrittenAndSaysSo) {
  HuntRecorder recorder(world_, clock_, dir(), plan_, fresh());
  ended(recorder, 1);
  ended(recorder, 2);
  recorder.finish();
  const auto record = store::find_hunt(dir(), "r");
  ASSERT_TRUE(record.ok());
  EXPECT_TRUE(record->ended);
  EXPECT_EQ(record->runs.size(), 2U);
}

TEST_F(HuntRecorderTest, AHuntWithoutARunLeavesNoRecord) {
  HuntRecorder recorder(world_, clock_, dir(), plan_, fresh());
  recorder.finish();
  EXPECT_FALSE(store::find_hunt(dir(), "").ok());
}

TEST_F(HuntRecorderTest, ARecordThatCannotBeWrittenIsWarnedOfOnceAndDisturbsNothing) {
  folder_.write("state/hunts", "a file");
  HuntRecorder recorder(world_, clock_, dir(), plan_, fresh());
  ended(recorder, 1);
  recorder.finish();
  EXPECT_THAT(warnings_, HasSubstr("this hunt cannot be replayed later: "));
  EXPECT_EQ(std::count(warnings_.begin(), warnings_.end(), '\n'), 1);
}

TEST_F(HuntRecorderTest, ThePlansCommandIsNotKeptForEveryRun) {
  EXPECT_EQ(own({"t", "--seed=4", "--out=/r/4.xml"}), std::nullopt);
}

TEST_F(HuntRecorderTest, AnotherCommandIsKeptWithoutTheReportsPathWhereThatIsExact) {
  const auto command = own({"t", "a::b", "--out=/r/4.xml"});
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre("t", "a::b", "--out={junit}"));
  EXPECT_FALSE(command->filled);
}

TEST_F(HuntRecorderTest, ACommandThatHoldsAPlaceholderAsTextIsKeptAsItIs) {
  const auto command = own({"t", "test[{run}]", "--out=/r/4.xml"});
  ASSERT_TRUE(command);
  EXPECT_THAT(command->argv, ElementsAre("t", "test[{run}]", "--out=/r/4.xml"));
  EXPECT_TRUE(command->filled);
}

}  // namespace
}  // namespace flakestat::app
