// The results inside one case, and the one status they come to (docs/formats/junit.md, "Status").
#pragma once

#include <optional>

#include "formats/junit_elements.hpp"
#include "model/case.hpp"

namespace flakestat::formats {

struct Outcome {
  Status status = Status::pass;
  /// What it counts as; differs from `status` only for TestNG's SkipException and for Catch2's expected failures in
  /// suites that state their own number of skips (docs/formats/junit.md, "Counts").
  Status counted = Status::pass;
  bool known_flaky = false;
  bool quarantined = false;               ///< a failure that a list excuses
  Element decided_by = Element::unknown;  ///< whose message is the case's
};

/// Collects what a case holds; a value that is cheap to reset.
class ResultMarks {
 public:
  /// A result element that is a direct child of the case. `skip`: what its type says.
  void add(Element element, SkipType skip, ExpectedFailure expected) {
    const bool outcome = element == Element::error || element == Element::failure;
    if (outcome && skip == SkipType::assumption) element = Element::skipped;
    if (outcome && skip == SkipType::testng) testng_ |= bit(element);
    else seen_ |= bit(element);
    const bool rerun = element == Element::rerun_error || element == Element::rerun_failure;
    if (rerun && first_rerun_ == Element::unknown) first_rerun_ = element;
    if (expected != ExpectedFailure::no) expected_ = expected;
  }
  /// `status` or `result` of the case itself; the worst one counts.
  void add_attribute(Status status) {
    if (!attribute_ || rank(status) > rank(*attribute_)) attribute_ = status;
  }

  /// `suite_states_skips`: the suite claims a total of skipped cases. `quarantined`: of reruns without a failure the
  /// first is the result, as our writer has it.
  [[nodiscard]] Outcome resolve(bool suite_states_skips, bool quarantined) const;

 private:
  static constexpr unsigned bit(Element element) { return 1U << id_of(element); }
  static constexpr int rank(Status status) { return status == Status::error ? 2 : status == Status::fail ? 1 : 0; }
  [[nodiscard]] static Element worst(unsigned seen, bool failure_expected);

  unsigned seen_ = 0;
  unsigned testng_ = 0;  ///< errors and failures whose type is SkipException
  ExpectedFailure expected_ = ExpectedFailure::no;
  Element first_rerun_ = Element::unknown;
  std::optional<Status> attribute_;
};

}  // namespace flakestat::formats
