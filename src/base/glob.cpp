#include "base/glob.hpp"

#include <cstdint>
#include <optional>

#include "base/strings.hpp"

namespace flakestat {
namespace {

constexpr std::size_t kMostAlternatives = 4096;

// The character at the start of `text`: its code point (or byte, where the UTF-8 is broken) and its length.
struct Character {
  std::uint32_t value;
  std::size_t length;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  if (length == 1 || text.size() < length) return {lead, 1};
  std::uint32_t value = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {lead, 1};
    value = value << 6 | (next & 0x3fu);
  }
  return {value, length};
}

// One character of a class, escapes resolved; removed from `rest`.
std::uint32_t take_class_character(std::string_view& rest) {
  if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
  const auto character = first_character(rest);
  rest.remove_prefix(character.length);
  return character.value;
}

struct ClassMatch {
  bool matches;
  std::size_t length;  // of the class in the pattern, brackets included
};

// `pattern` starts at `[`. Nothing: the bracket is never closed, so it is literal.
std::optional<ClassMatch> match_class(std::string_view pattern, std::uint32_t value) {
  auto rest = pattern.substr(1);
  const bool negated = !rest.empty() && (rest.front() == '!' || rest.front() == '^');
  if (negated) rest.remove_prefix(1);
  bool found = false;
  for (bool first = true; !rest.empty(); first = false) {
    if (rest.front() == ']' && !first) return ClassMatch{found != negated, pattern.size() - rest.size() + 1};
    const auto low = take_class_character(rest);
    auto high = low;
    if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']') {
      rest.remove_prefix(1);
      high = take_class_character(rest);
    }
    found |= low <= value && value <= high;
  }
  return std::nullopt;
}

// How much of pattern and text one step consumes; pattern 0: no match.
struct Step {
  std::size_t pattern = 0;
  std::size_t text = 0;
};

// Matches one character of `text` against what `pattern` starts with, which is not `*`.
Step match_one(std::string_view pattern, std::string_view text) {
  const auto character = first_character(text);
  if (pattern.front() == '?') return {1, character.length};
  if (pattern.front() == '[') {
    if (const auto in_class = match_class(pattern, character.value)) {
      return in_class->matches ? Step{in_class->length, character.length} : Step{};
    }
  }
  const bool escaped = pattern.front() == '\\' && pattern.size() > 1;
  const char wanted = escaped ? pattern[1] : pattern.front();
  if (wanted != text.front()) return {};
  return {escaped ? 2u : 1u, 1};
}

// The class or escape at `pattern[i]` that must be stepped over whole.
std::size_t token_length(std::string_view pattern, std::size_t i) {
  if (pattern[i] == '\\' && i + 1 < pattern.size()) return 2;
  if (pattern[i] != '[') return 1;
  const auto in_class = match_class(pattern.substr(i), 0);
  return in_class ? in_class->length : 1;
}

struct Braces {
  std::size_t open;
  std::size_t close;
  std::vector<std::size_t> commas;
};

// The first outermost `{...}` with a comma of its own.
std::optional<Braces> first_braces(std::string_view pattern) {
  std::vector<Braces> open;
  std::optional<Braces> found;
  for (std::size_t i = 0; i < pattern.size(); i += token_length(pattern, i)) {
    if (pattern[i] == '{') open.push_back({i, 0, {}});
    if (pattern[i] == ',' && !open.empty()) open.back().commas.push_back(i);
    if (pattern[i] != '}' || open.empty()) continue;
    auto braces = std::move(open.back());
    open.pop_back();
    braces.close = i;
    if (braces.commas.empty()) continue;
    if (!found || braces.open < found->open) found = std::move(braces);
    if (open.empty()) return found;
  }
  return found;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  // After a `*` only the newest one is ever tried again: an earlier one could not do better.
  std::optional<std::string_view> after_star;
  std::string_view retry_at;
  for (;;) {
    if (!pattern.empty() && pattern.front() == '*') {
      pattern.remove_prefix(1);
      if (pattern.empty()) return true;
      after_star = pattern;
      retry_at = text;
      continue;
    }
    if (pattern.empty() && text.empty()) return true;
    const auto step = pattern.empty() || text.empty() ? Step{} : match_one(pattern, text);
    if (step.pattern > 0) {
      pattern.remove_prefix(step.pattern);
      text.remove_prefix(step.text);
      continue;
    }
    if (!after_star || retry_at.empty()) return false;
    retry_at.remove_prefix(first_character(retry_at).length);
    pattern = *after_star;
    text = retry_at;
  }
}

bool glob_match_path(std::string_view pattern, std::string_view path) {
  const auto wanted = split(pattern, '/');
  // reached[i]: the segments so far match the first i pattern segments.
  std::vector<bool> reached(wanted.size() + 1);
  const auto skip_stars = [&] {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (reached[i] && wanted[i] == "**") reached[i + 1] = true;
    }
  };
  reached[0] = true;
  skip_stars();
  for (const auto segment : split(path, '/')) {
    std::vector<bool> next(wanted.size() + 1);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!reached[i]) continue;
      if (wanted[i] == "**") next[i] = true;
      else if (glob_match(wanted[i], segment)) next[i + 1] = true;
    }
    reached = std::move(next);
    skip_stars();
  }
  return reached.back();
}

bool has_glob_magic(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') ++i;
    else if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[') return true;
  }
  return first_braces(pattern).has_value();
}

Result<std::vector<std::string>> expand_braces(std::string_view pattern) {
  std::vector<std::string> done;
  std::vector<std::string> pending{std::string(pattern)};  // a stack: the next alternative is at the back
  while (!pending.empty()) {
    const auto current = std::move(pending.back());
    pending.pop_back();
    const auto braces = first_braces(current);
    if (!braces) {
      done.push_back(current);
      continue;
    }
    auto ends = braces->commas;
    ends.push_back(braces->close);
    if (done.size() + pending.size() + ends.size() > kMostAlternatives) {
      return Error{ErrorKind::usage, "pattern " + in_quotes(pattern) + " has more than 4096 alternatives"};
    }
    for (std::size_t i = ends.size(); i-- > 0;) {
      const auto start = i == 0 ? braces->open + 1 : ends[i - 1] + 1;
      pending.push_back(current.substr(0, braces->open) + current.substr(start, ends[i] - start) +
                        current.substr(braces->close + 1));
    }
  }
  return done;
}

std::string glob_unescape(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    out.push_back(pattern[i]);
  }
  return out;
}

std::string glob_escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("*?[]{},\\").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

}  // namespace flakestat
