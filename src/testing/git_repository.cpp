#include "testing/git_repository.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "sys/capture.hpp"

namespace flakestat::testing {

GitRepository::GitRepository() : folder_(std::in_place), path_(folder_->path()) { initialise(); }

GitRepository::GitRepository(std::filesystem::path path) : path_(std::move(path)) { initialise(); }

void GitRepository::initialise() const { git({"init", "-q", "-b", "main"}); }

void GitRepository::write(const std::string& name, std::string_view content) const {
  std::filesystem::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << content;
}

std::string GitRepository::commit_file(const std::string& name, std::string_view content) const {
  write(name, content);
  git({"add", "--", name});
  return commit();
}

std::string GitRepository::commit() const {
  git({"commit", "-q", "--no-verify", "-m", "change"});
  return git({"rev-parse", "HEAD"});
}

std::string GitRepository::git(const std::vector<std::string>& arguments) const {
  std::vector<std::string> argv = {"env",
                                   "-u",
                                   "GIT_DIR",
                                   "-u",
                                   "GIT_WORK_TREE",
                                   "-u",
                                   "GIT_INDEX_FILE",
                                   "GIT_CONFIG_NOSYSTEM=1",
                                   "GIT_CONFIG_GLOBAL=/dev/null"};
  argv.insert(argv.end(), {"git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c",
                           "commit.gpgsign=false", "-c", "protocol.file.allow=always"});
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  sys::CaptureOptions options;
  options.directory = path_.string();
  const auto result = sys::capture(argv, options);
  if (!result || result->exit_code != 0) {
    ADD_FAILURE() << "git " << (arguments.empty() ? "" : arguments.front()) << " failed in " << path_;
    return {};
  }
  auto output = result->output;
  if (output.ends_with('\n')) output.pop_back();
  return output;
}

}  // namespace flakestat::testing
