#include "rules/codeowners.hpp"

#include "base/glob.hpp"
#include "base/strings.hpp"

namespace flakestat::rules {
namespace {

// Words of a line up to a comment; a backslash keeps a blank or a `#` in its word, and inside a path a `#` is itself
// (`src/c#/`).
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && i + 1 < line.size() && (line[i + 1] == ' ' || line[i + 1] == '#')) words.back() += line[++i];
    else if (c == '#' && (words.size() > 1 || words.back().empty())) break;
    else if (c != ' ' && c != '\t' && c != '\r') words.back() += c;
    else if (!words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Brackets and braces mean themselves in CODEOWNERS.
std::string literal_brackets(std::string_view pattern) {
  std::string out;
  for (const char c : pattern) {
    if (c == '[' || c == ']' || c == '{' || c == '}') out += '\\';
    out += c;
  }
  return out;
}

bool is_section(std::string_view line) { return line.starts_with('[') || line.starts_with("^["); }

std::vector<std::string> section_owners(std::string_view line) {
  const auto close = line.rfind(']');
  return close == std::string_view::npos ? std::vector<std::string>{} : words_of(line.substr(close + 1));
}

}  // namespace

CodeOwners::Rule CodeOwners::make_rule(std::string_view pattern, std::vector<std::string> owners) {
  Rule rule{{}, {}, std::move(owners)};
  const bool folder = pattern.size() > 1 && pattern.ends_with('/');
  if (folder) pattern.remove_suffix(1);
  const bool anchored = pattern.find('/') != std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  const auto whole = (anchored ? "" : "**/") + literal_brackets(pattern);
  if (!folder) rule.itself = whole;
  const bool children_only = anchored && (pattern.ends_with("/*") || pattern == "*");
  if (folder || !children_only) rule.below = whole + "/**/*";
  return rule;
}

CodeOwners CodeOwners::parse(std::string_view text) {
  CodeOwners owners;
  std::vector<std::string> inherited;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const auto raw : split(text, '\n')) {
    const auto line = trim(raw);
    if (line.empty() || line.front() == '#') continue;
    if (is_section(line)) {
      inherited = section_owners(line);
      continue;
    }
    auto words = words_of(line);
    if (words.empty()) continue;
    std::vector<std::string> named(words.begin() + 1, words.end());
    owners.rules_.push_back(make_rule(words.front(), named.empty() ? inherited : std::move(named)));
  }
  return owners;
}

const std::vector<std::string>& CodeOwners::owners_of(std::string_view path) const {
  static const std::vector<std::string> kNobody;
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    const bool itself = !rule->itself.empty() && glob_match_path(rule->itself, path);
    if (itself || (!rule->below.empty() && glob_match_path(rule->below, path))) return rule->owners;
  }
  return kNobody;
}

}  // namespace flakestat::rules
