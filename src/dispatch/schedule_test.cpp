#include "dispatch/schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "dispatch/schedule_fixture.hpp"

namespace flakestat::dispatch {
namespace {

using Kind = Schedule::Next::Kind;

std::vector<std::size_t> drain(Schedule& schedule, int worker) {
  std::vector<std::size_t> all;
  for (auto next = schedule.next(worker); next.kind == Kind::run; next = schedule.next(worker))
    all.push_back(next.test);
  return all;
}

Suite files(int count, int tests_each, double seconds, bool known) {
  Suite suite;
  for (int f = 0; f < count; ++f) {
    for (int t = 0; t < tests_each; ++t) {
      suite.add("t/test_" + std::to_string(f) + ".py::test_" + std::to_string(t), seconds, known);
    }
  }
  return suite;
}

TEST(Schedule, AnEmptySuiteIsDone) {
  Schedule schedule({}, Dist::load, 4);
  EXPECT_TRUE(schedule.done());
  EXPECT_EQ(schedule.next(0).kind, Kind::never);
}

TEST(Schedule, OneWorkerRunsTheOrderThatWasGiven) {
  Suite suite;
  for (int i = 0; i < 50; ++i) suite.add("test_" + std::to_string(i % 7) + ".py::t", i % 11);
  Schedule schedule(suite.tests(), Dist::load, 1);
  const auto all = drain(schedule, 0);
  ASSERT_EQ(all.size(), 50U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
}

TEST(Schedule, WhatIsOutMayComeBackSoNobodyIsSentAway) {
  const auto suite = files(1, 2, 1, false);
  Schedule schedule(suite.tests(), Dist::load, 3);
  const auto first = schedule.next(0);
  const auto second = schedule.next(1);
  ASSERT_EQ(first.kind, Kind::run);
  ASSERT_EQ(second.kind, Kind::run);
  EXPECT_EQ(schedule.next(2).kind, Kind::later);
  schedule.give_back(1, {second.test});
  EXPECT_EQ(schedule.next(2).test, second.test);
  schedule.finished(0, first.test);
  EXPECT_EQ(schedule.next(0).kind, Kind::later);
  schedule.finished(2, second.test);
  EXPECT_EQ(schedule.next(0).kind, Kind::never);
  EXPECT_TRUE(schedule.done());
}

TEST(Schedule, WhatComesBackIsHandedOutBeforeAnythingNew) {
  const auto suite = files(10, 10, 1, false);
  Schedule schedule(suite.tests(), Dist::load, 2);
  std::vector<std::size_t> had;
  for (int i = 0; i < 5; ++i) had.push_back(schedule.next(0).test);
  schedule.finished(0, had[0]);
  schedule.give_back(0, {had[4], had[2], had[3], had[1]});
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(schedule.next(1).test, had[i]) << "in their order";
}

TEST(Schedule, GivingBackWhatOneDoesNotHaveIsNothing) {
  const auto suite = files(1, 4, 1, false);
  Schedule schedule(suite.tests(), Dist::load, 2);
  const auto test = schedule.next(0).test;
  schedule.give_back(1, {test, 77});
  schedule.finished(0, test);
  schedule.finished(0, test);
  schedule.finished(0, 99);
  schedule.give_back(0, {test, test});
  EXPECT_EQ(schedule.unfinished(), 3U);
}

TEST(Schedule, AResultThatArrivesAfterItsTestWasTakenBackCounts) {
  const auto suite = files(1, 3, 1, false);
  Schedule schedule(suite.tests(), Dist::load, 2);
  const auto first = schedule.next(0).test;
  schedule.give_back(0, {first});
  schedule.finished(0, first);
  std::vector<std::size_t> rest;
  for (auto next = schedule.next(1); next.kind == Kind::run; next = schedule.next(1)) {
    schedule.finished(1, next.test);
    rest.push_back(next.test);
  }
  EXPECT_EQ(rest, (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(schedule.done());
}

TEST(Schedule, AWorkerBeyondThoseThatWerePlannedHelps) {
  const auto suite = files(1, 3, 1, false);
  Schedule schedule(suite.tests(), Dist::load, 2);
  EXPECT_EQ(schedule.next(7).kind, Kind::run);
}

TEST(Schedule, AnIdleWorkerSharesWhatAnotherWasPromised) {
  const auto suite = files(1, 100, 1, false);
  Schedule schedule(suite.tests(), Dist::load, 2);
  const auto first = schedule.next(0).test;
  std::size_t others = 0;
  for (auto next = schedule.next(1); next.kind == Kind::run; next = schedule.next(1)) {
    schedule.finished(1, next.test);
    ++others;
  }
  EXPECT_EQ(others, 99U) << "all but the one that is out, since worker 0 never asks again";
  EXPECT_FALSE(schedule.done());
  schedule.finished(0, first);
  EXPECT_TRUE(schedule.done());
}

TEST(Schedule, FilesStayWithOneWorkerThoughBelongingTestsAreScattered) {
  Suite suite;
  for (int i = 0; i < 40; ++i) suite.add("test_" + std::to_string(i % 4) + ".py::t" + std::to_string(i), 1, false);
  Schedule schedule(suite.tests(), Dist::loadfile, 2);
  std::set<std::string> seen;
  for (int i = 0; i < 10; ++i) seen.insert(std::string(file_of(suite.ids[schedule.next(0).test])));
  EXPECT_EQ(seen.size(), 1U);
}

TEST(Schedule, ABoundUnitThatBeganReturnsToItsSlotAndOneThatDidNotGoesToWhoAsks) {
  const auto suite = files(2, 4, 1, false);
  Schedule schedule(suite.tests(), Dist::loadfile, 2);
  std::vector<std::size_t> out;
  for (int i = 0; i < 8; ++i) out.push_back(schedule.next(0).test);
  EXPECT_FALSE(schedule.may_steal(0, out[3])) << "its file begins the queue";
  EXPECT_TRUE(schedule.may_steal(0, out[4]));
  EXPECT_FALSE(schedule.may_steal(1, out[4])) << "not there";
  schedule.give_back(0, {out[2], out[3], out[4], out[5], out[6], out[7]});
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(schedule.next(1).test, out[i]);
  EXPECT_EQ(schedule.next(1).kind, Kind::later);
  EXPECT_EQ(schedule.next(0).test, out[2]);
  EXPECT_EQ(schedule.next(0).test, out[3]);
}

TEST(Schedule, AHalfStolenUnitStaysWhole) {
  const auto suite = files(2, 4, 1, false);
  Schedule schedule(suite.tests(), Dist::loadfile, 2);
  std::vector<std::size_t> out;
  for (int i = 0; i < 8; ++i) out.push_back(schedule.next(0).test);
  schedule.give_back(0, {out[6], out[7]});
  EXPECT_EQ(schedule.next(1).kind, Kind::later);
  EXPECT_EQ(schedule.next(0).test, out[6]);
}

TEST(Schedule, WhatARetiredSlotHadGoesToOthers) {
  for (const auto dist : {Dist::load, Dist::loadfile}) {
    const auto suite = files(1, 6, 1, false);
    Schedule schedule(suite.tests(), dist, 2);
    const auto first = schedule.next(0).test;
    EXPECT_EQ(schedule.next(0).kind, Kind::run);
    schedule.finished(0, first);
    EXPECT_TRUE(schedule.retire(0).empty());
    EXPECT_EQ(schedule.next(0).kind, Kind::never);
    const auto rest = drain(schedule, 1);
    EXPECT_EQ(rest, (std::vector<std::size_t>{1, 2, 3, 4, 5}));
  }
}

TEST(Schedule, SerialTestsWaitForAllOthersAndRunInOneSlot) {
  Suite suite;
  suite.add("a.py::s1", 1, false, "", true);
  suite.add("a.py::x", 1, false);
  suite.add("b.py::y", 1, false);
  suite.add("b.py::s2", 1, false, "", true);
  Schedule schedule(suite.tests(), Dist::load, 2);
  EXPECT_EQ(schedule.next(1).test, 1U);
  EXPECT_EQ(schedule.next(0).test, 2U);
  EXPECT_EQ(schedule.next(0).kind, Kind::later);
  schedule.finished(1, 1);
  EXPECT_EQ(schedule.next(1).kind, Kind::later) << "y still runs";
  schedule.finished(0, 2);
  EXPECT_EQ(schedule.next(1).kind, Kind::later) << "slot 0 is to have them";
  EXPECT_EQ(schedule.next(0).test, 0U);
  EXPECT_EQ(schedule.next(0).test, 3U) << "one behind the other, so that the process knows what follows";
  EXPECT_EQ(schedule.next(1).kind, Kind::later);
  EXPECT_FALSE(schedule.may_steal(0, 3));
  schedule.give_back(0, {0, 3});
  EXPECT_TRUE(schedule.retire(0).empty());
  EXPECT_EQ(schedule.next(1).test, 0U);
  EXPECT_EQ(schedule.next(1).test, 3U);
  schedule.finished(1, 0);
  schedule.finished(1, 3);
  EXPECT_TRUE(schedule.done());
}

TEST(Schedule, EachSlotRunsItsOwnCopyOfTheSuiteInOrder) {
  Suite suite;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i) suite.add("a.py::t" + std::to_string(i), 4 - i, true, "", i == 1);
  }
  Schedule schedule(suite.tests(), Dist::each, 3);
  for (int k = 2; k >= 0; --k) {
    const auto base = static_cast<std::size_t>(k) * 4;
    EXPECT_EQ(drain(schedule, k), (std::vector<std::size_t>{base, base + 2, base + 3}));
  }
  EXPECT_FALSE(schedule.may_steal(0, 3));
  schedule.give_back(1, {6, 7});
  EXPECT_EQ(schedule.next(0).kind, Kind::later);
  EXPECT_EQ(drain(schedule, 1), (std::vector<std::size_t>{6, 7}));
  EXPECT_EQ(schedule.retire(2), (std::vector<std::size_t>{8, 9, 10, 11}));
  for (const auto test : {0U, 2U, 3U}) schedule.finished(0, test);
  for (const auto test : {4U, 6U, 7U}) schedule.finished(1, test);
  EXPECT_EQ(schedule.next(1).kind, Kind::later);
  EXPECT_EQ(schedule.next(0).test, 1U);
  EXPECT_EQ(schedule.next(1).kind, Kind::later) << "slot 0 is running its serial test";
  schedule.finished(0, 1);
  EXPECT_EQ(schedule.next(0).kind, Kind::never);
  EXPECT_EQ(schedule.next(1).test, 5U);
  schedule.finished(1, 5);
  EXPECT_TRUE(schedule.done());
}

TEST(Schedule, NothingWaitsBehindWhatEndsLast) {
  Suite suite;
  suite.add("a.py::long", 60);
  for (int i = 0; i < 60; ++i) suite.add("b.py::t" + std::to_string(i), 1);
  Schedule schedule(suite.tests(), Dist::load, 2);
  EXPECT_EQ(drain(schedule, 0), (std::vector<std::size_t>{0}));
  EXPECT_EQ(schedule.next(0).kind, Kind::later);
}

TEST(Schedule, ShortTestsAreHandedOutAheadToTheEnd) {
  // "Later" makes a process tear down its fixtures: not for tests that are over in a moment.
  for (const bool known : {true, false}) {
    const auto suite = files(1, 8, 0.1, known);
    Schedule schedule(suite.tests(), Dist::load, 4);
    EXPECT_EQ(schedule.next(0).kind, Kind::run);
    EXPECT_EQ(schedule.next(0).kind, Kind::run);
    EXPECT_EQ(schedule.next(0).kind, Kind::run);
  }
}

TEST(Schedule, UrgentTestsComeFirstAndAreSpread) {
  auto suite = files(10, 100, 1, true);
  for (const auto i : {950U, 951U, 20U}) suite.urgent[i] = true;
  Schedule schedule(suite.tests(), Dist::load, 3);
  const std::set<std::size_t> first{schedule.next(0).test, schedule.next(1).test, schedule.next(2).test};
  EXPECT_EQ(first, (std::set<std::size_t>{950, 951, 20}));
}

// ---- promises that hold for any suite, whatever dies and is stolen

struct RandomCase {
  Suite suite;
  Dist dist = Dist::load;
  SimulationOptions options;
  Start start = Start::slow_first;
};

RandomCase random_case(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](unsigned n) { return static_cast<int>(random() % n); };
  RandomCase made;
  constexpr std::array kDists{Dist::load, Dist::loadfile, Dist::loadscope, Dist::loadgroup};
  made.dist = kDists[random() % 4];
  made.start = below(3) == 0 ? Start::as_given : Start::slow_first;
  made.options = {
      .workers = 1 + below(6), .queue = static_cast<std::size_t>(2 + below(30)), .steal = below(2) == 0, .seed = seed};
  made.options.death_rate = below(2) == 0 ? 0 : 0.05;
  const bool known = below(3) > 0;
  const bool scattered = below(3) == 0;
  std::lognormal_distribution<> seconds(-2, 2);
  const int count = below(4) == 0 ? below(6) : below(300);
  const int per_file = 1 + below(20);
  for (int i = 0; i < count; ++i) {
    const auto file = scattered ? below(10) : i / per_file;
    auto id = "f" + std::to_string(file) + ".py::C" + std::to_string(i % per_file / 4) + "::t" + std::to_string(i);
    auto group = below(4) == 0 ? "g" + std::to_string(below(3)) : "";
    made.suite.add(std::move(id), seconds(random), known && below(10) > 0, std::move(group), below(15) == 0);
    made.suite.urgent.back() = below(12) == 0;
  }
  return made;
}

std::string bond(const RandomCase& made, std::size_t test) {
  if (made.suite.serial[test]) return {};
  switch (made.dist) {
    case Dist::loadfile: return std::string(file_of(made.suite.ids[test]));
    case Dist::loadscope: return std::string(scope_of(made.suite.ids[test]));
    case Dist::loadgroup: return made.suite.groups[test];
    default: return {};
  }
}

void expect_promises(const RandomCase& made, const std::vector<Ran>& ran) {
  std::vector<int> times(made.suite.size());
  std::map<std::string, int> where;
  for (const auto& one : ran) {
    ++times[one.test];
    const auto key = bond(made, one.test);
    if (key.empty()) continue;
    EXPECT_EQ(where.try_emplace(key, one.worker).first->second, one.worker) << key << " was split";
  }
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i], 1) << made.suite.ids[i];
  double parallel_end = 0;
  for (const auto& one : ran) {
    if (!made.suite.serial[one.test]) parallel_end = std::max(parallel_end, one.end);
  }
  double serial_end = 0;
  for (const auto& one : ran) {
    if (!made.suite.serial[one.test]) continue;
    EXPECT_GE(one.begin, parallel_end) << made.suite.ids[one.test];
    EXPECT_GE(one.begin, serial_end) << "two serial tests at once";
    serial_end = one.end;
  }
}

