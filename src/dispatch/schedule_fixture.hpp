// Workers without processes: runs a schedule to its end in simulated time, with deaths and thefts, and checks its
// promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "dispatch/schedule.hpp"

namespace flakestat::dispatch {

/// Names that live as long as the suite.
struct Suite {
  std::vector<std::string> ids, groups;
  std::vector<bool> serial, urgent;
  std::vector<double> takes;  ///< really
  std::vector<std::optional<double>> expected;

  void add(std::string id, double seconds, bool known = true, std::string group = {}, bool is_serial = false) {
    ids.push_back(std::move(id));
    groups.push_back(std::move(group));
    serial.push_back(is_serial);
    urgent.push_back(false);
    takes.push_back(seconds);
    expected.push_back(known ? std::optional(seconds) : std::nullopt);
  }

  [[nodiscard]] std::size_t size() const { return ids.size(); }

  [[nodiscard]] std::vector<ScheduledTest> tests() const {
    std::vector<ScheduledTest> all;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      all.push_back(
          {.id = ids[i], .group = groups[i], .serial = serial[i], .urgent = urgent[i], .seconds = expected[i]});
    }
    return all;
  }
};

/// One execution: where, when.
struct Ran {
  std::size_t test = 0;
  int worker = 0;
  double begin = 0, end = 0;
};

struct SimulationOptions {
  int workers = 2;
  std::size_t lookahead = 2;  ///< tests that a worker holds and cannot be robbed of
  std::size_t queue = 2;      ///< tests that it is handed in advance
  double death_rate = 0;      ///< of executions that end with their process
  bool steal = false;
  unsigned seed = 1;
};

class Simulation {
 public:
  Simulation(Schedule& schedule, const std::vector<double>& takes, SimulationOptions options)
      : schedule_(schedule), takes_(takes), options_(options), random_(options.seed) {
    for (int k = 0; k < options.workers; ++k) queues_[k] = {};
  }

  /// Runs until nothing is left; a schedule that no longer hands out fails the test.
  std::vector<Ran> run() {
    feed_all();
    while (!schedule_.done()) {
      const int worker = first_to_end();
      if (worker < 0) {
        ADD_FAILURE() << schedule_.unfinished() << " tests are left, and nobody is handed one";
        break;
      }
      end_of(worker);
      feed_all();
    }
    for (int k = 0; k < options_.workers; ++k) EXPECT_EQ(schedule_.next(k).kind, Schedule::Next::Kind::never);
    return ran_;
  }

 private:
  struct Queue {
    std::deque<std::size_t> tests;
    bool running = false;
    double until = 0;  ///< while running
  };

  int first_to_end() const {
    int first = -1;
    for (const auto& [worker, queue] : queues_) {
      if (queue.running && (first < 0 || queue.until < queues_.at(first).until)) first = worker;
    }
    return first;
  }

  void end_of(int worker) {
    auto& queue = queues_[worker];
    now_ = queue.until;
    const auto test = queue.tests.front();
    queue.tests.pop_front();
    queue.running = false;
    schedule_.finished(worker, test);
    if (std::uniform_real_distribution<>(0, 1)(random_) >= options_.death_rate) return;
    schedule_.give_back(worker, {queue.tests.begin(), queue.tests.end()});
    queue.tests.clear();
  }

  void feed_all() {
    std::vector<int> order;
    for (const auto& [worker, queue] : queues_) order.push_back(worker);
    std::shuffle(order.begin(), order.end(), random_);
    for (const int k : order) {
      feed(k);
      if (queues_[k].tests.empty() && options_.steal) rob_for(k);
    }
    for (const int k : order) feed(k);
  }

  void feed(int worker) {
    auto& queue = queues_[worker];
    while (queue.tests.size() < options_.queue) {
      const auto next = schedule_.next(worker);
      if (next.kind != Schedule::Next::Kind::run) break;
      queue.tests.push_back(next.test);
    }
    if (queue.running || queue.tests.empty()) return;
    queue.running = true;
    queue.until = now_ + takes_[queue.tests.front()];
    ran_.push_back({queue.tests.front(), worker, now_, queue.until});
  }

  // As a pool does it: the later half of what the fullest queue does not hold.
  void rob_for(int thief) {
    int victim = 0;
    for (int k = 0; k < options_.workers; ++k) {
      if (queues_[k].tests.size() > queues_[victim].tests.size()) victim = k;
    }
    auto& queue = queues_[victim].tests;
    if (queue.size() <= options_.lookahead) return;
    std::vector<std::size_t> stolen;
    while (queue.size() > options_.lookahead && stolen.size() <= queue.size()) {
      if (!schedule_.may_steal(victim, queue.back())) break;
      stolen.push_back(queue.back());
      queue.pop_back();
    }
    schedule_.give_back(victim, stolen);
    feed(thief);
  }

  Schedule& schedule_;
  const std::vector<double>& takes_;
  SimulationOptions options_;
  std::mt19937 random_;
  std::map<int, Queue> queues_;
  std::vector<Ran> ran_;
  double now_ = 0;
};

inline double makespan(const std::vector<Ran>& ran) {
  double end = 0;
  for (const auto& one : ran) end = std::max(end, one.end);
  return end;
}

}  // namespace flakestat::dispatch
