#include "store/compaction.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "store/line_blocks.hpp"
#include "store/log_reader.hpp"
#include "store/observation_codec.hpp"
#include "store/replacement_file.hpp"
#include "sys/file.hpp"
#include "sys/file_limit.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

constexpr std::size_t kCopySize = LineBlocks::kBlock;
constexpr std::chrono::milliseconds kPatience{2000};

Error with_mend(Error error, const std::string& dir) {
  error.kind = ErrorKind::io;
  switch (error.os_error) {
    case EROFS:
    case EACCES:
    case EPERM: error.message += "; the log is as it was: make " + dir + " writable"; break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: error.message += "; the log is as it was: make room for a second copy of it and repeat"; break;
    default: break;
  }
  return error;
}

// One compaction, from the open log to the renamed one.
class Compaction {
 public:
  Compaction(std::string dir, const CompactOptions& options) : dir_(std::move(dir)), options_(options) {}

  // False: there is no log.
  Result<bool> open() {
    // A log that is a symbolic link is replaced where it lies; the link stays.
    std::error_code code;
    path_ = std::filesystem::canonical(log_path(dir_), code).string();
    if (code == std::errc::no_such_file_or_directory) return false;
    if (code) return sys::errno_error("open " + log_path(dir_), code.value());
    sys::Fd fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd.valid()) return sys::errno_error("open " + path_, errno);
    if (::fstat(fd.get(), &info_) != 0) return sys::errno_error("read " + path_, errno);
    if (!S_ISREG(info_.st_mode)) return Error{ErrorKind::io, "open " + path_ + ": not a regular file"};
    fd_ = std::move(fd);
    return true;
  }

  Result<void> plan(ExecutionRule& rule) {
    auto made = plan_compaction({fd_.get(), size(), path_, [this] { advance(); }}, rule);
    if (!made) return made.error();
    plan_ = std::move(*made);
    if (plan_.rejected > 0 && !options_.salvage) return refusal();
    return for_each_kept(plan_, size(), [this](const LogRange& range) -> Result<void> {
      auto ended = is_ended(range);
      if (!ended) return ended.error();
      bytes_after_ += range.size + (*ended ? 0 : 1);
      return {};
    });
  }

  [[nodiscard]] bool changes_anything() const { return !plan_.cuts.empty() || bytes_after_ != size(); }

  Result<void> perform() {
    const sys::FileLimitGuard guard;
    if (!plan_.damaged.empty()) FLAKESTAT_TRY(save_rejected());
    auto file = ReplacementFile::create(path_, fd_.get(), options_.calls);
    if (!file) return file.error();
    FLAKESTAT_TRY(copy_kept(*file));
    if (file->size() != bytes_after_)
      return Error{ErrorKind::internal, "compacting " + path_ + ": " + std::to_string(file->size()) +
                                            " bytes were written where " + std::to_string(bytes_after_) +
                                            " were expected; the log is as it was"};
    FLAKESTAT_TRY(check_nobody_wrote());
    return file->commit();
  }

  [[nodiscard]] CompactResult result() const {
    CompactResult result;
    result.rejected = plan_.rejected;
    result.duplicates = plan_.duplicates;
    result.superseded = plan_.superseded;
    result.lines = plan_.stats.lines + plan_.rejected;
    result.kept = plan_.stats.lines - plan_.duplicates - plan_.superseded;
    result.bytes_before = size();
    result.bytes_after = bytes_after_;
    return result;
  }

 private:
  [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(info_.st_size); }

  void advance() const {
    if (options_.on_block) options_.on_block((options_.dry_run ? 1 : 2) * (size() / kCopySize + 1));
  }

  [[nodiscard]] Error refusal() const {
    std::string message =
        "nothing was changed, the log holds what is no record ('flakestat compact --salvage' moves it to " +
        rejected_path(dir_) + ")";
    for (const auto& line : describe(plan_.stats, log_path(dir_))) message += "\n  " + line;
    return {ErrorKind::damaged, message};
  }

  // Whether the stretch ends with a line end.
  [[nodiscard]] Result<bool> is_ended(const LogRange& range) const {
    char last = 0;
    auto count = sys::read_at(fd_.get(), &last, 1, range.offset + range.size - 1, path_);
    if (!count) return count.error();
    if (*count == 0) return became_shorter();
    return last == '\n';
  }

  [[nodiscard]] Error became_shorter() const {
    return {ErrorKind::io, "read " + path_ + ": it became shorter while locked"};
  }

  // Stretch after stretch through one buffer, each ended by a line end.
  template <class Write>
  Result<void> copy(const LogRange& range, std::string& pending, const Write& write) {
    for (std::uint64_t done = 0; done < range.size;) {
      const auto used = pending.size();
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(range.size - done, kCopySize));
      pending.resize(used + wanted);
      auto count = sys::read_at(fd_.get(), pending.data() + used, wanted, range.offset + done, path_);
      if (!count) return count.error();
      if (*count == 0) return became_shorter();
      pending.resize(used + *count);
      done += *count;
      if (done == range.size && pending.back() != '\n') pending += '\n';
      if (pending.size() < kCopySize) continue;
      FLAKESTAT_TRY(write(pending));
      pending.clear();
      advance();
    }
    return {};
  }

  Result<void> copy_kept(ReplacementFile& file) {
    std::string pending;
    const auto write = [&](std::string_view bytes) { return file.write(bytes); };
    FLAKESTAT_TRY(for_each_kept(plan_, size(), [&](const LogRange& range) { return copy(range, pending, write); }));
    return write(pending);
  }

  // Appended and flushed before the log loses them: killed in between, both have them.
  Result<void> save_rejected() {
    const auto path = rejected_path(dir_);
    const sys::Fd fd(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, info_.st_mode & 0777));
    if (!fd.valid()) return sys::errno_error("open " + path, errno);
    std::string pending;
    const auto write = [&](std::string_view bytes) { return write_fully(options_.calls, fd.get(), bytes, path); };
    for (const auto& range : plan_.damaged) FLAKESTAT_TRY(copy(range, pending, write));
    FLAKESTAT_TRY(write(pending));
    while (options_.calls.sync(fd.get()) != 0) {
      if (errno != EINTR) return sys::errno_error("flush " + path, errno);
    }
    return sys::sync_directory(dir_);
  }

  // Programs that do not take the lock (`cat >>`): what they wrote after our look would be lost.
  [[nodiscard]] Result<void> check_nobody_wrote() const {
    struct stat now {};
    if (::stat(path_.c_str(), &now) != 0) return sys::errno_error("read " + path_, errno);
    const bool same = now.st_dev == info_.st_dev && now.st_ino == info_.st_ino && now.st_size == info_.st_size;
    if (same) return {};
    return Error{ErrorKind::io, path_ + ": somebody wrote it without taking the lock; it is as they left it: repeat"};
  }

  std::string dir_, path_;
  const CompactOptions& options_;
  sys::Fd fd_;
  struct stat info_ {};
  CompactionPlan plan_;
  std::uint64_t bytes_after_ = 0;
};

