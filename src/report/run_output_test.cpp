#include "report/run_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/strings.hpp"
#include "report/run_annotations.hpp"
#include "report/run_samples.hpp"
#include "testing/golden.hpp"
#include "testing/temp_dir.hpp"
#include "text/escape.hpp"
#include "text/nasty_text.hpp"
#include "text/width.hpp"

namespace flakestat::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// An output and the record that it is given, fed together; what it wrote.
class Show {
 public:
  explicit Show(std::string_view name, RunOutputOptions options = {}) {
    options.out = [this](std::string_view piece) { text_ += piece; };
    output_ = name == "extras" ? make_run_extras(recorder_.record(), std::move(options))
                               : make_run_output(name, recorder_.record(), std::move(options));
  }

  Show& take(const samples::Events& events) {
    for (const auto& event : events) take(event);
    return *this;
  }
  Show& take(const flakestat::RunEvent& event) {
    recorder_.take(event);
    output_->take(event);
    return *this;
  }
  Show& tick(UnixMillis now) {
    output_->tick(now);
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  void append(std::string_view text) { text_ += text; }

 private:
  RunRecorder recorder_;
  std::unique_ptr<RunOutput> output_;
  std::string text_;
};

std::string shown(std::string_view name, const samples::Events& events, RunOutputOptions options = {}) {
  return Show(name, std::move(options)).take(events).text();
}

std::vector<std::string> every_output() {
  std::vector<std::string> names(run_output_names().begin(), run_output_names().end());
  names.emplace_back("extras");
  return names;
}

/// A terminal that writes down what is done to it.
RunOutputOptions with_terminal(Show*& show, std::size_t columns = 70) {
  RunOutputOptions options;
  options.look.width = columns;
  options.live = [&show](std::string_view block) {
    show->append(block.empty() ? "<removed>\n" : "<live>\n" + std::string(block) + "\n</live>\n");
  };
  options.live_size = [columns] { return LiveSize{columns, 10}; };
  return options;
}

TEST(RunOutput, EachOutputOfTheSameRun) {
  EXPECT_GOLDEN("run/dots.txt", shown("dots", samples::run_events()));
  EXPECT_GOLDEN("run/verbose.txt", shown("verbose", samples::run_events()));
  EXPECT_GOLDEN("run/github.txt", shown("github", samples::run_events()));
  EXPECT_GOLDEN("run/gitlab.txt", shown("gitlab", samples::run_events()));
  EXPECT_GOLDEN("run/teamcity.txt", shown("teamcity", samples::run_events()));
  EXPECT_GOLDEN("run/run.tap", shown("tap", samples::run_events()));
  EXPECT_GOLDEN("run/events.ndjson", shown("json", samples::run_events()));
}

TEST(RunOutput, TheBarMakesRoomForWhatHappens) {
  Show* at = nullptr;
  Show show("bar", with_terminal(at));
  at = &show;
  const auto events = samples::run_events();
  UnixMillis now = samples::kDay1;
  for (std::size_t i = 0; i < events.size(); ++i) {
    show.take(events[i]);
    if (i % 6 == 0) show.tick(now);
    now += 500;
  }
  show.tick(now);
  EXPECT_GOLDEN("run/bar.txt", show.text());
}

TEST(RunOutput, TheBarWithoutATerminalIsDots) {
  EXPECT_EQ(shown("bar", samples::run_events()), shown("dots", samples::run_events()));
}

TEST(RunOutput, WhatIsWrittenNeverMeetsTheBlock) {
  bool drawn = false;
  RunOutputOptions options;
  options.live = [&](std::string_view block) { drawn = !block.empty(); };
  options.out = [&](std::string_view) { EXPECT_FALSE(drawn); };
  RunRecorder recorder;
  const auto output = make_run_output("bar", recorder.record(), options);
  for (const auto& event : samples::run_events()) {
    recorder.take(event);
    output->take(event);
    output->tick(samples::kDay1);
  }
  EXPECT_FALSE(drawn);
}

TEST(RunOutput, UnknownNamesAreRefused) {
  EXPECT_EQ(make_run_output("bars", RunRecord{}, {}), nullptr);
  EXPECT_EQ(run_output_names().front(), "bar");
  for (const auto name : run_output_names()) EXPECT_NE(make_run_output(name, RunRecord{}, {}), nullptr) << name;
}

TEST(RunOutput, DotsFillTheTerminalAndSayHowFarTheyAre) {
  RunStarted started = samples::run_started();
  started.tests.assign(45, samples::run_test("t", 1));
  samples::Events events{started};
  for (std::size_t i = 0; i < 45; ++i) {
    samples::add_test(events, samples::settled(i, RunFate::passed, {samples::passed(0, "gw0")}));
  }
  events.emplace_back(RunFinished{});
  RunOutputOptions options;
  options.look.width = 28;
  EXPECT_THAT(shown("dots", events, options), HasSubstr("\n.................... [ 44%]\n"
                                                        ".................... [ 88%]\n"
                                                        ".....                [100%]\n"));
}

TEST(RunOutput, QuietKeepsTheEndOnly) {
  RunOutputOptions options;
  options.quiet = true;
  for (const auto* name : {"dots", "verbose"}) {
    EXPECT_EQ(shown(name, samples::green_events(), options), "2 passed in 0.50s\n") << name;
  }
}

TEST(RunOutput, ForeignTextReachesNoTerminal) {
  Show* at = nullptr;
  for (const auto& hostile : samples::hostile_run_texts()) {
    for (const auto& name : every_output()) {
      Show show(name, with_terminal(at));
      at = &show;
      for (const auto& event : samples::hostile_events_of_run(hostile)) show.take(event).tick(samples::kDay1);
      auto text = show.text();
      // GitLab's sections are made of escapes: ours, and nothing else's.
      if (name == "gitlab") {
        for (const std::string_view ours : {"\x1b[0Ksection_start:", "\x1b[0Ksection_end:", "\r\x1b[0K"}) {
          for (auto i = text.find(ours); i != std::string::npos; i = text.find(ours)) text.erase(i, ours.size());
        }
      }
      EXPECT_FALSE(text::has_hidden(text)) << name << ": " << hostile;
    }
  }
}

std::size_t lines_with(const std::string& text, std::string_view start) {
  const auto lines = split(text, '\n');
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [&](std::string_view line) { return trim(line).starts_with(start); }));
}

