#include "store/append_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "store/duplicates.hpp"
#include "store/log_file.hpp"
#include "store/log_reader.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

Result<void> check_lengths(const EncodedBatch& batch) {
  for (const auto& line : batch.lines()) {
    if (line.size <= kMaxLine) continue;
    return Error{ErrorKind::damaged, "a record of " + std::to_string(line.size) +
                                         " bytes is longer than the log's limit of " + std::to_string(kMaxLine) + ": " +
                                         std::string(batch.text(line).substr(0, 200))};
  }
  return {};
}

// What the caller can do about it, for the errors that have a mend. Whatever is not there, this is no missing input.
Error with_mend(Error error, const std::string& dir) {
  error.kind = ErrorKind::io;
  switch (error.os_error) {
    case EROFS:
    case EACCES:
    case EPERM:
      error.message += "; nothing was stored: make " + dir + " writable, or name another folder with --dir";
      break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: error.message += "; nothing of this batch was stored: make room and repeat"; break;
    default: break;
  }
  return error;
}

Result<void> drop_duplicates(LogFile& log, Duplicates& duplicates) {
  if (!duplicates.has_keys() || log.size() == 0) return {};
  auto blocks = log.blocks();
  return duplicates.search(blocks);
}

}  // namespace

Result<AppendResult> append(const std::string& dir, const EncodedBatch& batch, const AppendOptions& options) {
  AppendResult result;
  if (batch.empty()) return result;
  if (auto fits = check_lengths(batch); !fits) return fits.error();
  Duplicates duplicates(batch);
  const auto failed = [&](const Error& error) { return with_mend(error, dir); };

  if (auto made = sys::make_directories_durably(dir); !made) return failed(made.error());
  auto lock = sys::Lock::exclusive(lock_path(dir), options.calls, options.lock_directory);
  if (!lock) return failed(lock.error());
  result.notes = lock->notes();
  // Only now: while we waited, compaction may have put another file in the log's place.
  auto log = LogFile::open(dir, options.calls);
  if (!log) return failed(log.error());
  if (!options.keys_are_new) {
    if (auto searched = drop_duplicates(*log, duplicates); !searched) return failed(searched.error());
  }
  result.duplicates = duplicates.count();
  result.stored = batch.lines().size() - duplicates.count();
  if (result.stored == 0) {
    // Their writer may have been killed before it flushed them, and we are about to say that they are kept.
    if (auto flushed = log->flush(); !flushed) return failed(flushed.error());
    return result;
  }
  if (auto torn = log->heal(); !torn) return failed(torn.error());
  else if (!torn->empty()) result.notes.push_back(*torn);
  if (auto written = log->append(batch, duplicates, !options.flush_later); !written) return failed(written.error());
  return result;
}

Result<AppendResult> append(const std::string& dir, std::span<const Observation> batch, const AppendOptions& options) {
  EncodedBatch encoded;
  for (const auto& observation : batch) encoded.add(observation);
  return append(dir, encoded, options);
}

Result<void> flush(const std::string& dir, const AppendOptions& options) {
  auto lock = sys::Lock::exclusive(lock_path(dir), options.calls, options.lock_directory);
  if (!lock) return with_mend(lock.error(), dir);
  auto log = LogFile::open(dir, options.calls);
  if (!log) return with_mend(log.error(), dir);
  if (auto flushed = log->flush(); !flushed) return with_mend(flushed.error(), dir);
  return {};
}

}  // namespace flakestat::store
