// `<dir>/flakes.d/`: what single runs say of their tests, one file a run, or many in a pack. The folder is a set of
// runs: copying files in from elsewhere unites two sets, and copying them again changes nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/ledger.hpp"
#include "store/ledger_sum.hpp"
#include "sys/file_calls.hpp"

namespace flakestat::store {

struct LedgerFolder {
  LedgerRuns runs;
  std::vector<std::string> files;  ///< names of those that were read
  std::vector<std::string> notes;  ///< of each that could not be read, with the mend
};

/// How many files there may be until old ones are packed, and how many of the newest stay as they are.
struct LedgerPacking {
  std::size_t most_files = 512;
  std::size_t kept_files = 128;
};

/// The runs of a folder; one that is not there has none. A file that cannot be read never hides the others. Links and
/// files that do not end in `.json` are passed over. Errors: `io`.
[[nodiscard]] Result<LedgerFolder> read_ledger_folder(const std::string& folder);

/// Adds a run to the file of its run_id, durably. The caller holds the lock. Errors: `io`; `damaged` when the file is
/// there and is none of ours.
[[nodiscard]] Result<void> write_ledger_run(const std::string& folder, const std::string& run, const LedgerTests& tests,
                                            const sys::FileCalls& calls);

/// Adds many runs as packs, named by their content; mostly one.
[[nodiscard]] Result<void> write_ledger_pack(const std::string& folder, const LedgerRuns& runs,
                                             const sys::FileCalls& calls);

/// Puts the runs of old files into one pack when there are too many. The pack is on disk before a file goes, and a run
/// that is in both is one run. Tests that all `known` runs together have forgotten are left out; that the run was known
/// stays.
[[nodiscard]] Result<void> pack_ledger_folder(const std::string& folder, const LedgerRuns& known,
                                              const LedgerPacking& packing, const LedgerAge& age,
                                              const sys::FileCalls& calls);

/// Writes `text` to `path`, durably and whole or not at all; a link stays, what it leads to is replaced. The caller
/// holds the lock.
[[nodiscard]] Result<void> replace_durably(const std::string& path, std::string_view text, const sys::FileCalls& calls);

}  // namespace flakestat::store
