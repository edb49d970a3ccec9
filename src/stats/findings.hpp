// What a trace says beside the score: rates, since when clean, since when failing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/test_score.hpp"
#include "stats/detectability.hpp"
#include "stats/trace.hpp"

namespace flakestat::stats {

/// The newest executions that all ended alike, and where they begin.
struct Stretch {
  std::uint64_t runs = 0;
  std::string code;      ///< empty: unknown
  UnixMillis since = 0;  ///< 0: unknown
};

/// A context whose newest executions failed.
struct FailingContext {
  std::uint32_t context = 0;  ///< in Trace::contexts
  Stretch failing;
  std::optional<std::string> last_pass;  ///< the code; nothing: never passed there
};

struct FirstTryRate {
  std::uint64_t tries = 0;
  std::uint64_t fails = 0;
  std::uint64_t tries_in_outages = 0;
  std::uint64_t fails_in_outages = 0;
  double rate = 0;
  Interval interval;      ///< 95 %
  bool any_stop = false;  ///< the interval holds whenever one stops: a hunt may have stopped at a failure
};

struct Findings {
  FirstTryRate first_tries;
  Stretch clean;    ///< passes since the newest failure that was not discounted
  Stretch failing;  ///< failures since the newest pass, when all contexts of the default branch (or all) fail now
  std::optional<Stretch> last_pass;        ///< the newest pass before `failing`; runs: all passes
  std::vector<FailingContext> failing_in;  ///< contexts of the default branch (or all) that fail now
  std::uint64_t codes_failing_now = 0;     ///< distinct codes in `failing`
  std::uint64_t failures_in_outages = 0;
  std::uint64_t failures_elsewhere = 0;  ///< on other branches than the default one, where it ran on that too
  std::uint64_t failures_under_contention = 0;
  std::uint64_t largest_burst = 0;  ///< most first tries on one code
};

/// `score` is that of the trace's test.
[[nodiscard]] Findings find(const Trace& trace, const TestScore& score);

}  // namespace flakestat::stats
