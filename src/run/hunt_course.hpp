// The course of a hunt: which run may start next. Pure.
//
//   run 1, alone --> runs 2..N, up to `parallel` at once --> up to `verify` runs alone, while something seen beside
//                                                            other copies has not been seen alone --> over
//
// Run 1 is always alone and outside isolation: it warms caches, and it is what the copies are compared with.
#pragma once

#include <cstddef>
#include <optional>

#include "run/hunt_order.hpp"

namespace flakestat::run {

struct CourseRules {
  int runs = 20;
  int parallel = 1;  ///< runs at the same time, from run 2 on
  int verify = 5;    ///< runs alone after parallel ones, at most
};

struct CourseFacts {
  int running = 0;        ///< started and not ended
  int ended = 0;          ///< with a result
  bool enough = false;    ///< no further run that measures: settled, first disagreement, given up, out of time
  bool stopped = false;   ///< no further run at all: interrupted
  bool late = false;      ///< a run that began now would end too late
  bool doubtful = false;  ///< some disagreement was seen beside other copies and not alone
};

class HuntCourse {
 public:
  explicit HuntCourse(const CourseRules& rules) : rules_(rules) {}

  /// The run to start now; nothing while one must be waited for first. With nothing running, nothing to start means
  /// that the hunt is over. Each order is given once.
  [[nodiscard]] std::optional<RunOrder> next(const CourseFacts& facts);

  /// Runs that were ordered to verify.
  [[nodiscard]] int verifying() const { return verifying_; }
  /// Some run was not ordered because it was too late for it.
  [[nodiscard]] bool cut_short() const { return cut_short_; }

 private:
  [[nodiscard]] std::optional<RunOrder> measure(const CourseFacts& facts);
  [[nodiscard]] std::optional<RunOrder> verify(const CourseFacts& facts);
  [[nodiscard]] std::optional<RunOrder> in_time(const CourseFacts& facts);
  RunOrder order(RunMode mode, RunPurpose purpose);

  CourseRules rules_;
  int next_ = 1;
  int verifying_ = 0;
  bool measured_ = false;
  bool cut_short_ = false;
};

}  // namespace flakestat::run