TEST(Schedule, AnySuiteIsRunOnceWithUnitsWholeAndSerialTestsAlone) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const auto made = random_case(seed);
    Schedule schedule(made.suite.tests(), made.dist, made.options.workers, made.start);
    expect_promises(made, Simulation(schedule, made.suite.takes, made.options).run());
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Schedule, RetiredSlotsLoseNothing) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    auto made = random_case(seed);
    made.options.workers += 1;
    Schedule schedule(made.suite.tests(), made.dist, made.options.workers, made.start);
    std::mt19937 random(seed);
    std::vector<int> times(made.suite.size());
    int alive = made.options.workers;
    for (int turn = 0; !schedule.done() && turn < 100'000; ++turn) {
      const auto worker = static_cast<int>(random()) % made.options.workers;
      const auto next = schedule.next(std::abs(worker));
      if (next.kind != Kind::run) continue;
      if (random() % 20 == 0 && alive > 1) {
        EXPECT_TRUE(schedule.retire(std::abs(worker)).empty());
        --alive;
        continue;
      }
      ++times[next.test];
      schedule.finished(std::abs(worker), next.test);
    }
    EXPECT_TRUE(schedule.done());
    for (const auto count : times) EXPECT_EQ(count, 1);
    if (testing::Test::HasFailure()) return;
  }
}

