#include "app/code_owners.hpp"

#include <filesystem>

#include "env/git.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kLargest = std::size_t{3} << 20;

std::string file_of(const TestScore& test) {
  if (!test.file.empty()) return test.file;
  // Some reporters name the suite after the file.
  const bool like_a_file = test.suite.find('/') != std::string::npos && test.suite.find('.') != std::string::npos &&
                           test.suite.find(' ') == std::string::npos;
  return like_a_file ? test.suite : std::string{};
}

}  // namespace

CodeOwnersOf::CodeOwnersOf(const World& world) {
  root_ = env::read_git_names(world.directory).root;
  if (root_.empty()) root_ = world.directory;
  if (world.directory.starts_with(root_ + "/")) below_root_ = world.directory.substr(root_.size() + 1) + "/";
  for (const auto* place : {"/.github/CODEOWNERS", "/CODEOWNERS", "/docs/CODEOWNERS"}) {
    if (const auto text = sys::read_file(root_ + place, kLargest)) {
      owners_ = rules::CodeOwners::parse(*text);
      return;
    }
  }
}

std::string CodeOwnersOf::of(const TestScore& test) const {
  auto file = file_of(test);
  if (file.empty()) return {};
  if (file.starts_with(root_ + "/")) file = file.substr(root_.size() + 1);
  else if (!file.starts_with('/')) file = below_root_ + file;
  const auto path = std::filesystem::path(file).lexically_normal().string();
  std::string joined;
  for (const auto& owner : owners_.owners_of(path)) joined.append(joined.empty() ? "" : ",").append(owner);
  return joined;
}

}  // namespace flakestat::app
