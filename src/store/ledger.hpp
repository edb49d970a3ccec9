// The ledger of flakes: `<dir>/flakes.json` for readers, `<dir>/flakes.d/` for what each run brought
// (docs/formats/ledger.md).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/ledger.hpp"
#include "model/run_event.hpp"
#include "store/ledger_codec.hpp"
#include "store/ledger_folder.hpp"
#include "store/ledger_sum.hpp"
#include "sys/file_calls.hpp"
#include "sys/lock_directory.hpp"

namespace flakestat::store {

[[nodiscard]] inline std::string ledger_path(const std::string& dir) { return dir + "/flakes.json"; }
[[nodiscard]] inline std::string ledger_folder(const std::string& dir) { return dir + "/flakes.d"; }

/// What is remembered, without what was forgotten.
class Ledger {
 public:
  Ledger() = default;
  Ledger(LedgerTests tests, std::vector<std::string> notes) : tests_(std::move(tests)), notes_(std::move(notes)) {}

  /// Of one key; nothing known is 0 and 0.
  [[nodiscard]] LedgerCounts counts(std::string_view id) const;

  /// Of a test: what is known under the framework's id, and, from logs that have no ids, under its display name.
  [[nodiscard]] LedgerCounts counts(const RunTest& test) const;

  [[nodiscard]] const LedgerTests& tests() const { return tests_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }  ///< files that could not be read

 private:
  LedgerTests tests_;
  std::vector<std::string> notes_;
};

struct LedgerOptions {
  LedgerAge age;
  LedgerPacking packing;
  std::size_t most_bytes = kMostLedgerBytes;  ///< of `flakes.json`; less for tests
  sys::FileCalls calls = {};                  ///< for tests
  sys::LockDirectoryOptions lock_directory = {};
};

struct LedgerWrite {
  bool changed = false;            ///< a file was written
  std::size_t new_runs = 0;        ///< that were not known before
  std::string moved_away;          ///< where rebuild_ledger put a damaged `flakes.json`
  std::vector<std::string> notes;  ///< a lock directory in place of flock, files that could not be read
};

/// `flakes.json` and whatever files of `flakes.d/` it does not know yet: files that were copied in count at once. A
/// ledger that is not there is empty. Errors: `damaged`, naming the mend; `io`.
[[nodiscard]] Result<Ledger> read_ledger(const std::string& dir, const LedgerAge& age);

/// Adds what one run has to tell, durably, under the lock of the state folder; safe between processes. The same run_id
/// again adds only what it had not told. Without events nothing is read, made or written. Errors: `io`; `damaged` for a
/// damaged `flakes.json`, which is left alone: the run is in `flakes.d/` by then, and counts once that was mended.
[[nodiscard]] Result<LedgerWrite> record_run(const std::string& dir, const std::string& run_id,
                                             std::span<const LedgerEvent> events, const LedgerOptions& options);

/// The same for runs that are known from elsewhere: other folders, the log.
[[nodiscard]] Result<LedgerWrite> unite_runs(const std::string& dir, const LedgerRuns& runs,
                                             const LedgerOptions& options);

/// Like unite_runs, for runs that `flakes.json` may have counted before their files were lost: what it has beyond all
/// runs is found anew. A damaged one is moved away first, never overwritten.
[[nodiscard]] Result<LedgerWrite> rebuild_ledger(const std::string& dir, const LedgerRuns& runs,
                                                 const LedgerOptions& options);

/// Another ledger: the text of a `flakes.json`, or of a file of `flakes.d/`. Counts of a plain `flakes.json` become one
/// run named `name`. Errors: `damaged`, `config`.
struct ReadLedgerRuns {
  LedgerRuns runs;
  bool plain = false;  ///< it was a `flakes.json`
};
[[nodiscard]] Result<ReadLedgerRuns> runs_of_ledger(std::string_view json, const std::string& path,
                                                    const std::string& name);

}  // namespace flakestat::store
