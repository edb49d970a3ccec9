// Surefire and Gradle: both name methods, so one parameter of a JUnit 5 test cannot be skipped alone.
#include "report/quarantine_quote.hpp"
#include "report/quarantine_reach.hpp"

namespace flakestat::report {
namespace {

std::string hash_joined(const RunnerName& name) { return name.scope + "#" + name.name; }

std::string method_of(const RunnerName& name) { return name.name.substr(0, name.name.find('[')); }
std::string dotted_method(const RunnerName& name) { return name.scope + "." + method_of(name); }

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
  out.usage = "mvn test -Dsurefire.excludesFile=" + shown_path(input);
  return out;
}

FormOutput gradle_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, java_name, out);
  find_equal_keys(input, java_name, listed, dotted_method, out);
  out.document = kGradleHead;
  std::string last;
  for (const auto& one : listed) {
    auto line = "      excludeTestsMatching " + quote_groovy(dotted_method(one.name)) + "\n";
    if (line != last) out.document += line;
    last = std::move(line);
  }
  out.document += kGradleTail;
  out.usage = "gradle --init-script " + shown_path(input) + " test";
  return out;
}

}  // namespace flakestat::report
