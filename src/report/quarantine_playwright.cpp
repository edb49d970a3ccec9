// Playwright: a file of tests for --test-list-invert.
#include "base/strings.hpp"
#include "report/quarantine_reach.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kSeparator = " \u203a ";

// Playwright trims the titles of a list's lines, but not those of the tests.
RunnerName trimmed_titles(const TestNames& test) {
  auto name = playwright_name(test);
  if (!name.problem.empty()) return name;
  std::string_view rest = name.name;
  if (const auto end = rest.find("] "); rest.starts_with('[') && end != std::string_view::npos)
    rest.remove_prefix(end + 2);
  for (bool more = true; more;) {
    const auto end = rest.find(kSeparator);
    more = end != std::string_view::npos;
    const auto title = rest.substr(0, end);
    if (title != trim(title)) name.problem = "a blank at an end of a title, which Playwright drops from its list";
    if (more) rest.remove_prefix(end + kSeparator.size());
  }
  return name;
}

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
  const auto listed = name_listed(input, trimmed_titles, out);
  find_equal_keys(input, trimmed_titles, listed, plain_line, out);
  for (const auto& one : listed) {
    // A title may begin with a bracket, too. Lines that name no test do no harm.
    if (const auto line = project_line(one.name); !line.empty()) out.document += line + "\n";
    out.document += plain_line(one.name) + "\n";
  }
  out.usage = "npx playwright test --test-list-invert " + shown_path(input);
  return out;
}

}  // namespace flakestat::report
