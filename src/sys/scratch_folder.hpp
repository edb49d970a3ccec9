// A folder for what a run leaves behind: the newest ones stay to be looked at, older ones go when later runs begin, and
// none while its run lasts, in however many processes runs go on at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

/// In use until it goes; the folder itself stays.
class ScratchFolder {
 public:
  /// Makes `parent` (0700; it must be a folder of ours, no link: it may lie where everybody can write) and a new folder
  /// in it that is named after `name`. Of the others that nobody uses only the `kept` newest stay. Errors: `io`.
  [[nodiscard]] static Result<ScratchFolder> make(const std::string& parent, std::string_view name, std::size_t kept);

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  ScratchFolder(std::string path, Fd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Fd lock_;  ///< flock on the folder, close-on-exec: no child keeps it
};

}  // namespace flakestat::sys
