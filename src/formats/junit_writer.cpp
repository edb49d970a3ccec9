#include "formats/junit_writer.hpp"

#include <array>
#include <charconv>

#include "formats/junit_case.hpp"
#include "text/xml_writer.hpp"

namespace flakestat::formats {
namespace {

using text::append_attribute;

void append_count(std::string& out, std::string_view name, std::uint64_t count) {
  append_attribute(out, name, std::to_string(count));
}

/// Seconds, to the microsecond.
void append_time(std::string& out, double milliseconds) {
  std::array<char, 64> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), milliseconds / 1000, std::chars_format::fixed, 6).ptr;
  append_attribute(out, "time", {digits.data(), static_cast<std::size_t>(end - digits.data())});
}

Counts count(const std::vector<Case>& cases) {
  Counts counts;
  for (const auto& one : cases) {
    ++counts.tests;
    if (one.known_flaky) ++counts.known_flaky;
    switch (one.status) {
      case Status::pass: ++counts.passed; break;
      case Status::fail: ++counts.failures; break;
      case Status::error: ++counts.errors; break;
      case Status::skip: ++counts.skipped; break;
    }
  }
  return counts;
}

void append_counts(std::string& out, const Counts& counts) {
  append_count(out, "tests", counts.tests);
  append_count(out, "failures", counts.failures);
  append_count(out, "errors", counts.errors);
  append_count(out, "skipped", counts.skipped);
}

void append_property(std::string& out, std::string_view name, std::string_view value) {
  out += "<property";
  append_attribute(out, "name", name);
  append_attribute(out, "value", value);
  out += "/>";
}

void append_result(std::string& out, std::string_view element, std::string_view message) {
  out += "      <";
  out += element;
  if (!message.empty()) append_attribute(out, "message", message);
  out += "/>\n";
}

void append_result_of(std::string& out, const Case& one) {
  switch (one.status) {
    case Status::pass: break;
    case Status::fail: append_result(out, "failure", one.message); break;
    case Status::error: append_result(out, "error", one.message); break;
    case Status::skip: append_result(out, "skipped", one.message); break;
  }
  for (const auto& attempt : one.earlier)
    append_result(out, attempt.status == Status::error ? "flakyError" : "flakyFailure", attempt.message);
  for (const auto& attempt : one.later)
    append_result(out, attempt.status == Status::error ? "rerunError" : "rerunFailure", attempt.message);
}

void append_case_properties(std::string& out, const Case& one) {
  if (one.exec_key.empty() && one.properties.empty()) return;
  out += "      <properties>";
  if (!one.exec_key.empty()) append_property(out, kExecKeyProperty, one.exec_key);
  for (const auto& [name, value] : one.properties) append_property(out, name, value);
  out += "</properties>\n";
}

void append_case(std::string& out, const Case& one) {
  out += "    <testcase";
  append_attribute(out, "classname", one.class_name);
  append_attribute(out, "name", one.name);
  if (one.duration_ms) append_time(out, *one.duration_ms);
  if (!one.file.empty()) append_attribute(out, "file", one.file);
  if (one.line) append_attribute(out, "line", std::to_string(*one.line));
  if (one.started) append_attribute(out, "timestamp", format_utc(*one.started));
  const bool bare = one.status == Status::pass && one.earlier.empty() && one.later.empty() && one.exec_key.empty() &&
                    one.properties.empty();
  if (bare) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  append_case_properties(out, one);
  append_result_of(out, one);
  out += "    </testcase>\n";
}

void append_suite_properties(std::string& out, const JunitSuite& suite) {
  if (suite.run_id.empty() && suite.properties.empty()) return;
  out += "    <properties>";
  if (!suite.run_id.empty()) append_property(out, kRunIdProperty, suite.run_id);
  for (const auto& [name, value] : suite.properties) append_property(out, name, value);
  out += "</properties>\n";
}

void append_suite(std::string& out, const JunitSuite& suite) {
  double total = 0;
  for (const auto& one : suite.cases) total += one.duration_ms.value_or(0);
  out += "  <testsuite";
  append_attribute(out, "name", suite.name);
  append_counts(out, count(suite.cases));
  append_time(out, total);
  if (suite.timestamp) append_attribute(out, "timestamp", format_utc(*suite.timestamp));
  out += ">\n";
  append_suite_properties(out, suite);
  for (const auto& one : suite.cases) append_case(out, one);
  out += "  </testsuite>\n";
}

}  // namespace

std::string write_junit(const JunitReport& report) {
  Counts total;
  for (const auto& suite : report.suites) total += count(suite.cases);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
  if (!report.name.empty()) append_attribute(out, "name", report.name);
  append_counts(out, total);
  out += ">\n";
  for (const auto& suite : report.suites) append_suite(out, suite);
  out += "</testsuites>\n";
  return out;
}

}  // namespace flakestat::formats
