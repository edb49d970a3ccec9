#include "env/code_digest.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/glob.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::env {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigestBytes = 4;
constexpr std::size_t kMostRepositories = 1000;
constexpr std::size_t kPathsACall = 200;

// A path as we treat it: mode word and digest of the content.
struct Fingerprint {
  std::string mode;
  std::string content;
};

Result<Fingerprint> file_fingerprint(const std::string& path, const struct stat& info) {
  // O_NONBLOCK and the second look: what was a file may be a FIFO by now.
  const sys::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat opened {};
  if (!fd.valid() || ::fstat(fd.get(), &opened) != 0) return sys::errno_error("read " + path, errno);
  if (!S_ISREG(opened.st_mode)) return Error{ErrorKind::io, "read " + path + ": no regular file any more"};
  Sha256 digest;
  const auto buffer = std::make_unique<std::array<char, 1 << 18>>();
  for (;;) {
    const auto count = sys::read_some(fd.get(), buffer->data(), buffer->size(), path);
    if (!count) return count.error();
    if (*count == 0) break;
    digest.update({buffer->data(), *count});
  }
  return Fingerprint{(info.st_mode & S_IXUSR) != 0 ? "100755" : "100644", hex_prefix(digest.finish(), 32)};
}

Result<Fingerprint> fingerprint(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Fingerprint{"deleted", {}};
    return sys::errno_error("read " + path, errno);
  }
  if (S_ISREG(info.st_mode)) return file_fingerprint(path, info);
  if (S_ISLNK(info.st_mode)) {
    std::error_code code;
    const auto target = fs::read_symlink(path, code);
    if (code) return sys::errno_error("read link " + path, code.value());
    return Fingerprint{"120000", target.string()};
  }
  return Fingerprint{S_ISDIR(info.st_mode) ? "folder" : "special", {}};
}

// Patterns relative to the repository's root.
class Exclusions {
 public:
  Exclusions(const CodeDigestOptions& options, const std::string& root) {
    std::error_code ignored;
    const auto directory = fs::weakly_canonical(options.directory.empty() ? "." : options.directory, ignored);
    const auto top = fs::weakly_canonical(root, ignored);
    for (const auto& pattern : options.exclude) {
      auto relative = (directory / pattern).lexically_normal().lexically_relative(top).string();
      if (fs::path(pattern).is_absolute()) relative = absolute_pattern(pattern, top);
      while (relative.ends_with('/')) relative.pop_back();
      if (relative.empty() || relative == "." || relative.starts_with("..")) continue;
      if (auto all = expand_braces(relative)) patterns_.insert(patterns_.end(), all->begin(), all->end());
    }
  }

  // The path itself, or a folder above it.
  [[nodiscard]] bool contain(std::string_view path) const {
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
      for (auto end = path.size();; end = path.rfind('/', end - 1)) {
        const auto part = path.substr(0, end);
        if (part == pattern || glob_match_path(pattern, part)) return true;
        if (end == 0 || path.rfind('/', end - 1) == std::string_view::npos) return false;
      }
    });
  }

 private:
  static std::string absolute_pattern(const fs::path& pattern, const fs::path& top) {
    std::error_code ignored;
    // Only the part before the first pattern character can be resolved.
    fs::path plain;
    fs::path rest;
    for (const auto& part : pattern.lexically_normal()) {
      if (rest.empty() && !has_glob_magic(part.string())) plain /= part;
      else rest /= part;
    }
    return (fs::weakly_canonical(plain, ignored) / rest).lexically_relative(top).string();
  }

  std::vector<std::string> patterns_;
};

// A repository still to be looked at, its paths shown below `prefix`.
struct Pending {
  GitState state;
  std::string prefix;
};

class Digester {
 public:
  Digester(const Exclusions& exclusions, bool untracked) : exclusions_(exclusions), untracked_(untracked) {}

