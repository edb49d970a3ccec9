#include "run/varying_names.hpp"

#include <algorithm>
#include <map>

namespace flakestat::run {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

std::string_view take_word(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin()));
}

bool is_hex_number(std::string_view word) {
  if (word.starts_with("0x") || word.starts_with("0X")) word.remove_prefix(2);
  return !word.empty() && std::all_of(word.begin(), word.end(), is_hex) &&
         std::any_of(word.begin(), word.end(), is_digit);
}

void append_masked_word(std::string& out, std::string_view word) {
  if (is_hex_number(word)) {
    out += '#';
    return;
  }
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (!is_digit(word[i])) out += word[i];
    else if (i == 0 || !is_digit(word[i - 1])) out += '#';
  }
}

// The differing middle of two texts, widened to whole words.
struct Parts {
  std::string before;
  std::string after;
};

Parts differing_parts(std::string_view a, std::string_view b) {
  std::size_t front = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) ++front;
  while (front > 0 && is_word(a[front - 1])) --front;
  std::size_t back = 0;
  while (back < a.size() - front && back < b.size() - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  while (back > 0 && is_word(a[a.size() - back])) --back;
  return {std::string(a.substr(front, a.size() - front - back)), std::string(b.substr(front, b.size() - front - back))};
}

bool is_time_stamp(std::string_view part) {
  return part.size() == 14 && std::all_of(part.begin(), part.end(), is_digit);
}

bool ends_in_repeat_count(std::string_view name) {
  return !name.empty() && name.back() == ']' && masked(name).ends_with("#-#]");
}

// What is known of runners that change their names.
std::string cure_for(const VaryingNames& found, int run_before, int run_after) {
  const auto& part = found.part_after;
  if (found.field != "name" && is_time_stamp(part)) {
    return "unittest-xml-reporting does this: give it --outsuffix \"\"";
  }
  if (found.part_before == std::to_string(run_before) && part == std::to_string(run_after)) {
    return "it is the run's number: keep {run} and FLAKESTAT_RUN out of test names (Surefire: no reportNameSuffix)";
  }
  if (part.starts_with("0x")) return "it is an object's address: give the parameters ids of their own";
  if (found.field == "name" && ends_in_repeat_count(found.after)) {
    return "pytest-repeat numbers its repetitions: drop --count, hunt repeats the run itself";
  }
  if (found.field == "suite" && found.after.starts_with("rspec")) return "RSpec: take the seed out of the suite's name";
  if (found.field == "suite" && found.after.find('/') != std::string::npos) {
    return "doctest and bats name the suite after how they were called: use the same path in every run";
  }
  return "";
}

void fill_example(VaryingNames& found, const TestName& before, const TestName& after) {
  const auto take = [&](const char* field, const std::string& a, const std::string& b) {
    found.field = field;
    found.before = a;
    found.after = b;
  };
  if (before.suite != after.suite) take("suite", before.suite, after.suite);
  else if (before.class_name != after.class_name) take("class", before.class_name, after.class_name);
  else take("name", before.name, after.name);
  auto parts = differing_parts(found.before, found.after);
  found.part_before = std::move(parts.before);
  found.part_after = std::move(parts.after);
}

std::vector<TestName> sorted(std::vector<TestName> tests) {
  std::sort(tests.begin(), tests.end());
  tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
  return tests;
}

std::vector<TestName> only_in(const std::vector<TestName>& these, const std::vector<TestName>& those) {
  std::vector<TestName> found;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(found));
  return found;
}

}  // namespace

std::string masked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto word = take_word(text);
    if (word.empty()) out += text.front();
    else append_masked_word(out, word);
    text.remove_prefix(std::max<std::size_t>(word.size(), 1));
  }
  return out;
}

TestName masked(const TestName& test) { return {masked(test.suite), masked(test.class_name), masked(test.name)}; }

std::optional<VaryingNames> compare_names(const std::vector<TestName>& before, int run_before,
                                          const std::vector<TestName>& after, int run_after) {
  const auto earlier = sorted(before);
  const auto later = sorted(after);
  std::multimap<TestName, TestName> unmatched;
  for (auto& test : only_in(earlier, later)) unmatched.emplace(masked(test), test);
  VaryingNames found;
  for (const auto& test : only_in(later, earlier)) {
    const auto match = unmatched.find(masked(test));
    if (match == unmatched.end()) continue;
    if (found.tests++ == 0) fill_example(found, match->second, test);
    unmatched.erase(match);
  }
  if (found.tests == 0) return std::nullopt;
  found.cure = cure_for(found, run_before, run_after);
  return found;
}

}  // namespace flakestat::run
