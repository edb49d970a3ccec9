#include "formats/junit_elements.hpp"

#include <algorithm>
#include <array>

namespace flakestat::formats {
namespace {

bool equals_caseless(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b;
         });
}

bool any_of_caseless(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return equals_caseless(text, word); });
}

Element match(std::string_view name, std::string_view word, Element element) {
  return name == word ? element : Element::unknown;
}

}  // namespace

Element element_of(std::string_view name) {
  switch (name.size()) {
    case 5: return match(name, "error", Element::error);
    case 7:
      if (name == "failure") return Element::failure;
      if (name == "skipped") return Element::skipped;
      return match(name, "testrun", Element::testrun);
    case 8:
      if (name == "testcase") return Element::testcase;
      if (name == "property") return Element::property;
      return match(name, "disabled", Element::skipped);
    case 9: return match(name, "testsuite", Element::testsuite);
    case 10:
      if (name == "system-out") return Element::system_out;
      if (name == "system-err") return Element::system_err;
      if (name == "testsuites") return Element::testsuites;
      if (name == "properties") return Element::properties;
      if (name == "rerunError") return Element::rerun_error;
      return match(name, "flakyError", Element::flaky_error);
    case 12:
      if (name == "rerunFailure") return Element::rerun_failure;
      return match(name, "flakyFailure", Element::flaky_failure);
    default: return Element::unknown;
  }
}

std::string_view local_name(std::string_view name) {
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::optional<Status> status_of_attribute(std::string_view value) {
  if (value.size() < 4 || value.size() > 10) return std::nullopt;
  if (any_of_caseless(value, {"notrun", "disabled", "skipped", "ignored", "suppressed", "pending"}))
    return Status::skip;
  if (any_of_caseless(value, {"fail", "failed", "failure"})) return Status::fail;
  if (any_of_caseless(value, {"error", "errored"})) return Status::error;
  return std::nullopt;
}

SkipType skip_type(std::string_view type) {
  const auto at = type.find_last_of(".$");
  if (at != std::string_view::npos) type.remove_prefix(at + 1);
  if (type == "AssumptionViolatedException" || type == "TestAbortedException") return SkipType::assumption;
  return type == "SkipException" ? SkipType::testng : SkipType::none;
}

ExpectedFailure expected_failure(std::string_view type, std::string_view message) {
  if (type == "todo") return ExpectedFailure::todo;
  const bool tagged =
      message.find("!mayfail") != std::string_view::npos || message.find("!shouldfail") != std::string_view::npos;
  return tagged ? ExpectedFailure::catch2 : ExpectedFailure::no;
}

bool is_companion_root(std::string_view root) {
  static constexpr std::array<std::string_view, 14> kCompanions{
      "failsafe-summary", "coverage", "checkstyle", "report", "pmd",           "pmd-cpd",       "BugCollection",
      "testng-results",   "project",  "phpunit",    "issues", "configuration", "cruisecontrol", "lint"};
  return std::find(kCompanions.begin(), kCompanions.end(), root) != kCompanions.end();
}

}  // namespace flakestat::formats
