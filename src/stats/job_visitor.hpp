// What a history shows of itself, job by job: who was tested where, and what came out.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/identity.hpp"
#include "model/timestamp.hpp"

namespace flakestat::stats {

/// A job (design, section 1).
struct JobView {
  std::uint32_t code_number = 0;  ///< position in commit order
  std::string_view code;          ///< empty: no commit was known
  std::string_view branch;        ///< of its first execution
  std::string_view environment;   ///< environment_key
  std::string_view run_id;        ///< the smallest of its run ids: what Outage::run_id names
  std::string_view ci_run;        ///< ci.run_id; empty: none
  std::string_view ci_shard;      ///< ci.shard; empty: none
  std::string_view ci_attempt;    ///< ci.attempt; empty: none
  UnixMillis started = 0;         ///< 0: not known
};

/// One scored outcome of a job, or a skip.
struct ExecutionView {
  std::uint32_t test = 0;  ///< position among the history's test ids: 0, 1, 2, ...
  TestId test_id{};
  std::string_view run_id;
  bool failed = false;
  bool skipped = false;
  bool sanitised = false;
  bool quarantined = false;
  bool partial = false;
  bool hunt = false;
};

class JobVisitor {
 public:
  virtual ~JobVisitor() = default;
  virtual void enter(const JobView& job) = 0;
  /// Of the job entered last, in order of test.
  virtual void execution(const ExecutionView& execution) = 0;
};

}  // namespace flakestat::stats
