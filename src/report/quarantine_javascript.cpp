// Jest, Vitest and Mocha: with a file, a list and a hook that skips by file and titles; printed, a pattern over full
// names.
#include <utf8proc.h>

#include <map>
#include <unordered_set>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/quarantine_reach.hpp"
#include "text/escape.hpp"
#include "text/json_writer.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kJestHook = "flakestat_quarantine_jest.cjs";
constexpr std::string_view kVitestConfig = "flakestat_quarantine_vitest.mjs";
constexpr std::string_view kVitestSetup = "flakestat_quarantine_vitest_setup.mjs";
constexpr std::string_view kMochaHook = "flakestat_quarantine_mocha.cjs";

// What JavaScript's `\s` takes, and a blank of ours stands for, in patterns and in the hooks.
bool is_space(char32_t code) {
  return code == ' ' || (code >= '\t' && code <= '\r') || code == 0xA0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000 || code == 0xFEFF;
}

// The capital by which JavaScript compares without case (ECMA-262, Canonicalize): an ASCII letter is no capital of
// another one.
char32_t upper(char32_t code) {
  const auto capital = static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code)));
  return code >= 0x80 && capital < 0x80 ? code : capital;
}

std::string mapped(std::string_view text, char32_t (*map)(char32_t)) {
  std::string out;
  while (!text.empty()) {
    const auto step = decode_utf8(text);
    if (step.valid) append_utf8(out, map(step.code));
    else out += text.substr(0, step.size);
    text.remove_prefix(step.size);
  }
  return out;
}

std::string plain(std::string_view text) {
  return mapped(text, [](char32_t code) { return is_space(code) ? U' ' : code; });
}

std::string full_name(const RunnerName& name) { return plain(blank_joined(name.name)); }
std::string plain_name(const RunnerName& name) { return plain(name.name); }
// Jest ignores the case of letters in its pattern.
std::string any_case_name(const RunnerName& name) { return mapped(full_name(name), upper); }

// Jest's hook knows a test by its titles joined by blanks, too.
RunnerName jest_joined(const TestNames& test) {
  auto name = jest_name(test);
  const auto joined = blank_joined(name.name);
  if (name.problem.empty() && joined == name.name) name.problem = "a single title";
  name.name = joined;
  return name;
}

FormOutput hook_form(const FormInput& input, Namer namer, Namer other_spelling,
                     std::initializer_list<std::string_view> companions) {
  FormOutput out;
  const auto listed = name_listed(input, namer, out);
  find_keys_in_files(input, namer, listed, plain_name, out);
  if (other_spelling != nullptr) {
    std::unordered_set<const TestScore*> known;
    find_keys_in_files(input, other_spelling, listed, plain_name, out);
    std::erase_if(out.also_skipped, [&](const AlsoSkipped& one) { return !known.insert(one.test).second; });
  }
  out.document = hook_lines(listed);
  for (const auto file : companions) out.companions.push_back(hook(file));
  return out;
}

// A pattern that every full name but the listed ones matches; a pattern with no names would match nothing.
std::string all_but(const std::vector<NamedTest>& listed) {
  return listed.empty() ? std::string{} : "^(?!(?:" + alternatives(listed, full_name, text::quote_javascript) + ")$)\n";
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
  auto out = hook_form(input, jest_name, jest_joined, {kJestHook});
  out.usage = "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " npx jest --env=" + beside(input, kJestHook);
  return out;
}

FormOutput vitest_form(const FormInput& input) {
  if (input.list_path.empty()) {
    auto out = pattern_form(input, vitest_name, full_name);
    out.usage = "npx vitest run -t PATTERN; with --output FILE a setup file beside the list skips by file and name";
    return out;
  }
  auto out = hook_form(input, vitest_name, nullptr, {kVitestConfig, kVitestSetup});
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
  auto out = hook_form(input, mocha_name, nullptr, {kMochaHook});
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
    json.value("/" + text::quote_javascript(file) + "$");
    for (const auto* one : tests) {
      out.document += "// " + text::escape_terminal(file) + ": " + text::escape_terminal(one->name.name) + "\n";
    }
  }
  out.document += json.end_array().end_object().finish();
  out.usage = "merge it into the configuration of Jest: whole files are ignored";
  return out;
}

}  // namespace flakestat::report
