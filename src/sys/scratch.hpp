// Folders for what copies write: made, removed again whatever is in them, and swept when their owner died.
#pragma once

#include <string>

#include "base/result.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

/// A folder of this process below a common one, marked as in use by a lock; removed when it goes. Move-only.
class Scratch {
 public:
  /// Makes `base` when it is not there, removes folders that dead processes of this user left in it, and makes our own.
  [[nodiscard]] static Result<Scratch> open(const std::string& base);

  Scratch(Scratch&& other) noexcept = default;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Scratch(std::string path, Fd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Fd lock_;
};

/// Removes a folder and all in it, folders without permissions included (an overlay leaves such). Follows no link and
/// enters no other file system. Errors: `io` naming the first thing that stayed.
[[nodiscard]] Result<void> remove_tree(const std::string& path);

}  // namespace flakestat::sys