TEST(RunOutput, ForeignTextIsNoCommandOfGithub) {
  const auto plain = shown("github", samples::hostile_events_of_run("x"));
  for (const auto& hostile : samples::hostile_run_texts()) {
    const auto text = shown("github", samples::hostile_events_of_run(hostile));
    EXPECT_EQ(lines_with(text, "::"), lines_with(plain, "::")) << hostile << "\n" << text;
    EXPECT_EQ(text, text::defuse_log_commands(text)) << hostile;
  }
}

TEST(RunOutput, InTheLogOfACiSystemEveryOutputIsHarmless) {
  RunOutputOptions options;
  options.ci_log = true;
  for (const auto& hostile : samples::hostile_run_texts()) {
    for (const auto* name : {"dots", "verbose", "tap", "json", "extras"}) {
      const auto text = shown(name, samples::hostile_events_of_run(hostile), options);
      EXPECT_EQ(text, text::defuse_workflow_lines(text)) << name << ": " << hostile;
    }
  }
}

TEST(RunOutput, EveryTeamcityMessageIsOneOfOurs) {
  for (const auto& hostile : samples::hostile_run_texts()) {
    const auto text = shown("teamcity", samples::hostile_events_of_run(hostile));
    for (auto at = text.find("##teamcity["); at != std::string::npos; at = text.find("##teamcity[", at + 1)) {
      EXPECT_TRUE(at == 0 || text[at - 1] == '\n') << hostile;
    }
    EXPECT_EQ(lines_with(text, "##teamcity[testStarted"), 3U);
    EXPECT_EQ(lines_with(text, "##teamcity[testFailed"), 1U);
    EXPECT_EQ(lines_with(text, "##teamcity[build"), 5U) << text;
  }
}

TEST(RunOutput, TapPointsAreCountedAndForeignTextAddsNone) {
  for (const auto& hostile : samples::hostile_run_texts()) {
    const auto text = shown("tap", samples::hostile_events_of_run(hostile));
    const auto lines = split(text, '\n');
    const auto starting = [&](std::string_view with) {
      return std::count_if(lines.begin(), lines.end(), [&](auto line) { return line.starts_with(with); });
    };
    EXPECT_EQ(starting("ok "), 2) << hostile;
    EXPECT_EQ(starting("not ok "), 3) << hostile;
    EXPECT_EQ(starting("Bail out!"), 0) << hostile;
    EXPECT_EQ(starting("1.."), 1) << hostile;
    EXPECT_THAT(text, HasSubstr("\n1..5\n"));
    EXPECT_EQ(starting("  ---"), starting("  ...")) << hostile;
  }
}

