#include "store/block_pipeline.hpp"

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace flakestat::store {
namespace {

constexpr std::size_t kBlocks = 4;  // one with the caller, two being parsed, one ready

struct Slot {
  ScannedBlock scanned;
  std::uint64_t sequence = 0;
};

// Blocks are read one after another, parsed by whoever has time (the second thread; the caller, when the block that it
// needs is not ready), and given to the caller in order.
class Pipeline {
 public:
  explicit Pipeline(LineBlocks& blocks) : blocks_(blocks) {
    for (auto& slot : slots_) free_.push_back(&slot);
  }

  // What the second thread does.
  void work() try {
    LogScanner scanner;
    while (auto* slot = wait_for_free()) {
      if (!fill(*slot, scanner)) return;
    }
  } catch (const std::bad_alloc&) {
    end(Error{ErrorKind::internal, "read the log: out of memory"});
  }

  // The block after the one given last; nullptr at the end or after an error. The caller's thread only.
  Slot* take_next() {
    for (;;) {
      std::unique_lock lock(mutex_);
      auto*& ready = ready_[wanted_ % kBlocks];
      if (ready != nullptr && !error_) return ++wanted_, std::exchange(ready, nullptr);
      if (error_ || (ended_ && wanted_ == read_)) return nullptr;
      if (!ended_ && !free_.empty()) {
        auto* slot = pop_free();
        lock.unlock();
        fill(*slot, scanner_);
        continue;
      }
      changed_.wait(lock);
    }
  }

  void give_back(Slot* slot) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(slot);
    changed_.notify_all();
  }

  void close() { end(std::nullopt); }

  std::optional<Error> error() {
    const std::scoped_lock lock(mutex_);
    return error_;
  }

 private:
  Slot* pop_free() {
    auto* slot = free_.front();
    free_.pop_front();
    return slot;
  }

  Slot* wait_for_free() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !free_.empty(); });
    return ended_ ? nullptr : pop_free();
  }

  // Reads and parses the next block into `slot`, which the caller of this owns. False when there is no more.
  bool fill(Slot& slot, LogScanner& scanner) {
    if (!read(slot)) return false;
    scanner.scan(slot.scanned);
    const std::scoped_lock lock(mutex_);
    ready_[slot.sequence % kBlocks] = &slot;
    changed_.notify_all();
    return true;
  }

  bool read(Slot& slot) {
    const std::scoped_lock reading(reading_);
    {
      const std::scoped_lock lock(mutex_);
      if (ended_) return false;
    }
    auto more = blocks_.next(slot.scanned.block);
    if (!more || !*more) {
      end(more ? std::nullopt : std::optional<Error>(more.error()));
      return false;
    }
    const std::scoped_lock lock(mutex_);
    slot.sequence = read_++;
    return true;
  }

  void end(std::optional<Error> error) {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    if (error && !error_) error_ = std::move(error);
    changed_.notify_all();
  }

  LineBlocks& blocks_;  // under reading_
  std::mutex reading_;
  std::array<Slot, kBlocks> slots_;
  LogScanner scanner_;        // the caller's
  std::uint64_t wanted_ = 0;  // the caller's
  std::mutex mutex_;          // the rest; never held while reading or parsing
  std::condition_variable changed_;
  std::deque<Slot*> free_;
  std::array<Slot*, kBlocks> ready_{};
  std::uint64_t read_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;
};

// A thread that helps, or none.
std::thread start(Pipeline& pipeline) try {
  return std::thread([&] { pipeline.work(); });
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
  Pipeline pipeline(blocks);
  auto worker = start(pipeline);
  if (!worker.joinable()) return scan_here(blocks, on_block);
  struct Join {
    Pipeline& pipeline;
    std::thread& worker;
    ~Join() {
      pipeline.close();
      worker.join();
    }
  } join{pipeline, worker};
  while (auto* slot = pipeline.take_next()) {
    on_block(slot->scanned);
    pipeline.give_back(slot);
  }
  if (auto error = pipeline.error()) return *error;
  return {};
}

}  // namespace flakestat::store
