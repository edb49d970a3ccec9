// Surefire and Gradle: both name methods, so one parameter of a test cannot be skipped alone.
#include "report/quarantine_reach.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

std::string hash_joined(const RunnerName& name) { return name.scope + "#" + name.name; }

std::string dotted(const RunnerName& name) { return name.scope + "." + name.name; }

// JUnit 4's own provider wants the parameter of `pass[a b]` in the filter; the vintage engine knows methods only. Which
// one runs is not in the report, so both spellings are given.
bool has_junit4_parameter(const TestScore& test) {
  const auto open = test.name.find('[');
  return open != std::string::npos && test.name.find('(') == std::string::npos && test.name.ends_with(']') &&
         test.name.substr(open + 1, test.name.size() - open - 2).find_first_of("[]/,+#!*?%") == std::string::npos;
}

constexpr std::string_view kGradleHead = R"(// Skips the quarantined tests: gradle --init-script THIS_FILE test
allprojects {
  tasks.withType(Test).configureEach {
    filter {
)";
constexpr std::string_view kGradleTail = R"(    }
  }
}
)";

}  // namespace

FormOutput maven_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, java_name, out);
  find_equal_keys(input, java_name, listed, hash_joined, out);
  for (const auto& one : listed) out.document += hash_joined(one.name) + "\n";
  for (const auto* test : input.listed) {
    if (has_junit4_parameter(*test) && java_name(names_of(*test)).problem.empty())
      out.document += test->class_name + "#" + test->name + "\n";
  }
  out.usage = "mvn test -Dsurefire.excludesFile=" + shown_path(input);
  return out;
}

FormOutput gradle_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, java_name, out);
  find_equal_keys(input, java_name, listed, dotted, out);
  out.document = kGradleHead;
  for (const auto& one : listed)
    out.document += "      excludeTestsMatching " + text::quote_groovy(dotted(one.name)) + "\n";
  out.document += kGradleTail;
  out.usage = "gradle --init-script " + shown_path(input) + " test";
  return out;
}

}  // namespace flakestat::report
