// The contract's histories (tests/data/scoring-*.json) as logs. Included by *_test.cpp only.
#pragma once

#include <simdjson.h>

#include <string>

#include "stats/history_fixture.hpp"

namespace flakestat::stats::fixture {

/// One of the contract's examples as a log.
struct Example {
  LogBook log;
  bool environments_in_order = true;  ///< the fold visits them by name; a few histories do not
  bool hit_rate_given = false;        ///< the log cannot say that: it is found from the other tests of a job
};

/// An hour a commit, every entry a run of its own a minute after the one before, repetitions in the order of the
/// outcomes.
inline Example as_log(simdjson::dom::element example) {
  Example out;
  std::string commit;
  std::string environment;
  UnixMillis ts = kNoon;
  for (auto run : simdjson::dom::array(example["runs"])) {
    Place at;
    at.commit = std::string(std::string_view(run["commit"]));
    at.branch = std::string(std::string_view(run["branch"]));
    at.os = std::string(std::string_view(run["env"]));
    if (at.commit != commit) ts += kHour;
    else if (at.os < environment) out.environments_in_order = false;
    commit = at.commit;
    environment = at.os;
    at.ts = ts += 60'000;
    at.run_id = "run" + std::to_string(ts);
    out.log.add_all(at, "t", std::string_view(run["outcomes"]));
    double hit = 0;
    out.hit_rate_given = out.hit_rate_given || run["hit_rate"].get(hit) == simdjson::SUCCESS;
  }
  return out;
}

}  // namespace flakestat::stats::fixture
