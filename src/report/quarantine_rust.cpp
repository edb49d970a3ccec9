// cargo-nextest and cargo test.
#include <algorithm>
#include <map>
#include <set>

#include "report/quarantine_reach.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

// Test paths of a crate are words. Doc tests' names hold blanks, and cargo splits their arguments there.
RunnerName cargo_name(const TestNames& test) {
  auto name = rust_name(test);
  if (name.problem.empty() && name.name.find_first_of(" \t\r\n") != std::string::npos) {
    name.problem = "a doc test, which cargo can neither select nor skip";
  }
  return name;
}

// The flags that choose one test binary by nextest's id of it; empty: the id has no such form.
std::string target_flags(std::string_view id) {
  const auto colons = id.find("::");
  const auto package = "-p " + std::string(id.substr(0, colons));
  if (colons == std::string_view::npos) return package + " --lib";
  auto target = id.substr(colons + 2);
  for (const auto* kind : {"bin", "example", "bench"}) {
    const auto prefix = std::string(kind) + "/";
    if (target.starts_with(prefix)) return package + " --" + kind + " " + std::string(target.substr(prefix.size()));
  }
  return package + " --test " + std::string(target);
}

std::string id_and_name(const RunnerName& name) { return name.scope + '\n' + name.name; }

using ByBinary = std::map<std::string, std::set<std::string>>;

ByBinary by_binary(const std::vector<NamedTest>& listed) {
  ByBinary out;
  for (const auto& one : listed) out[one.name.scope].insert(one.name.name);
  return out;
}

std::string expression(const ByBinary& binaries) {
  std::string out;
  for (const auto& [id, names] : binaries) {
    if (!out.empty()) out += " | ";
    out += "(binary_id(=" + text::quote_nextest(id) + ") & (";
    bool first = true;
    for (const auto& name : names) {
      if (!first) out += " | ";
      first = false;
      out += "test(=" + text::quote_nextest(name) + ")";
    }
    out += "))";
  }
  return out.empty() ? "all()" : "not (" + out + ")";
}

}  // namespace

FormOutput nextest_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, rust_name, out);
  find_equal_keys(input, rust_name, listed, id_and_name, out);
  const auto filter = expression(by_binary(listed));
  out.document = filter + "\n";
  if (input.list_path.empty()) {
    out.longest_argument = filter.size();
    out.usage = "cargo nextest run -E EXPRESSION";
    return out;
  }
  constexpr std::string_view kConfig = "flakestat_quarantine_nextest.toml";
  // A JSON string is a TOML string of the same value.
  out.companions.push_back(
      {std::string(kConfig), "[profile.default]\ndefault-filter = " + text::quote_yaml(filter) + "\n"});
  // Only absolute paths are taken there.
  const auto path = beside(input, kConfig);
  const bool absolute = path.front() == '/' || path.starts_with("'/");
  out.usage = "cargo nextest run --tool-config-file flakestat:" + std::string(absolute ? "" : "\"$PWD\"/") + path;
  return out;
}

FormOutput cargo_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, cargo_name, out);
  find_equal_keys(input, cargo_name, listed, id_and_name, out);
  for (const auto& [id, names] : by_binary(listed)) {
    auto line = target_flags(id) + " -- --exact";
    for (const auto& name : names) line += " --skip " + name;
    out.document += line + "\n";
  }
  out.usage = "one line a target, its words are arguments: cargo test LINE for each, the other targets without";
  return out;
}

}  // namespace flakestat::report
