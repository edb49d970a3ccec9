// Go: -skip patterns. A pattern knows no package, so the exact form is one pattern and one call a package.
#include <algorithm>
#include <map>
#include <set>

#include "base/strings.hpp"
#include "report/quarantine_reach.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

std::string package_key(const RunnerName& name) { return name.scope + '\n' + name.name; }
std::string name_key(const RunnerName& name) { return name.name; }

// A failing subtest fails its parents, so they are flaky by its fault: skipping the subtest keeps their other subtests.
std::vector<NamedTest> without_parents(std::vector<NamedTest> listed, FormOutput& out) {
  std::set<std::string> parents;
  for (const auto& one : listed) {
    for (auto slash = one.name.name.find('/'); slash != std::string::npos; slash = one.name.name.find('/', slash + 1)) {
      parents.insert(package_key({one.name.scope, one.name.name.substr(0, slash), {}}));
    }
  }
  const auto is_parent = [&](const NamedTest& one) { return parents.contains(package_key(one.name)); };
  const auto count = std::count_if(listed.begin(), listed.end(), is_parent);
  if (count == 0) return listed;
  std::erase_if(listed, is_parent);
  out.entries -= static_cast<std::size_t>(count);
  out.notes.push_back(std::to_string(count) +
                      (count == 1 ? " test is not listed itself, since its listed subtests fail it"
                                  : " tests are not listed themselves, since their listed subtests fail them"));
  return listed;
}

std::string joined_patterns(const std::set<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty()) out += '|';
    out += text::go_pattern(name);
  }
  return out;
}

}  // namespace

FormOutput go_form(const FormInput& input) {
  FormOutput out;
  const auto listed = without_parents(name_listed(input, go_name, out), out);
  find_key_prefixes(input, go_name, listed, package_key, "/", out);
  std::map<std::string, std::set<std::string>> by_package;
  for (const auto& one : listed) by_package[one.name.scope].insert(one.name.name);
  for (const auto& [package, names] : by_package) {
    const auto pattern = joined_patterns(names);
    out.longest_argument = std::max(out.longest_argument, pattern.size());
    out.document.append(package).append("\t").append(pattern).append("\n");
  }
  out.usage =
      "one line a package, PACKAGE TAB PATTERN: go test -skip PATTERN PACKAGE for each, the other packages without "
      "-skip";
  return out;
}

FormOutput go_skip_form(const FormInput& input) {
  FormOutput out;
  const auto listed = without_parents(name_listed(input, go_name, out), out);
  find_key_prefixes(input, go_name, listed, name_key, "/", out);
  std::set<std::string> names;
  for (const auto& one : listed) names.insert(one.name.name);
  out.document = joined_patterns(names);
  out.longest_argument = out.document.size();
  if (!out.document.empty()) out.document += '\n';
  out.usage = "go test -skip \"$(cat " + shown_path(input) + ")\" ./...";
  return out;
}

}  // namespace flakestat::report
