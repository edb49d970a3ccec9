// What scoring costs: nanoseconds of processor time per History::add and per scored execution, and the memory both
// took.
//   scoring_bench [observations=1000000] [tests=10000] [environments=1] [threads=1] [rounds=5]
// Every job runs all tests once; 1 % of the tests flake at 5 % and failures are retried once. The medians are printed.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "stats/scoring.hpp"

namespace {

using namespace flakestat;

struct Shape {
  std::size_t observations = 1'000'000;
  std::size_t tests = 10'000;
  std::size_t environments = 1;
  int threads = 1;
  int rounds = 5;
};

struct Named {
  std::string suite, class_name, name, file;
  TestId id{};
};

std::vector<Named> make_tests(std::size_t count) {
  std::vector<Named> out;
  for (std::size_t i = 0; i < count; ++i) {
    Named t;
    t.suite = "tests.module" + std::to_string(i / 100);
    t.class_name = t.suite + ".TestClass" + std::to_string(i / 20);
    t.name = "test_behaviour_number_" + std::to_string(i);
    t.file = "tests/module" + std::to_string(i / 100) + ".py";
    t.id = test_id(t.suite, t.class_name, t.name);
    out.push_back(std::move(t));
  }
  return out;
}

// Calls `sink` with every observation, as a log reader would.
template <class Sink>
void generate(const Shape& shape, const std::vector<Named>& tests, Sink sink) {
  std::mt19937_64 random(7);
  std::uint64_t key = 0;
  std::size_t left = shape.observations;
  for (std::size_t job = 0; left > 0; ++job) {
    const std::string commit =
        "5f1e0c3a9b" + std::to_string(1'000'000 + job / shape.environments) + "0123456789abcdef01234567";
    const std::string run = "20260817T100000-" + std::to_string(100'000 + job);
    const std::string os = "linux" + std::to_string(job % shape.environments);
    const std::string raw = R"({"arch":"x86_64","ci.provider":"github","ci.run_id":")" + run +
                            R"(","ci.run_number":")" + std::to_string(job) + R"(","os":")" + os +
                            R"(","runtime.name":"python"})";
    const std::pair<std::string_view, std::string_view> pairs[] = {
        {"arch", "x86_64"}, {"ci.provider", "github"}, {"ci.run_id", run}, {"os", os}, {"runtime.name", "python"}};
    ObservationView o;
    o.has_ts = true;
    o.ts = 1'780'000'000'000 + static_cast<UnixMillis>(job) * 1'800'000;
    o.run_id = run;
    o.commit = o.code = commit;
    o.branch = job % 5 == 4 ? "feature/x" : "main";
    o.dimensions = pairs;
    o.dimensions_raw = raw;
    char exec_key[17];
    const auto emit = [&](const Named& t, bool failed, int attempt) {
      o.test_id = t.id;
      o.suite = t.suite;
      o.class_name = t.class_name;
      o.name = t.name;
      o.file = t.file;
      o.status = failed ? Status::fail : Status::pass;
      o.attempt = attempt;
      std::uint64_t digits = ++key * 0x9E3779B97F4A7C15ULL;
      for (int i = 16; i-- > 0; digits >>= 4) exec_key[i] = "0123456789abcdef"[digits & 15];
      o.exec_key = {exec_key, 16};
      sink(o);
      --left;
    };
    for (std::size_t i = 0; i < tests.size() && left > 0; ++i) {
      o.ts += 3;
      const bool failed = i % 100 == 0 && random() % 20 == 0;
      emit(tests[i], failed, 0);
      if (failed && left > 0) emit(tests[i], false, 1);
    }
  }
}

// Processor time of all threads: other load on the machine hardly changes it.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

double since(double start) { return now() - start; }

// Makes the compiler believe that all of the observation is read.
void keep(const ObservationView& o) { asm volatile("" : : "r"(&o) : "memory"); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Shape shape;
  if (argc > 1) shape.observations = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) shape.tests = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) shape.environments = std::strtoull(argv[3], nullptr, 10);
  if (argc > 4) shape.threads = std::atoi(argv[4]);
  if (argc > 5) shape.rounds = std::atoi(argv[5]);
  const auto tests = make_tests(shape.tests);
  std::vector<double> generating, adding, scoring;
  stats::ScoringOptions options;
  options.default_branch = "main";
  options.threads = shape.threads;
  double checksum = 0;
  for (int round = 0; round < shape.rounds; ++round) {
    auto start = now();
    generate(shape, tests, [&](const ObservationView& o) { keep(o); });
    generating.push_back(since(start));
    stats::History history;
    start = now();
    generate(shape, tests, [&](const ObservationView& o) { history.add(o); });
    adding.push_back(since(start));
    start = now();
    const auto scores = history.score(options);
    scoring.push_back(since(start));
    for (const auto& test : scores.tests) checksum += test.score;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto n = static_cast<double>(shape.observations);
  std::printf("%zu observations, %zu tests, %zu environments, %d threads, median of %d\n", shape.observations,
              shape.tests, shape.environments, shape.threads, shape.rounds);
  std::printf("  add    %6.1f ns (generator %.1f ns taken off)\n", (median(adding) - median(generating)) / n,
              median(generating) / n);
  std::printf("  score  %6.1f ns an execution, %.1f ms in all\n", median(scoring) / n, median(scoring) / 1e6);
  std::printf("  peak   %ld MB  (checksum %.6f)\n", usage.ru_maxrss / 1024, checksum);
  return 0;
}
