// Random histories for property tests. Included by *_test.cpp only.
#pragma once

#include <random>
#include <string>

#include "stats/history_fixture.hpp"

namespace flakestat::stats::fixture {

/// A log with everything in it: branches, environments, shards, retries, hunts, outages, marks, modified trees, old
/// lines.
inline LogBook random_log(std::uint64_t seed, int tests, int commits) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  LogBook log;
  const bool numbered = below(2) == 0;
  for (int c = 0; c < commits; ++c) {
    Place at;
    at.commit = below(15) == 0 ? "" : "commit" + std::to_string(below(4) == 0 && c > 0 ? c - 1 : c);
    if (!at.commit.empty() && below(10) == 0) at.code = at.commit + "+tree" + std::to_string(below(3));
    at.branch = below(3) == 0 ? "feature" + std::to_string(below(3)) : "main";
    at.ts += c * 5 * kHour + below(3) * 30 * kHour;
    const bool ci = below(4) != 0;
    const bool outage = below(8) == 0;
    if (!ci) at.source = Source::hunt;
    for (std::uint32_t e = 0; e < 1 + below(3); ++e) {
      at.os = "os" + std::to_string(e);
      for (std::uint32_t shard = 0; shard < 2; ++shard) {
        at.run_id = "run" + std::to_string(c) + (ci ? "-" + std::to_string(shard) : "");
        at.dimensions.clear();
        if (ci) {
          at.dimensions["ci.run_id"] = std::to_string(c);
          at.dimensions["ci.shard"] = std::to_string(shard % 2);
          if (numbered) at.dimensions["ci.run_number"] = std::to_string(1000 - c);
        }
        for (int t = static_cast<int>(shard); t < tests; t += 2) {
          const bool failed = outage ? below(2) == 0 : below(25) == 0;
          auto& o = log.add(at, "test" + std::to_string(t) + (t % 3 == 0 ? "[a]" : ""),
                            failed           ? 'F'
                            : below(20) == 0 ? 'S'
                                             : 'P');
          o.ts += below(1000);
          o.attempt = ci ? 0 : static_cast<std::int32_t>(c % 5);
          o.known_flaky = !failed && below(60) == 0;
          o.partial = below(40) == 0;
          o.contended = !ci && below(30) == 0;
          o.ambiguous = below(50) == 0;
          if (below(30) == 0) o.exec_key.clear();
          if (below(100) == 0) o.ts = 0;
          if (failed && below(2) == 0) {
            const auto retry_attempt = o.attempt + 1;
            log.add(at, "test" + std::to_string(t) + (t % 3 == 0 ? "[a]" : ""), 'P').attempt = retry_attempt;
          }
        }
      }
    }
  }
  return log;
}

}  // namespace flakestat::stats::fixture
