// Copies of shell lines in a pool, for the tests of concurrent_test.cpp and its neighbours.
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sys/child_tree.hpp"
#include "sys/concurrent.hpp"
#include "testing/fake_interrupts.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::testing {

class ConcurrentTest : public ::testing::Test {
 protected:
  static sys::ChildSpec command(std::vector<std::string> argv) {
    using namespace std::chrono_literals;
    sys::ChildSpec spec;
    spec.argv = std::move(argv);
    spec.limits = {std::nullopt, 50ms, 100ms, 3000ms};
    return spec;
  }
  static sys::ChildSpec shell(const std::string& line) { return command({"/bin/sh", "-c", line}); }
  static std::string program(const std::string& name) { return std::string(FLAKESTAT_PROGRAMS_DIR) + "/" + name; }

  int start(const sys::ChildSpec& spec, const std::optional<sys::IsolationPlan>& plan = std::nullopt) {
    const auto id = pool_.start(spec, plan);
    EXPECT_TRUE(id) << (id ? "" : id.error().message);
    return id ? *id : 0;
  }
  int start(const std::string& line, const std::optional<sys::IsolationPlan>& plan = std::nullopt) {
    return start(shell(line), plan);
  }
  /// The next `count` copies to end, by id.
  std::map<int, sys::ConcurrentRunner::Ended> ends(std::size_t count) {
    std::map<int, sys::ConcurrentRunner::Ended> all;
    for (std::size_t i = 0; i < count; ++i) {
      auto ended = pool_.next([&] {
        if (tick_) tick_();
      });
      const int id = ended.id;
      EXPECT_TRUE(all.emplace(id, std::move(ended)).second) << "twice: " << id;
    }
    return all;
  }
  /// Start, end and output of one copy, which is then released.
  std::string output_of(const std::string& line, const std::optional<sys::IsolationPlan>& plan) {
    const int id = start(line, plan);
    const auto ended = pool_.next({});
    EXPECT_EQ(ended.result.end, sys::ChildEnd::exited) << ended.result.start_problem;
    pool_.release(id);
    return ended.result.output.text();
  }
  static bool gone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }
  /// The keeper of the only copy that runs.
  static pid_t only_keeper() {
    pid_t found = 0;
    for (const auto& process : sys::list_processes()) {
      if (process.parent == ::getpid() && process.alive()) found = process.pid;
    }
    return found;
  }

  sys::SystemClock clock_;
  FakeInterrupts interrupts_;
  std::function<void()> tick_;
  sys::KeeperPool pool_{clock_, interrupts_};
};

}  // namespace flakestat::testing