// ---- how long it takes

double ideal(const Suite& suite, int workers) {
  double sum = 0;
  double longest = 0;
  for (const auto seconds : suite.takes) {
    sum += seconds;
    longest = std::max(longest, seconds);
  }
  return std::max(sum / workers, longest);
}

Suite wild_suite(unsigned seed, int count, double spread, bool known) {
  std::mt19937 random(seed);
  std::lognormal_distribution<> seconds(-3, spread);
  Suite suite;
  int file = 0;
  for (int i = 0; i < count; ++i) {
    if (random() % 25 == 0) ++file;
    suite.add("t/test_" + std::to_string(file) + ".py::test_" + std::to_string(i), seconds(random), known);
  }
  return suite;
}

TEST(Schedule, KnownDurationsComeWithinATenthOfTheIdeal) {
  for (const int workers : {2, 3, 8, 16}) {
    for (unsigned seed = 0; seed < 40; ++seed) {
      const auto suite = wild_suite(seed, 100 * workers, 0.5 + 0.05 * seed, true);
      Schedule schedule(suite.tests(), Dist::load, workers);
      const auto ran = Simulation(schedule, suite.takes, {.workers = workers, .seed = seed}).run();
      EXPECT_LE(makespan(ran), 1.1 * ideal(suite, workers) + 0.1) << workers << " workers, seed " << seed;
    }
  }
}

