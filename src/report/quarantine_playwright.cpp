// Playwright: a file of tests for --test-list-invert.
#include "report/quarantine_reach.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kSeparator = " \u203a ";

// `[one] fails` -> `[one] › a.spec.ts › fails`: the reporter writes the project in front of the name when told to.
std::string line_of(const RunnerName& name) {
  std::string_view titles = name.name;
  std::string out;
  if (titles.starts_with('[')) {
    if (const auto end = titles.find("] "); end != std::string_view::npos) {
      out.append(titles.substr(0, end + 1)).append(kSeparator);
      titles.remove_prefix(end + 2);
    }
  }
  return out.append(name.scope).append(kSeparator).append(titles);
}

}  // namespace

FormOutput playwright_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, playwright_name, out);
  find_equal_keys(input, playwright_name, listed, line_of, out);
  for (const auto& one : listed) out.document += line_of(one.name) + "\n";
  out.usage = "npx playwright test --test-list-invert " + shown_path(input);
  return out;
}

}  // namespace flakestat::report
