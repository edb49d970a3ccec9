#include "dispatch/dispatcher.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace flakestat::dispatch {
namespace {

RunAttempt result(int number, RunStatus status) {
  RunAttempt attempt;
  attempt.attempt = number;
  attempt.status = status;
  attempt.seconds = 0.01;
  return attempt;
}

// Remembers what was settled, and that the events of each test were in order.
class Recorder final : public RunSink {
 public:
  void take(const RunEvent& event) override {
    if (const auto* attempt = std::get_if<AttemptFinished>(&event)) {
      EXPECT_EQ(attempt->attempt.attempt, static_cast<int>(attempts[attempt->test]++)) << attempt->test;
      EXPECT_FALSE(settled.contains(attempt->test)) << attempt->test;
    } else if (const auto* done = std::get_if<TestSettled>(&event)) {
      EXPECT_TRUE(settled.emplace(done->test, *done).second) << "settled twice: " << done->test;
    } else if (const auto* lost = std::get_if<WorkerLost>(&event)) {
      losses.push_back(*lost);
    }
  }
  std::map<std::size_t, std::size_t> attempts;
  std::map<std::size_t, TestSettled> settled;
  std::vector<WorkerLost> losses;
};

struct Suite {
  explicit Suite(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back("tests/test_" + std::to_string(i / 7) + ".py::test_" + std::to_string(i));
      order.push_back(i);
    }
    for (const auto& id : ids) scheduled.push_back({.id = id});
  }
  std::vector<std::string> ids;
  std::vector<std::size_t> order;
  std::vector<ScheduledTest> scheduled;
};

// Workers as the pool has them: each takes one test after the other from its feed.
class FakePool {
 public:
  FakePool(const Suite& suite, int workers, RerunPolicy policy, std::vector<TestPolicy> tests = {},
           Dist dist = Dist::load)
      : lifecycle(policy, tests.empty() ? std::vector<TestPolicy>(suite.ids.size()) : std::move(tests)),
        dispatcher({workers, 32, std::max(workers, 4)}, suite.order, lifecycle,
                   Schedule(suite.scheduled, dist, workers), sink) {
    for (int worker = 0; worker < workers; ++worker) workers_.emplace_back();
  }

  struct Worker {
    std::deque<Feed> feed;  ///< in the socket
    std::optional<Feed> running;
    bool ready = false;
    bool quit = false;
    bool dead = false;
  };

  // In the order in which they were decided: what carrying one out brings comes after the others.
  void obey(const Dispatcher::Orders& orders) {
    orders_.insert(orders_.end(), orders.begin(), orders.end());
    if (std::exchange(obeying_, true)) return;
    while (!orders_.empty()) {
      const auto order = orders_.front();
      orders_.pop_front();
      obey_one(order);
    }
    obeying_ = false;
  }

  // Lets a worker begin the next test, if it has one.
  void begin(int number) {
    auto& worker = at(number);
    if (worker.dead || worker.running || worker.feed.empty()) return;
    worker.running = worker.feed.front();
    worker.feed.pop_front();
    EXPECT_TRUE(running_.insert(worker.running->test).second) << "runs twice at once: " << worker.running->test;
  }

  void finish(int number, RunStatus status) {
    auto& worker = at(number);
    if (!worker.running) return;
    const auto run = *worker.running;
    ++executions;
    const auto ended = result(run.attempt, status);
    const bool asks = awaits_answer(ended);
    answered_ = false;
    if (!asks) end_of(number);
    obey(dispatcher.attempt_done(number, run.test, ended));
    EXPECT_EQ(answered_, asks) << "who waits is answered, and nobody else";
  }

  void kill(int number, bool in_test = true) {
    auto& worker = at(number);
    if (worker.dead) return;
    Loss loss;
    loss.how = "signal 9";
    if (in_test && worker.running) {
      loss.in_flight = InFlight{worker.running->test, worker.running->attempt, RunPhase::call, 0, 0};
      ++executions;
    }
    if (worker.running) running_.erase(worker.running->test);
    worker.dead = true;
    worker.running.reset();
    worker.feed.clear();
    obey(dispatcher.lost(number, loss));
  }

