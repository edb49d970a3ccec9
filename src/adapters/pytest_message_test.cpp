#include "adapters/pytest_message.hpp"

#include <gtest/gtest.h>

namespace flakestat::adapters {
namespace {

template <class T>
T read(const std::string& line) {
  PytestReader reader;
  auto message = reader.read(line);
  EXPECT_TRUE(message) << line;
  EXPECT_TRUE(std::holds_alternative<T>(*message)) << line;
  return std::get<T>(*std::move(message));
}

TEST(PytestMessage, APassIsAResultWithoutParts) {
  const auto done = read<PytestDone>(R"({"e":"done","i":3,"a":0,"t":1785.25,"d":[0.25,0.5,null]})");
  EXPECT_EQ(done.index, 3U);
  EXPECT_EQ(done.attempt.status, RunStatus::passed);
  EXPECT_EQ(done.attempt.started, 1785250);
  EXPECT_DOUBLE_EQ(done.attempt.seconds, 0.75);
}

TEST(PytestMessage, TheWorstPartDecides) {
  const auto done = read<PytestDone>(
      R"({"e":"done","i":0,"a":1,"t":1,"d":[0,0,0],"r":[{"w":"call","o":"failed","m":"boom","x":"trace"},)"
      R"({"w":"teardown","o":"failed","m":"late","x":"t"}],"c":[["Captured stdout call","hi"]],"p":[["k","v"]]})");
  EXPECT_EQ(done.attempt.status, RunStatus::failed);
  EXPECT_EQ(done.attempt.in, RunPhase::call);
  EXPECT_EQ(done.attempt.message, "boom");
  EXPECT_EQ(done.attempt.phases.size(), 2U);
  EXPECT_EQ(done.attempt.captured.front().text, "hi");
  EXPECT_EQ(done.attempt.properties.front().second, "v");
}

TEST(PytestMessage, FailuresAroundTheCallAreErrors) {
  const auto setup =
      read<PytestDone>(R"({"e":"done","i":0,"a":0,"t":1,"d":[0],"r":[{"w":"setup","o":"failed","m":"x","x":""}]})");
  EXPECT_EQ(setup.attempt.status, RunStatus::error);
  const auto teardown = read<PytestDone>(
      R"({"e":"done","i":0,"a":0,"t":1,"d":[0],"r":[{"w":"call","o":"skipped","m":"x","x":""},{"w":"teardown","o":"failed","m":"y","x":""}]})");
  EXPECT_EQ(teardown.attempt.status, RunStatus::error);
  EXPECT_EQ(teardown.attempt.message, "y");
}

TEST(PytestMessage, MarksAndPlacesAreReadWithTheIdentities) {
  const auto collected = read<PytestCollected>(
      R"({"e":"collected","count":2,"hash":"h","deselected":1,"ids":["a.py::t","a.py::u"],"files":["a.py","a.py"],"lines":[3,null],)"
      R"("marks":{"1":{"flaky":{"reruns":2,"reruns_delay":0.5,"only_rerun":["Timeout"],"rerun_except":[]},"serial":true,"group":"db"},"x":{}}})");
  EXPECT_EQ(collected.ids.size(), 2U);
  EXPECT_EQ(collected.lines.front(), 3);
  EXPECT_FALSE(collected.lines.back());
  ASSERT_EQ(collected.marks.size(), 1U);
  const auto& marks = collected.marks.front().second;
  EXPECT_EQ(marks.flaky->reruns, 2);
  EXPECT_EQ(marks.flaky->only_rerun, std::vector<std::string>{"Timeout"});
  EXPECT_TRUE(marks.serial);
  EXPECT_EQ(marks.group, "db");
}

TEST(PytestMessage, AWarningSaysItsCategory) {
  const auto warning = read<RunWarning>(
      R"({"e":"warning","id":"a.py::t","location":"a.py:2","message":"careful","category":"UserWarning"})");
  EXPECT_EQ(warning.message, "UserWarning: careful");
}

TEST(PytestMessage, OptionsThatWereNotGivenStayUnsaid) {
  const auto hello =
      read<PytestHello>(R"({"e":"hello","pytest":"9.2.0","options":{"reruns":null,"maxfail":0,"numprocesses":4}})");
  EXPECT_FALSE(hello.reruns);
  EXPECT_EQ(hello.numprocesses, "4");
  EXPECT_EQ(hello.junit_suite_name, "pytest");
}

TEST(PytestMessage, WhatIsNoMessageIsAnErrorAndNoGuess) {
  PytestReader reader;
  for (const char* line :
       {"", "{", "[]", "{}", R"({"e":"nonsense"})", R"({"e":"done"})", R"({"e":"done","i":-1,"a":0})",
        R"({"e":"done","i":0,"a":0,"t":1,"d":[],"r":[{"w":"call","o":"perhaps"}]})", "\xff\xfe"}) {
    EXPECT_FALSE(reader.read(line)) << line;
  }
}

}  // namespace
}  // namespace flakestat::adapters
