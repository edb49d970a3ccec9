#include "app/quarantine_file.hpp"

#include "formats/quarantine_yaml.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;

Result<rules::QuarantineDocument> from_yaml(const std::string& text, const std::string& path) {
  auto tests = formats::read_quarantine_yaml(text, path);
  if (!tests) return tests.error();
  rules::QuarantineDocument document;
  for (auto& test : *tests) {
    rules::QuarantineEntry entry;
    entry.pattern = test.test_id.empty() ? std::move(test.test) : std::move(test.test_id);
    entry.line = test.line;
    document.lines.push_back({{}, std::move(entry)});
  }
  return document;
}

}  // namespace

bool is_yaml_list(const std::string& path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

Result<rules::QuarantineDocument> read_list_file(const std::string& path) {
  auto text = sys::read_file(path, kLargest);
  if (!text) return text.error();
  return is_yaml_list(path) ? from_yaml(*text, path) : rules::read_quarantine_document(*text);
}

Result<rules::QuarantineList> load_quarantine_list(const std::string& path, rules::Day today) {
  auto document = read_list_file(path);
  if (!document) return document.error();
  return rules::QuarantineList::checked(*document, path, today);
}

}  // namespace flakestat::app
