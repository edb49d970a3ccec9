// pytest's own memory of what failed last, and of which tests there are: `<cachedir>/v/cache/lastfailed` and `nodeids`,
// for --lf, --ff and --nf. With workers no single pytest sees all results, so that none of them may write these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/run_event.hpp"

namespace flakestat::store {

/// What a run has to tell, by node id.
struct LastFailedNews {
  std::vector<std::string> collected;                    ///< every test of the run, in the order of collection
  std::vector<std::pair<std::string, RunFate>> settled;  ///< tests that ran
  std::vector<std::string> problems;                     ///< files and folders that could not be collected
};

/// The text of `lastfailed` after the run, from the text before it; nothing when no entry changes. As pytest does it:
/// what failed is in, quarantined or not; what passed or was skipped goes; what did not run stays as it was. A file
/// that could not be collected is in, and once it can be its tests take its place. A text that is no JSON object counts
/// as empty.
[[nodiscard]] std::optional<std::string> merge_last_failed(std::string_view before, const LastFailedNews& news);

/// The text of `nodeids` after the run: all ids ever collected, sorted; nothing when none is new.
[[nodiscard]] std::optional<std::string> merge_node_ids(std::string_view before,
                                                        const std::vector<std::string>& collected);

/// The ids of tests that failed when they ran last; none without a cache.
[[nodiscard]] std::vector<std::string> read_last_failed(const std::string& cachedir);

/// Merges both files of the cache folder; each is replaced whole, and only when it changes. A folder that is not there
/// is made as pytest makes it. True when something was written. Errors: `io`.
[[nodiscard]] Result<bool> update_pytest_cache(const std::string& cachedir, const LastFailedNews& news);

}  // namespace flakestat::store