  Result<void> run(GitState top) {
    pending_.push_back({std::move(top), ""});
    for (std::size_t seen = 0; !pending_.empty(); ++seen) {
      if (seen == kMostRepositories) return Error{ErrorKind::io, "more than 1000 repositories in one tree"};
      const auto next = std::move(pending_.back());
      pending_.pop_back();
      FLAKESTAT_TRY(look_at(next));
    }
    return {};
  }

  [[nodiscard]] std::optional<std::string> result() {
    if (lines_.empty()) return std::nullopt;
    std::sort(lines_.begin(), lines_.end());
    Sha256 digest;
    for (const auto& line : lines_) digest.update_prefixed(line);
    return hex_prefix(digest.finish(), kDigestBytes);
  }

 private:
  Result<void> look_at(const Pending& repository) {
    std::vector<const ChangedPath*> maybe_reverted;
    for (const auto& changed : repository.state.changes) {
      if (changed.untracked && !untracked_) continue;
      if (exclusions_.contain(repository.prefix + changed.path)) continue;
      if (!changed.blob.empty()) {
        maybe_reverted.push_back(&changed);
      } else if (changed.kind == ChangedPath::Kind::content) {
        FLAKESTAT_TRY(add(repository, changed));
      } else {
        FLAKESTAT_TRY(add_repository(repository, changed));
      }
    }
    for (std::size_t i = 0; i < maybe_reverted.size(); i += kPathsACall) {
      const auto end = std::min(maybe_reverted.size(), i + kPathsACall);
      FLAKESTAT_TRY(add_unless_reverted(repository, {maybe_reverted.data() + i, maybe_reverted.data() + end}));
    }
    return {};
  }

  Result<void> add(const Pending& repository, const ChangedPath& changed) {
    const auto print = fingerprint(repository.state.root + '/' + changed.path);
    if (!print) return print.error();
    // Added to the index and gone again: as in the commit.
    if (print->mode == "deleted" && !changed.in_commit) return {};
    add_line(repository.prefix + changed.path, print->mode, print->content);
    return {};
  }

  // Staged changes that the file itself has taken back are no changes: git's own blob id tells, filters included.
  Result<void> add_unless_reverted(const Pending& repository, const std::vector<const ChangedPath*>& changes) {
    std::vector<std::string> arguments = {"hash-object", "--"};
    for (const auto* changed : changes) arguments.push_back(changed->path);
    const auto output = run_git(repository.state.root, arguments);
    const auto blobs = output ? split(*output, '\n') : std::vector<std::string_view>{};
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (i < blobs.size() && blobs[i] == changes[i]->blob) continue;
      FLAKESTAT_TRY(add(repository, *changes[i]));
    }
    return {};
  }

  Result<void> add_repository(const Pending& repository, const ChangedPath& changed) {
    const auto folder = repository.state.root + '/' + changed.path;
    auto inner = read_git(folder);
    std::error_code ignored;
    // A submodule that is not checked out belongs to the repository around it.
    if (!inner.repository || !fs::equivalent(inner.root, folder, ignored)) {
      return add(repository, changed);
    }
    if (!inner.changes_known) return Error{ErrorKind::io, "it is not known what is modified in " + folder};
    add_line(repository.prefix + changed.path, "160000", inner.commit);
    pending_.push_back({std::move(inner), repository.prefix + changed.path + '/'});
    return {};
  }

  void add_line(std::string_view path, std::string_view mode, std::string_view content) {
    // NUL is in no path, so the path, which sorts the lines, ends clearly.
    lines_.push_back(std::string(path) + '\0' + std::string(mode) + ' ' + std::string(content));
  }

  const Exclusions& exclusions_;
  bool untracked_;
  std::vector<Pending> pending_;
  std::vector<std::string> lines_;
};

}  // namespace

Result<std::optional<std::string>> code_digest(const GitState& state, const CodeDigestOptions& options) {
  if (!state.repository) return std::optional<std::string>();
  if (!state.changes_known) return Error{ErrorKind::io, "it is not known what is modified in " + state.root};
  const Exclusions exclusions(options, state.root);
  Digester digester(exclusions, options.untracked);
  FLAKESTAT_TRY(digester.run(state));
  return digester.result();
}

}  // namespace flakestat::env
