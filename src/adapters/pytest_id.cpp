#include "adapters/pytest_id.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace flakestat::adapters {
namespace {

std::string in_folder(const std::string& folder, std::string_view path) {
  return folder.empty() ? std::string(path) : folder + "/" + std::string(path);
}

std::string dotted_module(std::string_view path) {
  if (path.ends_with(".py")) path.remove_suffix(3);
  std::string out(path);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

// What XML cannot hold, as pytest's report writes it.
std::string report_spelling(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 || c == '\t' || c == '\n' || c == '\r') {
      out += c;
      continue;
    }
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#x%02X", byte);
    out += text.data();
  }
  return out;
}

}  // namespace

RunTest pytest_test(std::string_view node_id, std::string_view file, const PytestNaming& naming) {
  RunTest test;
  test.id = in_folder(naming.folder, node_id);
  const std::string_view whole = test.id;
  const auto bracket = whole.find('[');
  const auto address = whole.substr(0, bracket);
  const auto parameters = bracket == std::string_view::npos ? std::string_view{} : whole.substr(bracket);
  test.file = in_folder(naming.folder, file);
  test.suite = naming.suite;
  std::string class_name = naming.prefix;
  std::string last;
  bool is_first = true;
  for (std::size_t start = 0; start <= address.size();) {
    const auto end = std::min(address.find("::", start), address.size());
    const auto part = address.substr(start, end - start);
    if (!is_first) {
      if (!class_name.empty()) class_name += '.';
      class_name += last;
    }
    last = is_first ? dotted_module(part) : std::string(part);
    is_first = false;
    start = end + 2;
  }
  test.class_name = std::move(class_name);
  test.name = report_spelling(last + std::string(parameters));
  test.test_id = flakestat::test_id(test.suite, test.class_name, test.name);
  return test;
}

}  // namespace flakestat::adapters
