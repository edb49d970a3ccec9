#include "testing/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace flakestat::testing {
namespace {

namespace fs = std::filesystem;

bool update_wanted() {
  const char* flag = std::getenv("FLAKESTAT_UPDATE_GOLDEN");
  return flag != nullptr && std::string_view(flag) == "1";
}

::testing::AssertionResult write_golden(const fs::path& path, std::string_view content) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out << content;
  if (!out.flush()) return ::testing::AssertionFailure() << "cannot write " << path;
  return ::testing::AssertionSuccess();
}

std::string_view line_at(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset).rfind('\n');
  const auto start = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

::testing::AssertionResult matches_golden(std::string_view source_dir, std::string_view name, std::string_view actual) {
  const fs::path path = fs::path(source_dir) / "tests" / "golden" / name;
  if (update_wanted()) return write_golden(path, actual);
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return ::testing::AssertionFailure() << "no golden file " << path << "; FLAKESTAT_UPDATE_GOLDEN=1 writes it";
  }
  const std::string wanted{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (wanted == actual) return ::testing::AssertionSuccess();
  const auto [a, b] = std::mismatch(wanted.begin(), wanted.end(), actual.begin(), actual.end());
  const auto offset = static_cast<std::size_t>(a - wanted.begin());
  const auto line = 1 + std::count(wanted.begin(), a, '\n');
  return ::testing::AssertionFailure() << path << " differs in line " << line << "\nwanted: " << line_at(wanted, offset)
                                       << "\nactual: " << line_at(actual, offset)
                                       << "\nFLAKESTAT_UPDATE_GOLDEN=1 rewrites the file";
}

}  // namespace flakestat::testing