  Worker& at(int number) { return workers_[static_cast<std::size_t>(number)]; }
  int count() const { return static_cast<int>(workers_.size()); }

  // Everybody works until nothing is left to do.
  void run_out(const std::function<RunStatus(std::size_t, int)>& outcome) {
    for (int round = 0; round < 1'000'000 && !dispatcher.over(); ++round) {
      bool moved = false;
      for (int number = 0; number < count(); ++number) {
        auto& worker = at(number);
        if (!worker.dead && !std::exchange(worker.ready, true)) {
          obey(dispatcher.ready(number));
          moved = true;
        }
        begin(number);
        if (!at(number).running) continue;
        const auto run = *at(number).running;
        finish(number, outcome(run.test, run.attempt));
        moved = true;
      }
      if (!moved) break;
    }
  }

  Recorder sink;
  Lifecycle lifecycle;
  Dispatcher dispatcher;
  std::size_t executions = 0;

 private:
  void end_of(int number) {
    running_.erase(at(number).running->test);
    at(number).running.reset();
  }

  void take_answer(const Answer& answer) {
    answered_ = true;
    auto& worker = at(answer.worker);
    if (answer.rerun) ++worker.running->attempt;
    else end_of(answer.worker);
  }

  void obey_one(const Order& order) {
    if (const auto* feed = std::get_if<Feed>(&order)) at(feed->worker).feed.push_back(*feed);
    if (const auto* quit = std::get_if<Quit>(&order)) at(quit->worker).quit = true;
    if (std::holds_alternative<StartWorker>(order)) workers_.emplace_back();
    if (const auto* answer = std::get_if<Answer>(&order)) take_answer(*answer);
    if (const auto* back = std::get_if<TakeBack>(&order)) give_back(back->worker);
  }

  void give_back(int number) {
    std::vector<std::size_t> tests;
    for (const auto& feed : at(number).feed) tests.push_back(feed.test);
    at(number).feed.clear();
    obey(dispatcher.taken_back(number, tests));
  }

  std::vector<Worker> workers_;
  std::deque<Order> orders_;
  bool obeying_ = false;
  std::set<std::size_t> running_;
  bool answered_ = false;
};

RerunPolicy reruns(int count) {
  RerunPolicy policy;
  policy.reruns = count;
  policy.breaker = 0;
  return policy;
}

TEST(Dispatcher, EveryTestIsSettledOnce) {
  const Suite suite(100);
  FakePool pool(suite, 3, reruns(1));
  pool.run_out([](std::size_t test, int) { return test % 10 == 0 ? RunStatus::failed : RunStatus::passed; });
  EXPECT_TRUE(pool.dispatcher.over());
  EXPECT_EQ(pool.sink.settled.size(), 100U);
  EXPECT_EQ(pool.executions, 110U);
  EXPECT_EQ(pool.lifecycle.totals().failed, 10U);
}

TEST(Dispatcher, WhatIsUrgentIsBegunFirstByAllWorkers) {
  Suite suite(40);
  for (const std::size_t urgent : {1U, 2U, 5U}) suite.scheduled[urgent].urgent = true;
  FakePool pool(suite, 3, reruns(0));
  pool.obey(pool.dispatcher.all_ready());
  for (int number = 0; number < 3; ++number) EXPECT_TRUE(suite.scheduled[pool.at(number).feed.front().test].urgent);
}

TEST(Dispatcher, ASkipAfterAFailureIsRerunWithinTheBudget) {
  const Suite suite(10);
  FakePool pool(suite, 2, reruns(3));
  pool.run_out([](std::size_t test, int attempt) {
    if (test != 4) return RunStatus::passed;
    return attempt == 0 ? RunStatus::failed : attempt == 1 ? RunStatus::skipped : RunStatus::passed;
  });
  EXPECT_TRUE(pool.dispatcher.over());
  EXPECT_EQ(pool.executions, 12U);
  EXPECT_EQ(pool.sink.settled.at(4).fate, RunFate::flaky);
}

