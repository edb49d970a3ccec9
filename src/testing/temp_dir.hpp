// A folder of the test's own, removed afterwards.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace flakestat::testing {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Absolute path of `name` inside the folder.
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }
  /// Writes a file (parents made) and returns its path.
  std::string write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/// The whole file; a missing one fails the test and yields an empty string.
[[nodiscard]] std::string slurp(const std::string& path);

}  // namespace flakestat::testing
