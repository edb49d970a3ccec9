// Reads and parses blocks of the log on two threads: a second one, and the caller when it would have to wait.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "store/line_blocks.hpp"
#include "store/log_scanner.hpp"

namespace flakestat::store {

using OnBlock = std::function<void(ScannedBlock&)>;

/// Calls `on_block` on the calling thread, in order, for every block. The first io error ends it. What `on_block`
/// throws passes through; the second thread has ended by then.
[[nodiscard]] Result<void> scan_ahead(LineBlocks& blocks, const OnBlock& on_block);

/// The same without a second thread: for small logs, and where no thread can be had.
[[nodiscard]] Result<void> scan_here(LineBlocks& blocks, const OnBlock& on_block);

}  // namespace flakestat::store
