#include "store/ledger.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "base/sha256.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"

namespace flakestat::store {
namespace {

constexpr std::chrono::milliseconds kPatience{2000};
// So many runs at once are one pack: a file and a flush each would take minutes.
constexpr std::size_t kSingleFiles = 32;
constexpr std::size_t kNameDigest = 16;
// Counts of a flakes.json that no run accounts for; no run_id of ours holds a colon.
constexpr std::string_view kKept = "kept:";

Error with_mend(Error error, const std::string& dir) {
  if (error.kind == ErrorKind::damaged) {
    error.message += "; restore it, or let 'flakestat ledger rebuild --dir " + dir +
                     "' move it away and make it anew from what is known of the runs";
    return error;
  }
  if (error.kind != ErrorKind::config) error.kind = ErrorKind::io;
  if (error.os_error == EROFS || error.os_error == EACCES || error.os_error == EPERM)
    error.message += "; make " + dir + " writable, or name another folder with --dir";
  else if (error.os_error == ENOSPC || error.os_error == EDQUOT)
    error.message += "; make room: the ledger is as it was";
  return error;
}

struct StoredLedger {
  std::optional<std::string> text;  ///< nothing: there is no file
  LedgerFile file;
};

Result<StoredLedger> read_stored(const std::string& dir) {
  StoredLedger stored;
  auto text = sys::read_file(ledger_path(dir), kMostLedgerBytes + 1);
  if (!text && text.error().kind == ErrorKind::missing) return stored;
  if (!text) return text.error();
  auto file = parse_ledger(*text, ledger_path(dir));
  if (!file) return file.error();
  stored.text = std::move(*text);
  stored.file = std::move(*file);
  return stored;
}

// What flakes.json says and no run accounts for: counts of another program that writes it, of runs whose files are
// gone.
LedgerRuns unaccounted(const StoredLedger& stored, const LedgerRuns& runs, const LedgerAge& age) {
  if (!stored.text) return {};
  auto beyond = excess(without_forgotten(stored.file.tests, age), total(runs));
  if (beyond.empty()) return {};
  // Of the whole text: the same counts may be added twice, but never to the same ledger.
  return {{std::string(kKept) + hex_prefix(sha256(*stored.text), kNameDigest), std::move(beyond)}};
}

LedgerFile updated(LedgerFile file, const LedgerRuns& runs, const LedgerAge& age) {
  file.tests = remembered(runs, age);
  std::erase_if(file.unknown_of, [&](const auto& of) { return !file.tests.contains(of.first); });
  return file;
}

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  return b > std::numeric_limits<std::uint64_t>::max() - a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

// One change of the ledger, while the lock is held. Runs are on disk before flakes.json counts them, so that a crash
// in between costs nothing: the next change, and every reader, counts what flakes.json does not have.
class LedgerChange {
 public:
  LedgerChange(const std::string& dir, const LedgerOptions& options) : dir_(dir), options_(options) {}

  Result<LedgerWrite> add(const LedgerRuns& runs) {
    auto folder = read_ledger_folder(ledger_folder(dir_));
    if (!folder) return folder.error();
    take(std::move(*folder));
    const auto known = known_;
    FLAKESTAT_TRY(write(runs));
    auto stored = read_stored(dir_);
    if (!stored) return stored.error();
    // Against what was known before: what these runs bring cannot be in flakes.json yet.
    const auto kept = unaccounted(*stored, known, options_.age);
    FLAKESTAT_TRY(write(kept));
    return finish(*stored);
  }

  Result<LedgerWrite> rebuild(const LedgerRuns& runs) {
    auto folder = read_ledger_folder(ledger_folder(dir_));
    if (!folder) return folder.error();
    take(std::move(*folder));
    auto stored = read_stored(dir_);
    if (!stored && stored.error().kind == ErrorKind::damaged) {
      FLAKESTAT_TRY(move_away());
      stored = StoredLedger{};
    }
    if (!stored) return stored.error();
    FLAKESTAT_TRY(write(new_ones(runs)));
    FLAKESTAT_TRY(write(unaccounted(*stored, known_, options_.age)));
    return finish(*stored);
  }

 private:
  void take(LedgerFolder folder) {
    known_ = std::move(folder.runs);
    done_.notes = std::move(folder.notes);
  }

  // The files of runs are exact; what a log says of the same run under other names would count it twice.
  [[nodiscard]] LedgerRuns new_ones(LedgerRuns runs) const {
    std::erase_if(runs, [this](const auto& run) { return known_.contains(run.first); });
    return runs;
  }

  Result<void> write(const LedgerRuns& runs) {
    LedgerRuns fresh;
    for (const auto& [run, tests] : runs) {
      auto at = known_.find(run);
      if (at == known_.end() && !run.starts_with(kKept)) ++done_.new_runs;
      auto united = at == known_.end() ? LedgerTests{} : at->second;
      if (unite(united, tests) || at == known_.end()) fresh.emplace(run, tests);
    }
    if (fresh.empty()) return {};
    done_.changed = true;
    unite(known_, fresh);
    const auto folder = ledger_folder(dir_);
    if (fresh.size() > kSingleFiles) return write_ledger_pack(folder, fresh, options_.calls);
    for (const auto& [run, tests] : fresh) FLAKESTAT_TRY(write_ledger_run(folder, run, tests, options_.calls));
    return {};
  }

