// GoogleTest, CTest and Catch2.
#include <set>

#include "base/strings.hpp"
#include "report/quarantine_reach.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

std::string name_only(const RunnerName& name) { return name.name; }
// Catch2 ignores the case of letters.
std::string any_case_name(const RunnerName& name) { return ascii_lower(name.name); }

// A star at either end of a pattern is a wildcard even behind a backslash; each part in front of a slash is a pattern.
RunnerName catch2_literal(const TestNames& test) {
  auto name = catch2_name(test);
  const std::string_view text = name.name;
  if (name.problem.empty() &&
      (text.starts_with('*') || text.ends_with('*') || text.find("*/") != std::string_view::npos)) {
    name.problem = "a star at the end of its name, which Catch2 takes for any text";
  }
  return name;
}

// CMake compiles an expression to so many bytes at most. A longer one is reported, but excludes nothing, and ctest
// runs every test and ends with 0. As it counts: 4 bytes beside a stretch of text, 5 for an escaped character, 3 for a
// branch, and some for the whole.
constexpr std::size_t kMostCompiled = 65'534;

std::size_t compiled_size(const std::vector<NamedTest>& listed) {
  std::size_t size = 64;
  for (const auto& one : listed) {
    const auto quoted = text::quote_cmake(one.name.name);
    const auto escapes = quoted.size() - one.name.name.size();
    size += 3 + 4 + one.name.name.size() + escapes * (4 + 4);
  }
  return size;
}

}  // namespace

FormOutput gtest_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, gtest_name, out);
  find_equal_keys(input, gtest_name, listed, name_only, out);
  for (const auto& one : listed)
    out.document.append(out.document.empty() ? "--gtest_filter=-" : ":").append(one.name.name);
  // A flag file has no such limit.
  if (input.list_path.empty()) out.longest_argument = out.document.size();
  if (!out.document.empty()) out.document += '\n';
  out.usage = input.list_path.empty() ? std::string("the line is one argument of the test program")
                                      : "./the_tests --gtest_flagfile=" + shown_path(input);
  return out;
}

FormOutput ctest_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, ctest_name, out);
  find_equal_keys(input, ctest_name, listed, name_only, out);
  if (!listed.empty()) out.document = "^(" + alternatives(listed, name_only, text::quote_cmake) + ")$";
  out.longest_argument = out.document.size();
  if (compiled_size(listed) > kMostCompiled) {
    out.refused =
        "the expression is too big for CTest, which would skip nothing: list fewer tests (--threshold, --filter)";
  }
  if (!out.document.empty()) out.document += '\n';
  out.usage = "ctest -E \"$(cat " + shown_path(input) + ")\"";
  return out;
}

FormOutput catch2_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, catch2_literal, out);
  // The report writes sections as `test/section`, and only whole tests can be skipped: which slash ends the test's own
  // name is not known, so each beginning is given.
  const auto first_part = [](const RunnerName& name) { return name.name.substr(0, name.name.find('/')); };
  std::vector<NamedTest> whole = listed;
  for (auto& one : whole) one.name.name = first_part(one.name);
  find_key_prefixes(input, catch2_literal, whole, any_case_name, "/", out);
  std::set<std::string> names;
  for (const auto& one : listed) {
    for (auto slash = one.name.name.find('/'); slash != std::string::npos; slash = one.name.name.find('/', slash + 1)) {
      names.insert(one.name.name.substr(0, slash));
    }
    names.insert(one.name.name);
  }
  for (const auto& name : names) {
    if (!name.empty()) out.document += "~" + text::quote_catch2(name) + "\n";
  }
  out.usage = "one argument a line: mapfile -t skip < " + shown_path(input) + "; ./the_tests \"${skip[@]}\"";
  return out;
}

}  // namespace flakestat::report
