// Tiny verbs to write a log in a test and score it. Included by *_test.cpp only.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/observation.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats::fixture {

inline constexpr UnixMillis kHour = 3600 * 1000;
inline constexpr UnixMillis kNoon = 1'780'000'000'000;

/// Where and when the next lines happen.
struct Place {
  std::string commit = "c1";
  std::string code;
  std::string branch = "main";
  std::string os = "linux";
  std::string run_id;
  UnixMillis ts = kNoon;
  Source source = Source::ci;
  Dimensions dimensions;
};

class LogBook {
 public:
  std::vector<Observation> lines;

  Observation& add(const Place& at, const std::string& test, char outcome) {
    Observation o;
    o.ts = at.ts;
    o.run_id = at.run_id.empty() ? "run-" + at.commit + at.code + at.branch + at.os : at.run_id;
    o.commit = at.commit;
    o.code = at.code;
    o.branch = at.branch;
    o.source = at.source;
    o.suite = "suite";
    o.class_name = "Class";
    o.name = test;
    o.test_id = test_id(o.suite, o.class_name, o.name);
    o.status = outcome == 'P'   ? Status::pass
               : outcome == 'F' ? Status::fail
               : outcome == 'E' ? Status::error
                                : Status::skip;
    o.dimensions = at.dimensions;
    if (!at.os.empty()) o.dimensions["os"] = at.os;
    o.exec_key = to_hex(++keys_ * 0x9E3779B97F4A7C15ULL);
    return lines.emplace_back(std::move(o));
  }

  /// One repetition per letter.
  void add_all(const Place& at, const std::string& test, std::string_view outcomes) {
    std::int32_t repetition = 0;
    for (const char outcome : outcomes) add(at, test, outcome).repetition = repetition++;
  }

  /// One commit an hour per letter, on `main`.
  void add_commits(const std::string& test, std::string_view outcomes, Place at = {}) {
    for (const char outcome : outcomes) {
      at.commit = "commit" + std::to_string(1000 + commits_++);
      at.ts += kHour * static_cast<UnixMillis>(commits_);
      add(at, test, outcome);
      at.ts -= kHour * static_cast<UnixMillis>(commits_);
    }
  }

 private:
  std::uint64_t keys_ = 0;
  int commits_ = 0;
};

inline void feed(History& history, const Observation& o) { history.add(o); }

/// The contract's settings for worked examples: main is the default branch, the break rate is 0.003.
inline ScoringOptions example_options() {
  ScoringOptions options;
  options.default_branch = "main";
  options.bayes.break_rate = 0.003;
  return options;
}

inline Scores score(const std::vector<Observation>& lines, const ScoringOptions& options = example_options()) {
  History history;
  for (const auto& line : lines) feed(history, line);
  return history.score(options);
}

inline Scores score(const LogBook& log, const ScoringOptions& options = example_options()) {
  return score(log.lines, options);
}

inline std::vector<Observation> shuffled(std::vector<Observation> lines, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::shuffle(lines.begin(), lines.end(), random);
  return lines;
}

/// The score of the test of that name; a default one when there is none.
inline TestScore of(const Scores& scores, std::string_view name) {
  for (const auto& test : scores.tests) {
    if (test.name == name) return test;
  }
  return {};
}

}  // namespace flakestat::stats::fixture