  Result<LedgerWrite> finish(const StoredLedger& stored) {
    const auto text = encode_ledger(updated(stored.file, known_, options_.age));
    const bool nothing = !stored.text && text == encode_ledger({});
    if (!nothing && stored.text != text) {
      // What is larger could not be read again.
      if (text.size() > options_.most_bytes)
        return Error{ErrorKind::io, ledger_path(dir_) + " would be larger than 64 MiB: shorten the retention"};
      FLAKESTAT_TRY(replace_durably(ledger_path(dir_), text, options_.calls));
      done_.changed = true;
    }
    FLAKESTAT_TRY(pack_ledger_folder(ledger_folder(dir_), known_, options_.packing, options_.age, options_.calls));
    return std::move(done_);
  }

  Result<void> move_away() {
    const auto path = ledger_path(dir_);
    std::error_code unknown;
    int number = 1;
    const auto name = [&] { return path + ".damaged-" + std::to_string(number); };
    while (std::filesystem::exists(std::filesystem::symlink_status(name(), unknown))) ++number;
    if (options_.calls.rename(path.c_str(), name().c_str()) != 0)
      return sys::errno_error("rename " + path + " to " + name(), errno);
    done_.moved_away = name();
    done_.changed = true;
    return sys::sync_directory(dir_);
  }

  const std::string& dir_;
  const LedgerOptions& options_;
  LedgerRuns known_;
  LedgerWrite done_;
};

bool is_there(const std::string& dir) {
  std::error_code unknown;
  return std::filesystem::exists(dir, unknown);
}

template <class Change>
Result<LedgerWrite> locked(const std::string& dir, const LedgerOptions& options, Change change) {
  if (auto made = sys::make_directories_durably(dir); !made) return with_mend(made.error(), dir);
  auto lock = sys::Lock::exclusive(lock_path(dir), options.calls, options.lock_directory);
  if (!lock) return with_mend(lock.error(), dir);
  LedgerChange open(dir, options);
  Result<LedgerWrite> done = change(open);
  if (!done) return with_mend(done.error(), dir);
  done->notes.insert(done->notes.begin(), lock->notes().begin(), lock->notes().end());
  return done;
}

}  // namespace

LedgerCounts Ledger::counts(std::string_view id) const {
  const auto at = tests_.find(id);
  if (at == tests_.end()) return {};
  return {at->second.flaky, at->second.failed};
}

LedgerCounts Ledger::counts(const RunTest& test) const {
  auto found = counts(test.id);
  const auto name = display_name(test.suite, test.class_name, test.name);
  if (name == test.id) return found;
  const auto more = counts(name);
  return {add(found.flaky, more.flaky), add(found.failed, more.failed)};
}

Result<Ledger> read_ledger(const std::string& dir, const LedgerAge& age) {
  // A writer that was stopped half-way must not stop readers; they see what it had done.
  const auto lock = sys::Lock::try_shared(lock_path(dir), kPatience);
  auto folder = read_ledger_folder(ledger_folder(dir));
  if (!folder) return with_mend(folder.error(), dir);
  auto stored = read_stored(dir);
  if (!stored) return with_mend(stored.error(), dir);
  unite(folder->runs, unaccounted(*stored, folder->runs, age));
  return Ledger(remembered(folder->runs, age), std::move(folder->notes));
}

Result<LedgerWrite> record_run(const std::string& dir, const std::string& run_id, std::span<const LedgerEvent> events,
                               const LedgerOptions& options) {
  if (events.empty()) return LedgerWrite{};
  return unite_runs(dir, {{run_id, tests_of(events)}}, options);
}

Result<LedgerWrite> unite_runs(const std::string& dir, const LedgerRuns& runs, const LedgerOptions& options) {
  if (runs.empty() && !is_there(dir)) return LedgerWrite{};
  return locked(dir, options, [&](LedgerChange& change) { return change.add(runs); });
}

Result<LedgerWrite> rebuild_ledger(const std::string& dir, const LedgerRuns& runs, const LedgerOptions& options) {
  if (runs.empty() && !is_there(dir)) return LedgerWrite{};
  return locked(dir, options, [&](LedgerChange& change) { return change.rebuild(runs); });
}

Result<ReadLedgerRuns> runs_of_ledger(std::string_view json, const std::string& path, const std::string& name) {
  if (holds_ledger_runs(json)) {
    auto runs = parse_ledger_runs(json, path);
    if (!runs) return runs.error();
    return ReadLedgerRuns{std::move(*runs), false};
  }
  auto ledger = parse_ledger(json, path);
  if (!ledger) return ledger.error();
  if (ledger->tests.empty()) return ReadLedgerRuns{{}, true};
  return ReadLedgerRuns{{{name, std::move(ledger->tests)}}, true};
}

}  // namespace flakestat::store
