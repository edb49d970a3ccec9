// A git repository of the test's own, on branch `main`, untouched by the user's configuration.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testing/temp_dir.hpp"

namespace flakestat::testing {

class GitRepository {
 public:
  /// In a folder of its own.
  GitRepository();
  /// In an existing folder, which stays afterwards.
  explicit GitRepository(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file of the tree (parents made).
  void write(const std::string& name, std::string_view content) const;
  /// Writes, adds and commits; returns the commit.
  std::string commit_file(const std::string& name, std::string_view content) const;
  /// Commits what is staged; returns the commit.
  std::string commit() const;
  /// Runs git in the tree; fails the test when git fails. Returns its output without the last line end.
  std::string git(const std::vector<std::string>& arguments) const;

 private:
  void initialise() const;
  std::optional<TempDir> folder_;
  std::filesystem::path path_;
};

}  // namespace flakestat::testing
