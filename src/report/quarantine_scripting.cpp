// RSpec, minitest and PHPUnit.
#include "report/quarantine_reach.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kRspecHook = "flakestat_quarantine_rspec.rb";

std::string name_only(const RunnerName& name) { return name.name; }

// The quoted names as one expression between slashes with anchors that no line end in a name can pass.
FormOutput slashed(const FormInput& input, Namer namer, std::string_view before, std::string_view after) {
  FormOutput out;
  const auto listed = name_listed(input, namer, out);
  find_equal_keys(input, namer, listed, name_only, out);
  if (listed.empty()) return out;
  out.document.append(before).append(alternatives(listed, name_only, text::quote_perl_like)).append(after);
  out.longest_argument = out.document.size();
  out.document += '\n';
  return out;
}

// PHP compiles a pattern to so many bytes at most. With a longer one PHPUnit runs nothing and ends with 0.
constexpr std::size_t kMostCompiledByPcre = 65'500;

// At most: 2 bytes a character, 3 a branch, escaped or not.
std::size_t compiled_by_pcre(std::string_view pattern) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    size += pattern[i] == '|' ? 3U : 2U;
    if (pattern[i] == '\\') ++i;
  }
  return size;
}

}  // namespace

FormOutput rspec_form(const FormInput& input) {
  if (input.list_path.empty()) {
    auto out = slashed(input, rspec_name, "\\A(?!(?:", ")\\z)");
    out.usage = "rspec -E PATTERN; with --output FILE a hook beside the list skips by file and description";
    return out;
  }
  FormOutput out;
  const auto listed = name_listed(input, rspec_name, out);
  find_keys_in_files(input, rspec_name, listed, name_only, out);
  out.document = hook_lines(listed);
  out.companions.push_back(hook(kRspecHook));
  out.usage = "FLAKESTAT_QUARANTINE_LIST=" + shown_path(input) + " rspec --require " + beside(input, kRspecHook);
  return out;
}

FormOutput minitest_form(const FormInput& input) {
  auto out = slashed(input, minitest_name, "/\\A(?:", ")\\z/");
  out.usage = "ruby -Itest test/all.rb -e PATTERN";
  return out;
}

FormOutput phpunit_form(const FormInput& input) {
  auto out = slashed(input, phpunit_name, "/\\A(?!(?:", ")\\z)/");
  if (compiled_by_pcre(out.document) > kMostCompiledByPcre) {
    out.refused =
        "the pattern is too big for PHPUnit, which would run no test at all: list fewer tests (--threshold, --filter)";
  }
  out.usage = "phpunit --filter PATTERN";
  return out;
}

}  // namespace flakestat::report
