#include "formats/junit_outcome.hpp"

#include <array>

namespace flakestat::formats {
namespace {

constexpr std::array<Element, 5> kWorstFirst{Element::error, Element::failure, Element::rerun_error,
                                             Element::rerun_failure, Element::skipped};

Status status_of(Element element) {
  switch (element) {
    case Element::error:
    case Element::rerun_error: return Status::error;
    case Element::failure:
    case Element::rerun_failure: return Status::fail;
    case Element::skipped: return Status::skip;
    default: return Status::pass;
  }
}

}  // namespace

/// The element that decides; `unknown` when there is none.
Element ResultMarks::worst(unsigned seen, bool failure_expected) {
  if (failure_expected && (seen & bit(Element::skipped)) != 0) return Element::skipped;
  for (const Element element : kWorstFirst) {
    if ((seen & bit(element)) != 0) return element;
  }
  return Element::unknown;
}

Outcome ResultMarks::resolve(bool suite_states_skips, bool quarantined) const {
  Outcome outcome;
  const unsigned meant = seen_ | (testng_ != 0 ? bit(Element::skipped) : 0U);
  const bool expected = expected_ != ExpectedFailure::no;
  const bool counts_as_skip = expected_ == ExpectedFailure::todo || (expected && !suite_states_skips);
  Element by_meaning = worst(meant, expected);
  Element as_written = worst(seen_ | testng_, counts_as_skip);
  if (quarantined && (by_meaning == Element::rerun_error || by_meaning == Element::rerun_failure)) {
    by_meaning = as_written = first_rerun_;
  }
  const Status fallback = attribute_.value_or(Status::pass);
  outcome.status = by_meaning == Element::unknown ? fallback : status_of(by_meaning);
  outcome.counted = as_written == Element::unknown ? fallback : status_of(as_written);
  outcome.decided_by = by_meaning;
  const bool flaky = (seen_ & (bit(Element::flaky_error) | bit(Element::flaky_failure))) != 0;
  outcome.known_flaky = flaky && !is_failure(outcome.status);
  return outcome;
}

}  // namespace flakestat::formats
