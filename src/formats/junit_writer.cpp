#include "formats/junit_writer.hpp"

#include <array>
#include <charconv>

#include "formats/junit_case.hpp"
#include "text/escape.hpp"
#include "text/xml_writer.hpp"

namespace flakestat::formats {
namespace {

using text::append_attribute;

// A failure that a list excuses: visible, but for no reader a reason to fail.
bool is_excused(const Case& one) { return one.quarantined && is_failure(one.status); }

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
    if (is_excused(one)) continue;
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

struct Result {
  std::string_view element;
  std::string_view message;
  std::string_view type;
  std::string_view details;
};

void append_text(std::string& out, std::string_view text) { text::append_content(out, text::strip_ansi(text)); }

void append_result(std::string& out, const Result& result) {
  out += "      <";
  out += result.element;
  if (!result.message.empty()) append_attribute(out, "message", result.message);
  if (!result.type.empty()) append_attribute(out, "type", result.type);
  if (result.details.empty()) {
    out += "/>\n";
    return;
  }
  out += '>';
  append_text(out, result.details);
  out.append("</").append(result.element) += ">\n";
}

std::string_view element_of(const Case& one) {
  const bool excused = is_excused(one);
  switch (one.status) {
    case Status::pass: return "";
    case Status::fail: return excused ? "rerunFailure" : "failure";
    case Status::error: return excused ? "rerunError" : "error";
    case Status::skip: return "skipped";
  }
  return "";
}

void append_results(std::string& out, const Case& one, const JunitExtras& extras) {
  if (const auto element = element_of(one); !element.empty()) {
    append_result(out, {element, one.message, extras.type, extras.details});
  }
  std::size_t next = 0;
  const auto details = [&] { return next < extras.attempts.size() ? extras.attempts[next++] : std::string_view(); };
  for (const auto& attempt : one.earlier) {
    append_result(out,
                  {attempt.status == Status::error ? "flakyError" : "flakyFailure", attempt.message, "", details()});
  }
  for (const auto& attempt : one.later) {
    append_result(out,
                  {attempt.status == Status::error ? "rerunError" : "rerunFailure", attempt.message, "", details()});
  }
}

void append_case_properties(std::string& out, const Case& one, const JunitExtras& extras) {
  std::string properties;
  if (!one.exec_key.empty()) append_property(properties, kExecKeyProperty, one.exec_key);
  if (is_excused(one)) append_property(properties, kQuarantinedProperty, "true");
  if (one.not_run) append_property(properties, kNotRunProperty, "true");
  for (const auto& [name, value] : one.properties) append_property(properties, name, value);
  for (const auto& [name, value] : extras.properties) append_property(properties, name, value);
  if (!properties.empty()) out.append("      <properties>").append(properties) += "</properties>\n";
}

void append_output(std::string& out, std::string_view element, std::string_view text) {
  if (text.empty()) return;
  out.append("      <").append(element) += '>';
  append_text(out, text);
  out.append("</").append(element) += ">\n";
}

void append_case(std::string& out, const Case& one, const JunitExtras& extras) {
  out += "    <testcase";
  append_attribute(out, "classname", one.class_name);
  append_attribute(out, "name", one.name);
  if (one.duration_ms) append_time(out, *one.duration_ms);
  if (!one.file.empty()) append_attribute(out, "file", one.file);
  if (one.line) append_attribute(out, "line", std::to_string(*one.line));
  if (one.started) append_attribute(out, "timestamp", format_utc(*one.started));
  std::string inside;
  append_case_properties(inside, one, extras);
  append_results(inside, one, extras);
  append_output(inside, "system-out", extras.system_out);
  append_output(inside, "system-err", extras.system_err);
  if (inside.empty()) out += "/>\n";
  else out.append(">\n").append(inside) += "    </testcase>\n";
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
  static const JunitExtras kNothing;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    append_case(out, suite.cases[i], i < suite.extras.size() ? suite.extras[i] : kNothing);
  }
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
