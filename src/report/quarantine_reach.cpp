#include "report/quarantine_reach.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hook_source.hpp"
#include "text/escape.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {
namespace {

std::unordered_set<const TestScore*> set_of(const FormInput& input) {
  return {input.listed.begin(), input.listed.end()};
}

std::string identity(const RunnerName& name) {
  // Lengths first, so that no name can pretend to be scope and name of another.
  return std::to_string(name.scope.size()) + ":" + name.scope + name.name;
}

}  // namespace

std::vector<NamedTest> name_listed(const FormInput& input, Namer namer, FormOutput& out) {
  std::vector<NamedTest> named;
  std::unordered_set<std::string> seen;
  for (const auto* test : input.listed) {
    auto name = namer(names_of(*test));
    if (!name.problem.empty()) {
      out.left_out.push_back({test, std::move(name.problem)});
      continue;
    }
    ++out.entries;
    if (seen.insert(identity(name)).second) named.push_back({test, std::move(name)});
  }
  return named;
}

void find_equal_keys(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, const Key& key,
                     FormOutput& out) {
  std::unordered_map<std::string, const TestScore*> wanted;
  for (const auto& one : listed) wanted.emplace(key(one.name), one.test);
  const auto chosen = set_of(input);
  for (const auto& test : input.known) {
    if (chosen.contains(&test)) continue;
    const auto name = namer(names_of(test));
    if (!name.problem.empty()) continue;
    if (const auto found = wanted.find(key(name)); found != wanted.end())
      out.also_skipped.push_back({&test, found->second});
  }
}

void find_keys_in_files(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, const Key& key,
                        FormOutput& out) {
  std::vector<NamedTest> in_files;
  std::vector<NamedTest> fileless;
  for (const auto& one : listed) (one.name.scope.empty() ? fileless : in_files).push_back(one);
  const auto with_file = [&key](const RunnerName& name) { return name.scope + '\n' + key(name); };
  find_equal_keys(input, namer, in_files, with_file, out);
  if (!fileless.empty()) find_equal_keys(input, namer, fileless, key, out);
}

void find_key_prefixes(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, const Key& key,
                       std::string_view separator, FormOutput& out) {
  std::vector<std::pair<std::string, const TestScore*>> others;
  const auto chosen = set_of(input);
  for (const auto& test : input.known) {
    if (chosen.contains(&test)) continue;
    auto name = namer(names_of(test));
    if (name.problem.empty()) others.emplace_back(key(name), &test);
  }
  std::sort(others.begin(), others.end());
  std::vector<std::pair<std::string, const TestScore*>> entries;
  for (const auto& one : listed) entries.emplace_back(key(one.name), one.test);
  std::sort(entries.begin(), entries.end());
  // Each test is claimed by one entry, so that nested entries cannot make this quadratic.
  std::vector<bool> claimed(others.size());
  const auto claim = [&](const std::string& from, bool whole, const TestScore* because) {
    auto at = std::lower_bound(others.begin(), others.end(), std::pair<std::string, const TestScore*>{from, nullptr});
    for (; at != others.end() && (whole ? at->first == from : at->first.starts_with(from)); ++at) {
      const auto index = static_cast<std::size_t>(at - others.begin());
      if (claimed[index]) break;
      claimed[index] = true;
      out.also_skipped.push_back({at->second, because});
    }
  };
  for (const auto& [wanted, test] : entries) {
    if (!separator.empty()) claim(wanted, true, test);
    claim(wanted + std::string(separator), false, test);
  }
}

std::string alternatives(const std::vector<NamedTest>& listed, const Key& key, std::string (*quote)(std::string_view)) {
  std::string out;
  std::unordered_set<std::string> seen;
  for (const auto& one : listed) {
    const auto text = key(one.name);
    if (!seen.insert(text).second) continue;
    if (!out.empty()) out += '|';
    out += quote(text);
  }
  return out;
}

std::string shown_path(const FormInput& input) {
  if (input.list_path.empty()) return "LIST";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%=";
  if (input.list_path.find_first_not_of(kPlain) == std::string::npos) return input.list_path;
  return text::shell_quoted(input.list_path);
}

std::string beside(const FormInput& input, std::string_view companion) {
  FormInput other;
  const auto slash = input.list_path.rfind('/');
  auto folder = slash == std::string::npos ? std::string("./") : input.list_path.substr(0, slash + 1);
  // Node and Ruby look for bare paths among their libraries.
  if (folder.front() != '/' && folder.front() != '.') folder = "./" + folder;
  other.list_path = folder + std::string(companion);
  return shown_path(other);
}

Companion hook(std::string_view file_name) { return {std::string(file_name), std::string(hook_source(file_name))}; }

std::string hook_lines(const std::vector<NamedTest>& listed) {
  std::string out;
  for (const auto& one : listed) {
    text::JsonWriter json(text::JsonStyle::compact);
    out += json.begin_array().value(one.name.scope).value(one.name.name).end_array().finish();
    if (!out.ends_with('\n')) out += '\n';
  }
  return out;
}

}  // namespace flakestat::report