TEST(Schedule, LongQueuesWithTheftEndAsEvenly) {
  for (const bool known : {true, false}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const auto suite = wild_suite(seed, 2000, 1, known);
      Schedule schedule(suite.tests(), Dist::load, 4);
      const auto ran =
          Simulation(schedule, suite.takes, {.workers = 4, .queue = 1000, .steal = true, .seed = seed}).run();
      EXPECT_LE(makespan(ran), 1.1 * ideal(suite, 4) + 0.3) << seed;
    }
  }
}

TEST(Schedule, WholeFilesEndWithinTheLargestOfThem) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto suite = wild_suite(seed, 3000, 1, true);
    std::map<std::string, double> per_file;
    for (std::size_t i = 0; i < suite.size(); ++i) per_file[std::string(file_of(suite.ids[i]))] += suite.takes[i];
    double largest = 0;
    for (const auto& [file, seconds] : per_file) largest = std::max(largest, seconds);
    Schedule schedule(suite.tests(), Dist::loadfile, 4);
    const auto ran = Simulation(schedule, suite.takes, {.workers = 4, .seed = seed}).run();
    EXPECT_LE(makespan(ran), 1.1 * std::max(ideal(suite, 4), largest)) << seed;
  }
}

TEST(Schedule, ALongTestAtTheEndOfTheOnlyFileBeginsAtOnce) {
  auto suite = files(1, 1000, 1, true);
  suite.add("t/test_0.py::test_long", 500);
  Schedule schedule(suite.tests(), Dist::load, 2);
  const auto ran = Simulation(schedule, suite.takes, {}).run();
  EXPECT_LE(makespan(ran), 750 * 1.02);
}

