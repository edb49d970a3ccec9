#include "run/hunt_course.hpp"

namespace flakestat::run {

std::optional<RunOrder> HuntCourse::next(const CourseFacts& facts) {
  if (facts.stopped || cut_short_) return std::nullopt;
  if (!facts.late) return in_time(facts);
  auto ahead = *this;
  cut_short_ = ahead.in_time(facts).has_value();
  return std::nullopt;
}

std::optional<RunOrder> HuntCourse::in_time(const CourseFacts& facts) {
  measured_ = measured_ || facts.enough || next_ > rules_.runs;
  return measured_ ? verify(facts) : measure(facts);
}

std::optional<RunOrder> HuntCourse::measure(const CourseFacts& facts) {
  const bool first_is_over = next_ == 1 || facts.ended > 0;
  const int at_once = next_ == 1 ? 1 : rules_.parallel;
  if (!first_is_over || facts.running >= at_once) return std::nullopt;
  const bool beside = next_ > 1 && rules_.parallel > 1;
  return order(beside ? RunMode::beside : RunMode::alone, RunPurpose::measure);
}

std::optional<RunOrder> HuntCourse::verify(const CourseFacts& facts) {
  if (rules_.parallel <= 1 || !facts.doubtful || facts.running > 0 || verifying_ >= rules_.verify) return std::nullopt;
  ++verifying_;
  return order(RunMode::alone, RunPurpose::verify);
}

RunOrder HuntCourse::order(RunMode mode, RunPurpose purpose) {
  RunOrder next;
  next.run = next_++;
  next.mode = mode;
  next.purpose = purpose;
  return next;
}

}  // namespace flakestat::run
