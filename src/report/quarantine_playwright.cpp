// Playwright: a file of tests for --test-list-invert.
#include "report/quarantine_reach.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kSeparator = " \u203a ";

std::string plain_line(const RunnerName& name) { return name.scope + std::string(kSeparator) + name.name; }

// `[one] fails` -> `[one] › a.spec.ts › fails`: the reporter writes the project in front of the name when told to.
std::string project_line(const RunnerName& name) {
  const auto end = name.name.starts_with('[') ? name.name.find("] ") : std::string::npos;
  if (end == std::string::npos) return {};
  const std::string separator(kSeparator);
  return name.name.substr(0, end + 1) + separator + name.scope + separator + name.name.substr(end + 2);
}

}  // namespace

FormOutput playwright_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, playwright_name, out);
  find_equal_keys(input, playwright_name, listed, plain_line, out);
  for (const auto& one : listed) {
    // A title may begin with a bracket, too. Lines that name no test do no harm.
    if (const auto line = project_line(one.name); !line.empty()) out.document += line + "\n";
    out.document += plain_line(one.name) + "\n";
  }
  out.usage = "npx playwright test --test-list-invert " + shown_path(input);
  return out;
}

}  // namespace flakestat::report
