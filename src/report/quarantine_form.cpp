#include "report/quarantine_form.hpp"

#include <algorithm>
#include <array>

namespace flakestat::report {
namespace {

constexpr std::array kForms = std::to_array<QuarantineForm>({
    {"pytest", pytest_form},   {"unittest", unittest_form}, {"go", go_form},
    {"go-skip", go_skip_form}, {"jest", jest_form},         {"jest-files", jest_files_form},
    {"vitest", vitest_form},   {"mocha", mocha_form},       {"playwright", playwright_form},
    {"gtest", gtest_form},     {"ctest", ctest_form},       {"catch2", catch2_form},
    {"maven", maven_form},     {"gradle", gradle_form},     {"nextest", nextest_form},
    {"cargo", cargo_form},     {"rspec", rspec_form},       {"minitest", minitest_form},
    {"phpunit", phpunit_form}, {"yaml", yaml_form},         {"json", json_form},
});

}  // namespace

std::span<const QuarantineForm> quarantine_forms() { return kForms; }

const QuarantineForm* find_quarantine_form(std::string_view name) {
  const auto* found =
      std::find_if(kForms.begin(), kForms.end(), [name](const auto& form) { return form.name == name; });
  return found == kForms.end() ? nullptr : found;
}

}  // namespace flakestat::report
