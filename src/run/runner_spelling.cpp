#include "run/runner_spelling.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "text/pattern_quote.hpp"

namespace flakestat::run {
namespace {

using Quote = std::string (*)(std::string_view);

// The runner's name for a test, if it has one, as an expression that matches nothing else.
RunnerName whole_line(RunnerName found, Quote quote) {
  if (found.problem.empty()) found.name = "^" + quote(found.name) + "$";
  return found;
}

RunnerName go_spelling(const TestNames& test) {
  auto found = go_name(test);
  if (found.problem.empty()) found.name = text::go_pattern(found.name);
  return found;
}

// Titles are matched joined by one blank.
RunnerName titles(RunnerName found) {
  if (found.problem.empty()) found.name = blank_joined(found.name);
  return whole_line(std::move(found), text::quote_javascript);
}

RunnerName jest_spelling(const TestNames& test) { return titles(jest_name(test)); }
RunnerName vitest_spelling(const TestNames& test) { return titles(vitest_name(test)); }
RunnerName mocha_spelling(const TestNames& test) { return titles(mocha_name(test)); }
RunnerName ctest_spelling(const TestNames& test) { return whole_line(ctest_name(test), text::quote_cmake); }
RunnerName phpunit_spelling(const TestNames& test) { return whole_line(phpunit_name(test), text::quote_perl_like); }
RunnerName minitest_spelling(const TestNames& test) { return whole_line(minitest_name(test), text::quote_perl_like); }

RunnerName nextest_spelling(const TestNames& test) {
  auto found = rust_name(test);
  if (found.problem.empty()) {
    found.name =
        "(binary_id(=" + text::quote_nextest(found.scope) + ") & test(=" + text::quote_nextest(found.name) + "))";
  }
  return found;
}

RunnerName maven_spelling(const TestNames& test) {
  auto found = java_name(test);
  if (found.problem.empty()) found.name = found.scope + "#" + found.name;
  return found;
}

constexpr std::array kRunners{
    RunnerSpelling{"pytest", pytest_name, ",", false},      RunnerSpelling{"unittest", unittest_name, ",", false},
    RunnerSpelling{"gtest", gtest_name, ":", true},         RunnerSpelling{"go", go_spelling, "|", true},
    RunnerSpelling{"jest", jest_spelling, "|", true},       RunnerSpelling{"vitest", vitest_spelling, "|", true},
    RunnerSpelling{"mocha", mocha_spelling, "|", true},     RunnerSpelling{"ctest", ctest_spelling, "|", true},
    RunnerSpelling{"nextest", nextest_spelling, "|", true}, RunnerSpelling{"maven", maven_spelling, ",", true},
    RunnerSpelling{"phpunit", phpunit_spelling, "|", true}, RunnerSpelling{"minitest", minitest_spelling, "|", true}};

}  // namespace

const RunnerSpelling* runner_spelling(std::string_view word) {
  const auto* found =
      std::find_if(kRunners.begin(), kRunners.end(), [&](const auto& each) { return each.word == word; });
  return found == kRunners.end() ? nullptr : found;
}

std::string spelled_runners() {
  std::string words;
  for (std::size_t i = 0; i < kRunners.size(); ++i) {
    if (i > 0) words += i + 1 == kRunners.size() ? " or " : ", ";
    words += kRunners[i].word;
  }
  return words;
}

}  // namespace flakestat::run