TEST(Schedule, UnknownDurationsAreEvenedOutAtTheEnd) {
  for (const int workers : {2, 4, 8}) {
    const auto suite = wild_suite(7, 1000 * workers, 1, false);
    Schedule schedule(suite.tests(), Dist::load, workers);
    const auto ran = Simulation(schedule, suite.takes, {.workers = workers}).run();
    EXPECT_LE(makespan(ran), 1.1 * ideal(suite, workers) + 0.5) << workers;
  }
}

TEST(Schedule, FilesAreRarelySplit) {
  const auto suite = files(200, 20, 0.1, true);
  Schedule schedule(suite.tests(), Dist::load, 4);
  const auto ran = Simulation(schedule, suite.takes, {.workers = 4}).run();
  std::map<int, std::string> last;
  std::size_t setups = 0;
  for (const auto& one : ran) {
    auto file = std::string(file_of(suite.ids[one.test]));
    if (file != last[one.worker]) ++setups;
    last[one.worker] = std::move(file);
  }
  EXPECT_LE(setups, 230U) << "200 files";
}

TEST(Schedule, AMillionTestsAreHandedOutInLittleTime) {
  Suite suite;
  for (int i = 0; i < 1'000'000; ++i) {
    suite.add("t/test_" + std::to_string(i / 17) + ".py::test_" + std::to_string(i), 0.001 * (i % 997));
  }
  for (const auto dist : {Dist::load, Dist::loadfile}) {
    Schedule schedule(suite.tests(), dist, 64);
    std::size_t handed = 0;
    for (int worker = 0; !schedule.done(); worker = (worker + 1) % 64) {
      const auto next = schedule.next(worker);
      ASSERT_NE(next.kind, Kind::never);
      if (next.kind == Kind::later) continue;
      schedule.finished(worker, next.test);
      ++handed;
    }
    EXPECT_EQ(handed, 1'000'000U);
  }
}

}  // namespace
}  // namespace flakestat::dispatch