TEST(Dispatcher, WhatIsMeasuredUsesTheWholeBudget) {
  const Suite suite(10);
  auto policy = reruns(4);
  policy.measure = true;
  FakePool pool(suite, 2, policy);
  pool.run_out([](std::size_t test, int attempt) {
    return test == 4 && attempt % 2 == 0 ? RunStatus::failed : RunStatus::passed;
  });
  EXPECT_TRUE(pool.dispatcher.over());
  EXPECT_EQ(pool.sink.settled.at(4).attempts.size(), 5U);
  EXPECT_EQ(pool.sink.settled.at(4).fate, RunFate::flaky);
  EXPECT_EQ(pool.executions, 14U);
}

TEST(Dispatcher, AnEmptySuiteEndsAtOnce) {
  const Suite suite(0);
  FakePool pool(suite, 2, reruns(0));
  pool.run_out([](std::size_t, int) { return RunStatus::passed; });
  EXPECT_TRUE(pool.dispatcher.over());
}

TEST(Dispatcher, OnlyTheTestInFlightIsChargedWithACrash) {
  const Suite suite(20);
  FakePool pool(suite, 2, reruns(0));
  pool.at(0).ready = pool.at(1).ready = true;
  pool.obey(pool.dispatcher.ready(0));
  pool.obey(pool.dispatcher.ready(1));
  pool.begin(0);
  const auto victim = pool.at(0).running->test;
  pool.kill(0);
  pool.run_out([](std::size_t, int) { return RunStatus::passed; });
  EXPECT_EQ(pool.sink.settled.size(), 20U);
  EXPECT_EQ(pool.sink.settled.at(victim).fate, RunFate::error);
  EXPECT_EQ(pool.sink.settled.at(victim).attempts.back().trouble, RunTrouble::crashed);
  EXPECT_EQ(pool.lifecycle.totals().passed, 19U);
  ASSERT_EQ(pool.sink.losses.size(), 1U);
  EXPECT_TRUE(pool.sink.losses.front().replaced);
}

TEST(Dispatcher, ACrashBetweenTestsIsChargedToNone) {
  const Suite suite(20);
  FakePool pool(suite, 1, reruns(0));
  pool.at(0).ready = true;
  pool.obey(pool.dispatcher.ready(0));
  pool.begin(0);
  pool.finish(0, RunStatus::passed);
  pool.kill(0, false);
  pool.run_out([](std::size_t, int) { return RunStatus::passed; });
  EXPECT_EQ(pool.lifecycle.totals().passed, 20U);
  EXPECT_EQ(pool.executions, 20U);
}

TEST(Dispatcher, ACrashIsRetriedWithinTheBudgetByAnother) {
  const Suite suite(6);
  FakePool pool(suite, 2, reruns(1));
  pool.at(0).ready = pool.at(1).ready = true;
  pool.obey(pool.dispatcher.ready(0));
  pool.obey(pool.dispatcher.ready(1));
  pool.begin(0);
  const auto victim = pool.at(0).running->test;
  pool.kill(0);
  pool.run_out([](std::size_t, int) { return RunStatus::passed; });
  EXPECT_EQ(pool.sink.settled.at(victim).fate, RunFate::flaky);
  EXPECT_EQ(pool.executions, 7U) << "nothing else was run again";
}

TEST(Dispatcher, TooManyDeathsEndTheRunAndTheRestIsNotRun) {
  const Suite suite(50);
  FakePool pool(suite, 1, reruns(0));
  for (int number = 0; number < pool.count(); ++number) {
    pool.at(number).ready = true;
    pool.obey(pool.dispatcher.ready(number));
    pool.begin(number);
    pool.kill(number);
  }
  EXPECT_TRUE(pool.dispatcher.over());
  EXPECT_TRUE(pool.dispatcher.gave_up());
  EXPECT_EQ(pool.lifecycle.totals().errors, 5U);
  EXPECT_EQ(pool.lifecycle.totals().not_run, 45U);
}