// By a parser that is not ours: every block is a mapping whose message is one line.
TEST(RunOutput, TapBlocksAreYaml) {
  const testing::TempDir dir;
  std::string command =
      "PATH=/usr/bin:/bin:$PATH python3 '" + std::string(FLAKESTAT_SOURCE_DIR) + "/tools/check_tap_blocks.py'";
  std::size_t count = 0;
  const auto add = [&](const samples::Events& events) {
    command += " '" + dir.write(std::to_string(++count) + ".tap", shown("tap", events)) + "'";
  };
  add(samples::run_events());
  for (const auto& hostile : samples::hostile_run_texts()) add(samples::hostile_events_of_run(hostile));
  text::NastyText text(29);
  for (int i = 0; i < 100; ++i) add(samples::hostile_events_of_run(text.next()));
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "SKIPPED, NOT PASSED: python3-yaml is not installed";
  EXPECT_EQ(status, 0);
}

TEST(RunOutput, AnInterruptedRunBailsOut) {
  auto events = samples::green_events();
  auto& finished = std::get<RunFinished>(events.back());
  finished.end = RunEnd::interrupted;
  EXPECT_THAT(shown("tap", events), EndsWith("\nBail out! interrupted\n"));
}

TEST(RunOutput, EveryJsonLineIsAnObjectWithItsEvent) {
  for (const auto& hostile : samples::hostile_run_texts()) {
    const auto text = shown("json", samples::hostile_events_of_run(hostile));
    for (const auto line : split(text, '\n')) {
      if (line.empty()) continue;
      rapidjson::Document document;
      document.Parse(line.data(), line.size());
      ASSERT_FALSE(document.HasParseError()) << line;
      EXPECT_TRUE(document["event"].IsString());
    }
    EXPECT_THAT(text, StartsWith("{\"event\":\"started\",\"version\":1,"));
  }
}

TEST(RunOutput, AnnotationsNameFilesFromTheRepositorysRoot) {
  const auto text = run_annotations(samples::record_of(samples::run_events()), "services/api/");
  EXPECT_THAT(text, HasSubstr("::error file=services/api/tests/test_api.py,line=4,title=tests/test_api.py%3A%3A"
                              "test_fails::AssertionError: 1 == 2%0A"));
  EXPECT_THAT(text, HasSubstr("::warning file=services/api/tests/test_api.py,line=5,title="));
}

TEST(RunOutput, AnnotationsAreBounded) {
  RunStarted started = samples::run_started();
  started.tests.assign(500, samples::run_test("t", 1));
  samples::Events events{started};
  for (std::size_t i = 0; i < 500; ++i) {
    auto bad = samples::failed(0, "gw0", "x");
    bad.details = std::string(100'000, 'd') + "\nE   " + std::string(1000, 'e');
    samples::add_test(events, samples::settled(i, RunFate::failed, {bad}));
  }
  const auto text = run_annotations(samples::record_of(events), "");
  EXPECT_EQ(lines_with(text, "::error"), kMostAnnotations);
  EXPECT_LT(text.size(), kMostAnnotations * 8192);
}

TEST(RunOutput, EventsOfUnknownTestsAreIgnored) {
  samples::Events events{samples::run_started()};
  samples::add_test(events, samples::settled(999, RunFate::failed, {samples::failed(0, "gw0", "x")}));
  events.emplace_back(WorkerLost{0, "exit code 1", 999, "", true});
  events.emplace_back(RunFinished{});
  Show* at = nullptr;
  for (const auto& name : every_output()) {
    Show show(name, with_terminal(at));
    at = &show;
    show.take(events).tick(1);
    EXPECT_FALSE(show.text().empty()) << name;
  }
}

// A cost that grows with the square of the tests would take minutes here.
TEST(RunOutput, TenThousandFailuresAreQuick) {
  RunStarted started = samples::run_started();
  started.tests.clear();
  samples::Events events;
  for (std::size_t i = 0; i < 10'000; ++i) {
    started.tests.push_back(samples::run_test("test_" + std::to_string(i), 1));
  }
  events.emplace_back(started);
  for (std::size_t i = 0; i < started.tests.size(); ++i) {
    samples::add_test(events, samples::settled(i, RunFate::failed, {samples::failed(0, "gw0", "x")}));
    events.emplace_back(RunWarning{started.tests[i].id, "a.py:1", "W: " + std::to_string(i % 100)});
  }
  events.emplace_back(samples::run_finished());
  for (const auto& name : every_output()) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_GT(shown(name, events).size(), 100U);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << name;
  }
}

}  // namespace
}  // namespace flakestat::report
