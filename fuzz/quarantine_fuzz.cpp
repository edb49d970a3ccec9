// Any bytes as a quarantine list, as one in YAML, as a pattern and as a CODEOWNERS file: no crash, no byte lost,
// bounded work.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/quarantine_yaml.hpp"
#include "rules/codeowners.hpp"
#include "rules/quarantine_list.hpp"
#include "rules/star_pattern.hpp"

namespace {

using namespace flakestat::rules;

// What must hold for every input; aborting is how libFuzzer learns of it.
void require(bool condition) {
  if (!condition) std::abort();
}

void fuzz_list(std::string_view text) {
  auto document = read_quarantine_document(text);
  require(document.text() == text);
  for (const auto& line : document.lines) {
    if (!line.entry) continue;
    require(!line.entry->pattern.empty());
    // An entry that is written again is read as the same; not in the first line, where a byte order mark would go.
    const auto again = read_quarantine_document("\n" + entry_line(*line.entry));
    require(again.lines.size() == 2 && again.lines.back().entry && again.problems.empty());
    require(entry_line(*again.lines.back().entry) == entry_line(*line.entry));
  }
  const auto list = QuarantineList::of(document);
  const flakestat::TestNames names{"suite", "class", text, "file.py"};
  static_cast<void>(list.match({names, flakestat::test_id("suite", "class", text), text}, {{"os", "linux"}}, Day{}));
}

void fuzz_pattern(std::string_view text) {
  const StarPattern pattern(text);
  require(pattern.matches(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  fuzz_list(text);
  fuzz_pattern(text);
  const auto yaml = flakestat::formats::read_quarantine_yaml(text, "fuzz");
  require(yaml || yaml.error().kind == flakestat::ErrorKind::config);
  static_cast<void>(CodeOwners::parse(text).owners_of(std::string_view(text).substr(0, 64)));
  return 0;
}