TEST(Dispatcher, MaxfailEndsTheRunAndNothingNewIsBegun) {
  const Suite suite(50);
  auto policy = reruns(0);
  policy.maxfail = 1;
  FakePool pool(suite, 2, policy);
  pool.at(0).ready = pool.at(1).ready = true;
  pool.obey(pool.dispatcher.ready(0));
  pool.obey(pool.dispatcher.ready(1));
  pool.begin(0);
  pool.begin(1);
  pool.finish(0, RunStatus::failed);
  EXPECT_TRUE(pool.dispatcher.stopping());
  pool.finish(1, RunStatus::passed);
  EXPECT_TRUE(pool.at(0).feed.empty());
  EXPECT_TRUE(pool.at(1).feed.empty());
  EXPECT_TRUE(pool.dispatcher.over());
  EXPECT_EQ(pool.sink.settled.size(), 2U);
}

TEST(Dispatcher, AWorkerWithNothingToDoGetsWhatAnotherHasNotBegun) {
  const Suite suite(4);
  FakePool pool(suite, 2, reruns(0));
  pool.at(0).ready = true;
  pool.obey(pool.dispatcher.ready(0));
  pool.begin(0);  // and runs for long
  pool.at(1).ready = true;
  pool.obey(pool.dispatcher.ready(1));
  for (int i = 0; i < 3; ++i) {
    pool.begin(1);
    pool.finish(1, RunStatus::passed);
  }
  EXPECT_EQ(pool.sink.settled.size(), 3U) << "all but the long one";
  pool.finish(0, RunStatus::passed);
  EXPECT_TRUE(pool.dispatcher.over());
}

TEST(Dispatcher, AResultThatNobodyAskedForIsNotBelieved) {
  const Suite suite(3);
  FakePool pool(suite, 1, reruns(0));
  pool.obey(pool.dispatcher.ready(0));
  pool.begin(0);
  const auto running = pool.at(0).running->test;
  pool.obey(pool.dispatcher.attempt_done(0, running, result(7, RunStatus::passed)));
  EXPECT_TRUE(pool.sink.settled.empty());
}

// Random workers, failures, deaths, distributions: whatever happens, no test is lost, doubled or run twice at once.
TEST(Dispatcher, NoTestIsLostOrDoubledWhateverHappens) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 chance(seed);
    const auto pick = [&](int below) { return static_cast<int>(chance() % static_cast<unsigned>(below)); };
    Suite suite(static_cast<std::size_t>(pick(60)));
    for (std::size_t i = 0; i < suite.scheduled.size(); ++i) {
      suite.scheduled[i].serial = pick(20) == 0;
      if (pick(4) == 0) suite.scheduled[i].group = i % 2 == 0 ? "even" : "odd";
      if (pick(3) == 0) suite.scheduled[i].seconds = pick(100) / 10.0;
    }
    constexpr Dist kDists[] = {Dist::load, Dist::loadfile, Dist::loadscope, Dist::loadgroup};
    FakePool pool(suite, 1 + pick(4), reruns(pick(3)), {}, kDists[pick(4)]);
    for (int step = 0; step < 200; ++step) {
      const int number = pick(pool.count());
      if (pool.at(number).dead) continue;
      if (!std::exchange(pool.at(number).ready, true)) pool.obey(pool.dispatcher.ready(number));
      else if (pick(60) == 0) pool.kill(number, pick(3) > 0);
      else if (pool.at(number).running) pool.finish(number, pick(4) == 0 ? RunStatus::failed : RunStatus::passed);
      else pool.begin(number);
    }
    pool.run_out([&](std::size_t, int) { return pick(5) == 0 ? RunStatus::failed : RunStatus::passed; });
    ASSERT_TRUE(pool.dispatcher.over()) << seed << " " << pool.sink.settled.size() << " of " << suite.ids.size();
    const auto totals = pool.lifecycle.totals();
    EXPECT_EQ(pool.sink.settled.size() + totals.not_run, suite.ids.size()) << seed;
    EXPECT_TRUE(pool.dispatcher.gave_up() || totals.not_run == 0) << seed;
    for (const auto& [test, settled] : pool.sink.settled) {
      EXPECT_EQ(settled.attempts.size(), pool.sink.attempts[test]) << seed;
    }
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace flakestat::dispatch
