// The words of JUnit XML: element names, and the attributes that decide a status.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/status.hpp"
#include "text/open_elements.hpp"

namespace flakestat::formats {

/// The elements that mean something, by local name. Values are ids for text::OpenElements; other names begin at
/// `unknown`.
enum class Element : text::ElementId {
  testsuites,
  testsuite,
  testrun,
  testcase,
  error,  // the results, worst first: their order is the precedence of docs/formats/junit.md
  failure,
  rerun_error,
  rerun_failure,
  skipped,
  flaky_error,
  flaky_failure,
  properties,
  property,
  system_out,
  system_err,
  unknown,
};

[[nodiscard]] constexpr text::ElementId id_of(Element element) { return static_cast<text::ElementId>(element); }
[[nodiscard]] constexpr bool is_suite(Element element) { return element <= Element::testrun; }
[[nodiscard]] constexpr bool is_result(Element element) {
  return element >= Element::error && element <= Element::flaky_failure;
}

/// The element of a name without prefix.
[[nodiscard]] Element element_of(std::string_view local_name);

/// `ns2:testcase` -> `testcase`
[[nodiscard]] std::string_view local_name(std::string_view name);

/// What `status` or `result` say in any letter case; nothing for values that say no more than "it ran".
[[nodiscard]] std::optional<Status> status_of_attribute(std::string_view value);

/// A failure or error of this type is a test that did not want to run.
enum class SkipType : std::uint8_t {
  none,
  assumption,  ///< AssumptionViolatedException, TestAbortedException
  testng,      ///< SkipException: a skip in meaning, but counted as it is written (docs/formats/junit.md)
};
[[nodiscard]] SkipType skip_type(std::string_view type);

/// A `skipped` element beside a failure that was expected.
enum class ExpectedFailure : std::uint8_t {
  no,
  todo,    ///< node:test
  catch2,  ///< !mayfail, !shouldfail
};
[[nodiscard]] ExpectedFailure expected_failure(std::string_view type, std::string_view message);

/// Roots of files that stand beside reports and hold no results.
[[nodiscard]] bool is_companion_root(std::string_view root);

}  // namespace flakestat::formats
