#include "adapters/stand_in.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.hpp"

namespace flakestat::adapters {
namespace {

// Names as JUnit 4 and Gradle write them for a class, Jest for a file.
constexpr std::array<std::string_view, 4> kWholeNames{"initializationError", "executionError", "classMethod",
                                                      "Test suite failed to run"};
// unittest's fixtures, with the class behind the parenthesis; Mocha's hooks, with the test's title behind.
constexpr std::array<std::string_view, 8> kBeginnings{
    "setUpClass (",         "tearDownClass (",     "setUpModule (",       "tearDownModule (",
    "\"before each\" hook", "\"before all\" hook", "\"after each\" hook", "\"after all\" hook"};

// Go: package and class are one, and a real TestMain is no case (gotestsum).
bool is_unbuilt_package(const Case& each) {
  return each.name == "TestMain" && (each.class_name.empty() || each.class_name == each.suite);
}

// Vitest names the case of a file that could not be loaded like the file, node:test by its absolute path.
bool is_file(const Case& each) {
  if (each.class_name == "test" && each.name.starts_with('/')) return true;
  return each.name == each.class_name && each.name == each.suite && each.name.find('.') != std::string::npos;
}

// pytest has no class for a module that could not be collected; the reader then takes the suite's name.
bool is_uncollected_module(const Case& each) {
  return each.suite == "pytest" && (each.class_name.empty() || each.class_name == each.suite) &&
         each.message.find("collection failure") != std::string::npos;
}

}  // namespace

bool is_unbuilt(const Case& each) {
  return each.status == Status::skip && each.message.starts_with("Unable to find executable");
}

bool is_stand_in(const Case& each) {
  if (is_unbuilt(each)) return true;
  if (!is_failure(each.status)) return false;
  const std::string_view name = each.name;
  if (trim(name).empty()) return true;
  if (std::find(kWholeNames.begin(), kWholeNames.end(), name) != kWholeNames.end()) return true;
  if (name.ends_with("Test suite failed to run")) return true;
  const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
  if (std::any_of(kBeginnings.begin(), kBeginnings.end(), begins)) return true;
  if (each.class_name.starts_with("unittest.loader.") || each.class_name.starts_with("unittest.suite.")) return true;
  return is_unbuilt_package(each) || is_file(each) || is_uncollected_module(each);
}

}  // namespace flakestat::adapters
