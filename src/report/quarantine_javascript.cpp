// Jest, Vitest and Mocha: with a file, a list and a hook that skips by file and titles; printed, a pattern over full
// names.
#include <map>

#include "base/strings.hpp"
#include "report/quarantine_quote.hpp"
#include "report/quarantine_reach.hpp"
#include "text/escape.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kJestHook = "flakestat_quarantine_jest.cjs";
constexpr std::string_view kVitestConfig = "flakestat_quarantine_vitest.mjs";
constexpr std::string_view kVitestSetup = "flakestat_quarantine_vitest_setup.mjs";
constexpr std::string_view kMochaHook = "flakestat_quarantine_mocha.cjs";

std::string full_name(const RunnerName& name) { return blank_joined(name.name); }
std::string plain_name(const RunnerName& name) { return name.name; }
// Jest ignores the case of letters in its pattern.
std::string any_case_name(const RunnerName& name) { return ascii_lower(blank_joined(name.name)); }

std::string file_and_titles(const RunnerName& name) { return name.scope + '\n' + name.name; }

// The hooks skip by file and titles. A test whose file no report tells is skipped in every file.
void find_reach_of_hook(const FormInput& input, Namer namer, const std::vector<NamedTest>& listed, FormOutput& out) {
  std::vector<NamedTest> in_files;
  std::vector<NamedTest> fileless;
  for (const auto& one : listed) (one.name.scope.empty() ? fileless : in_files).push_back(one);
  find_equal_keys(input, namer, in_files, file_and_titles, out);
  if (!fileless.empty()) find_equal_keys(input, namer, fileless, plain_name, out);
}

FormOutput hook_form(const FormInput& input, Namer namer, std::initializer_list<std::string_view> companions) {
  FormOutput out;
  const auto listed = name_listed(input, namer, out);
  find_reach_of_hook(input, namer, listed, out);
  out.document = hook_lines(listed);
  for (const auto file : companions) out.companions.push_back(hook(file));
  return out;
}

// A pattern that every full name but the listed ones matches; a pattern with no names would match nothing.
std::string all_but(const std::vector<NamedTest>& listed) {
  return listed.empty() ? std::string{} : "^(?!(?:" + alternatives(listed, full_name, quote_javascript) + ")$)\n";
}

FormOutput pattern_form(const FormInput& input, Namer namer, const Key& reach) {
  FormOutput out;
  const auto listed = name_listed(input, namer, out);
  find_equal_keys(input, namer, listed, reach, out);
  out.document = all_but(listed);
  out.longest_argument = out.document.size();
  return out;
}

}  // namespace

FormOutput jest_form(const FormInput& input) {
  if (input.list_path.empty()) {
    auto out = pattern_form(input, jest_name, any_case_name);
    out.usage = "npx jest -t PATTERN; with --output FILE an environment beside the list skips by file and name";
    return out;
  }
  auto out = hook_form(input, jest_name, {kJestHook});
  out.usage = "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " npx jest --env=" + beside(input, kJestHook);
  return out;
}

FormOutput vitest_form(const FormInput& input) {
  if (input.list_path.empty()) {
    auto out = pattern_form(input, vitest_name, full_name);
    out.usage = "npx vitest run -t PATTERN; with --output FILE a setup file beside the list skips by file and name";
    return out;
  }
  auto out = hook_form(input, vitest_name, {kVitestConfig, kVitestSetup});
  out.usage =
      "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " npx vitest run --config " + beside(input, kVitestConfig);
  return out;
}

FormOutput mocha_form(const FormInput& input) {
  if (input.list_path.empty()) {
    auto out = pattern_form(input, mocha_name, full_name);
    out.usage = "npx mocha -g PATTERN; with --output FILE a hook beside the list skips by file and title";
    return out;
  }
  auto out = hook_form(input, mocha_name, {kMochaHook});
  out.usage = "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " npx mocha --require " + beside(input, kMochaHook);
  return out;
}

FormOutput jest_files_form(const FormInput& input) {
  FormOutput out;
  const auto listed = name_listed(input, jest_name, out);
  std::map<std::string, std::vector<const NamedTest*>> by_file;
  std::vector<NamedTest> with_file;
  for (const auto& one : listed) {
    if (one.name.scope.empty()) {
      out.left_out.push_back({one.test, "the report does not say its file"});
      --out.entries;
      continue;
    }
    by_file[one.name.scope].push_back(&one);
    with_file.push_back(one);
  }
  find_equal_keys(
      input, jest_name, with_file, [](const RunnerName& name) { return name.scope; }, out);
  text::JsonWriter json(text::JsonStyle::pretty);
  json.begin_object().key("testPathIgnorePatterns").begin_array().value("/node_modules/");
  for (const auto& [file, tests] : by_file) {
    json.value("/" + quote_javascript(file) + "$");
    for (const auto* one : tests) {
      out.document += "// " + text::escape_terminal(file) + ": " + text::escape_terminal(one->name.name) + "\n";
    }
  }
  out.document += json.end_array().end_object().finish();
  out.usage = "merge it into the configuration of Jest: whole files are ignored";
  return out;
}

}  // namespace flakestat::report
