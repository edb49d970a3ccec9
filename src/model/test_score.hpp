// A scored test: what `report --format json` shows of one test (design, section 7; docs/schema/report.schema.json).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/identity.hpp"
#include "model/status.hpp"
#include "model/timestamp.hpp"

namespace flakestat {

/// Result of a scoring model for one test. Rates are in [0, 1].
struct TestScore {
  TestId test_id{};
  TestId family_id{};
  std::string suite;
  std::string class_name;
  std::string name;
  std::string file;
  Verdict verdict = Verdict::insufficient_data;
  double score = 0;        ///< chance that two executions of the same code disagree
  double lower_bound = 0;  ///< what the evidence supports at least
  Confidence confidence = Confidence::low;
  double p_flaky = 0;      ///< bayes only
  double p_broken = 0;     ///< bayes only
  double rate = 0;         ///< expected failure rate on healthy code (bayes); failure rate of first tries (flip-rate)
  double flip_rate = 0;    ///< unweighted share of transitions that are flips
  std::uint32_t runs = 0;  ///< scored executions: skips excluded
  std::uint32_t passes = 0;
  std::uint32_t fails = 0;  ///< failures and errors
  std::uint32_t skips = 0;
  std::uint32_t sanitised = 0;
  std::uint32_t quarantined = 0;
  std::uint32_t weak_flips = 0;
  std::uint32_t transitions = 0;
  std::uint32_t same_commit_flips = 0;
  std::uint32_t cross_commit_flips = 0;
  std::uint32_t proofs = 0;
  std::uint32_t clean_runs = 0;
  double ruled_out_above = 1;  ///< flake rates above this are ruled out at 95 %
  std::uint32_t commits = 0;
  std::uint32_t branches = 0;
  std::uint32_t first_tries = 0;      ///< executions that no earlier failure had selected: no retries, no partial runs
  std::uint32_t first_try_fails = 0;  ///< first_try_fails / first_tries is the rate that retries would hide
  std::uint32_t failing_run = 0;      ///< failing executions since the last pass, in fold order
  bool known_flaky = false;
  bool possibly_fixed = false;  ///< flaky, but P(flaky) has fallen below `enter`, and it passed last
  UnixMillis first_seen = 0;
  UnixMillis last_seen = 0;
  UnixMillis last_failure = 0;             ///< 0: never failed
  std::string last_pass_commit;            ///< code of the newest pass; empty: never passed, or without a commit
  std::vector<std::string> proof_run_ids;  ///< of the newest proof's cell
  std::vector<std::string> broken_lanes;   ///< default-branch environments with P(broken) >= 0.95
};

/// See identity.hpp.
[[nodiscard]] inline std::string display_name(const TestScore& test) {
  return display_name(test.suite, test.class_name, test.name);
}

}  // namespace flakestat
