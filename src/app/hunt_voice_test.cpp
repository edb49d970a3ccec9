#include "app/hunt_voice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/outcomes.hpp"
#include "testing/fake_clock.hpp"

namespace flakestat::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class HuntVoiceTest : public ::testing::Test {
 protected:
  HuntVoiceTest() {
    world_.directory = "/d";
    world_.note = [this](std::string_view line) { notes_.emplace_back(line); };
    world_.progress = [this](std::string_view lines) { blocks_.emplace_back(lines); };
    world_.live_area = [] { return LiveArea{80, 24}; };
    world_.out = [this](std::string_view bytes) -> Result<void> {
      if (out_fails_) return Error{ErrorKind::io, "gone"};
      out_.emplace_back(bytes);
      return {};
    };
    plan_.command = {"t"};
    plan_.runs = 2;
  }

  // Two runs of one test that disagrees with itself.
  Result<void> hunt(bool events) {
    HuntVoice voice(world_, clock_, plan_, events);
    run::Outcomes outcomes;
    voice.begin("r");
    for (int number = 1; number <= 2; ++number) {
      run::RunResult result;
      result.run = number;
      result.code = number - 1;
      voice.ended(result);
      Case found;
      found.suite = found.class_name = "s";
      found.name = "a";
      found.status = number == 1 ? Status::pass : Status::fail;
      const auto run = run::outcomes_of({&found, 1});
      outcomes.introduce(run, {&found, 1});
      outcomes.add(run::RunMode::alone, run);
      voice.tallied(number, outcomes);
      run::HuntProgress progress;
      progress.done = number;
      progress.total = 2;
      voice.progress(progress);
    }
    return voice.finish();
  }

  World world_;
  testing::FakeClock clock_;
  run::HuntPlan plan_;
  bool out_fails_ = false;
  std::vector<std::string> notes_, blocks_, out_;
};

TEST_F(HuntVoiceTest, WithoutATerminalThereIsALineARun) {
  EXPECT_TRUE(hunt(false).ok());
  EXPECT_THAT(notes_, ElementsAre("run 1: exit 0, 0ms", "run 2: exit 1, 0ms"));
  EXPECT_THAT(out_, IsEmpty());
}

TEST_F(HuntVoiceTest, OnATerminalThereIsABlockThatIsClearedAtTheEnd) {
  world_.live_progress = true;
  EXPECT_TRUE(hunt(false).ok());
  EXPECT_THAT(notes_, IsEmpty());
  EXPECT_THAT(blocks_, ElementsAre("run 1/2  0 failing", "run 2/2  0 failing\n  s::a  1 P 1 F", ""));
}

TEST_F(HuntVoiceTest, EventsComeBesideLinesAndEachDisagreementOnce) {
  EXPECT_TRUE(hunt(true).ok());
  EXPECT_THAT(out_, ElementsAre(StartsWith("{\"event\":\"plan\""), StartsWith("{\"event\":\"run\",\"run\":1,"),
                                StartsWith("{\"event\":\"run\",\"run\":2,"), HasSubstr("\"passes\":1,\"fails\":1")));
  EXPECT_EQ(notes_.size(), 2U);
}

TEST_F(HuntVoiceTest, EventsAndABlockNeverShareATerminal) {
  world_.live_progress = world_.out_is_terminal = true;
  EXPECT_TRUE(hunt(true).ok());
  EXPECT_THAT(blocks_, ElementsAre(""));
}

TEST_F(HuntVoiceTest, AReaderThatWentAwayIsAnErrorAtTheEnd) {
  out_fails_ = true;
  const auto result = hunt(true);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "gone");
  EXPECT_EQ(notes_.size(), 2U);
}

}  // namespace
}  // namespace flakestat::app
