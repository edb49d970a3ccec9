#include "store/block_pipeline.hpp"

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

namespace flakestat::store {
namespace {

constexpr std::size_t kBlocks = 3;  // one in work, one ready, one being parsed

// Hands the blocks round between the two threads.
class Ring {
 public:
  Ring() {
    for (auto& block : blocks_) free_.push_back(&block);
  }

  // A block to fill; nullptr when nobody wants more.
  ScannedBlock* take_free() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !free_.empty(); });
    return closed_ ? nullptr : pop(free_);
  }

  void put_ready(ScannedBlock* block) { push(ready_, block); }
  void put_free(ScannedBlock* block) { push(free_, block); }

  // The next full block; nullptr at the end or after an error.
  ScannedBlock* take_ready() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !ready_.empty(); });
    return ready_.empty() ? nullptr : pop(ready_);
  }

  void end(std::optional<Error> error) {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  std::optional<Error> error() {
    const std::scoped_lock lock(mutex_);
    return error_;
  }

 private:
  static ScannedBlock* pop(std::deque<ScannedBlock*>& queue) {
    auto* block = queue.front();
    queue.pop_front();
    return block;
  }

  void push(std::deque<ScannedBlock*>& queue, ScannedBlock* block) {
    const std::scoped_lock lock(mutex_);
    queue.push_back(block);
    changed_.notify_all();
  }

  std::array<ScannedBlock, kBlocks> blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ScannedBlock*> free_, ready_;
  bool ended_ = false;
  bool closed_ = false;
  std::optional<Error> error_;
};

void fill(LineBlocks& blocks, Ring& ring) try {
  LogScanner scanner;
  while (auto* scanned = ring.take_free()) {
    auto more = blocks.next(scanned->block);
    if (!more) return ring.end(more.error());
    if (!*more) return ring.end(std::nullopt);
    scanner.scan(*scanned);
    ring.put_ready(scanned);
  }
} catch (const std::bad_alloc&) {
  ring.end(Error{ErrorKind::internal, "read the log: out of memory"});
}

// A thread that runs `fill`, or none.
std::thread start(LineBlocks& blocks, Ring& ring) try {
  return std::thread([&] { fill(blocks, ring); });
} catch (const std::system_error&) {
  return {};
}

}  // namespace

Result<void> scan_here(LineBlocks& blocks, const OnBlock& on_block) {
  LogScanner scanner;
  ScannedBlock scanned;
  for (;;) {
    auto more = blocks.next(scanned.block);
    if (!more) return more.error();
    if (!*more) return {};
    scanner.scan(scanned);
    on_block(scanned);
  }
}

Result<void> scan_ahead(LineBlocks& blocks, const OnBlock& on_block) {
  Ring ring;
  auto worker = start(blocks, ring);
  if (!worker.joinable()) return scan_here(blocks, on_block);
  struct Join {
    Ring& ring;
    std::thread& worker;
    ~Join() {
      ring.close();
      worker.join();
    }
  } join{ring, worker};
  while (auto* scanned = ring.take_ready()) {
    on_block(*scanned);
    ring.put_free(scanned);
  }
  if (auto error = ring.error()) return *error;
  return {};
}

}  // namespace flakestat::store
