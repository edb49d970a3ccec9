// What connects us with a worker beside its standard streams: socket pairs, a memory file to read, a page to share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "sys/fd.hpp"

namespace flakestat::sys {

/// Both ends close-on-exec, above the standard streams; `ours` does not block.
struct SocketPair {
  Fd ours;
  Fd theirs;
};

/// A stream in both directions. Errors: io.
[[nodiscard]] Result<SocketPair> stream_pair();

/// Packets from us to them: each arrives whole and at one reader only. Errors: io.
[[nodiscard]] Result<SocketPair> packet_pair();

/// Sends one packet. False: the queue is full, or nobody is there to read.
[[nodiscard]] bool send_packet(int fd, std::string_view packet);

/// Takes every packet out of a queue that its reader has not taken yet, oldest first; `theirs` is that reader's end.
[[nodiscard]] std::vector<std::string> take_packets_back(int theirs);

/// A file without a name that holds `content`, to be read from its beginning and not to be changed. Errors: io.
[[nodiscard]] Result<Fd> memory_file(const char* name, std::string_view content);

/// Writes as much as goes without blocking and removes that from the front of `pending`. False: nobody reads any more.
[[nodiscard]] bool send_pending(int fd, std::string& pending);

/// What a worker says it is doing, in memory that outlives it (docs/design/pytest-protocol.md, the shared page).
struct WorkerState {
  std::int64_t test = -1;  ///< -1: between tests
  std::int32_t attempt = 0;
  std::int32_t phase = 0;
  double started = 0;  ///< seconds since 1970
};

/// The page. Move-only.
class WorkerPage {
 public:
  /// Errors: io.
  [[nodiscard]] static Result<WorkerPage> create();
  WorkerPage(WorkerPage&& other) noexcept;
  WorkerPage& operator=(WorkerPage&&) = delete;
  ~WorkerPage();

  [[nodiscard]] int fd() const { return fd_.get(); }
  /// Never half of one state and half of the next, unless the worker died while it wrote.
  [[nodiscard]] WorkerState read() const;

 private:
  WorkerPage(Fd fd, void* memory) : fd_(std::move(fd)), memory_(memory) {}
  Fd fd_;
  void* memory_;
};

}  // namespace flakestat::sys