// Where the log has a size that ends a batch; what is appended afterwards is left out.
Result<CompactResult> look(const std::string& dir, ExecutionRule& rule, const CompactOptions& options) {
  Compaction compaction(dir, options);
  {
    const auto lock = sys::Lock::try_shared(lock_path(dir), kPatience);
    auto opened = compaction.open();
    if (!opened) return opened.error();
    if (!*opened) return CompactResult{};
  }
  FLAKESTAT_TRY(compaction.plan(rule));
  return compaction.result();
}

Result<CompactResult> rewrite(const std::string& dir, ExecutionRule& rule, const CompactOptions& options) {
  auto lock = sys::Lock::exclusive(lock_path(dir), options.calls, options.lock_directory);
  if (!lock) return lock.error();
  Compaction compaction(dir, options);
  auto opened = compaction.open();
  if (!opened) return opened.error();
  if (!*opened) return CompactResult{};
  FLAKESTAT_TRY(compaction.plan(rule));
  if (compaction.changes_anything()) FLAKESTAT_TRY(compaction.perform());
  auto result = compaction.result();
  result.notes = lock->notes();
  return result;
}

}  // namespace

Result<CompactResult> compact(const std::string& dir, ExecutionRule& rule, const CompactOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(log_path(dir), ignored) && !ignored) return CompactResult{};

  auto done = options.dry_run ? look(dir, rule, options) : rewrite(dir, rule, options);
  if (done || done.error().kind == ErrorKind::damaged || done.error().kind == ErrorKind::internal) return done;
  return with_mend(done.error(), dir);
}

}  // namespace flakestat::store
