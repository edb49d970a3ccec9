// One pytest process and everything that connects us with it.
#pragma once

#include <poll.h>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/pytest_command.hpp"
#include "adapters/pytest_message.hpp"
#include "base/result.hpp"
#include "sys/output_capture.hpp"
#include "sys/worker_channel.hpp"
#include "sys/worker_process.hpp"

namespace flakestat::adapters {

enum class PytestMode : std::uint8_t { single, worker, controller };

/// How to start one (the keys of the set-up in docs/design/pytest-protocol.md).
struct PytestStart {
  PytestMode mode = PytestMode::worker;
  PytestCommand command;
  std::string directory;
  std::vector<std::pair<std::string, std::string>> environment;
  int worker = 0;
  int workers = 1;
  bool leader = false;
  std::string testrun_uid;
  std::string basetemp;
  std::uint32_t randomly_seed = 0;
  bool reports = false;         ///< worker: send every report, too, for a controlling process
  bool adopts_workers = false;  ///< single: end without running when the configuration asks for workers
  std::string workerinput;      ///< worker: JSON from the controlling process; empty: there is none
};

/// The process. Nothing here blocks. Move-only.
class PytestWorker {
 public:
  /// Errors: missing when there is no such interpreter, else io.
  [[nodiscard]] static Result<PytestWorker> start(const PytestStart& start);

  /// Descriptors to wait for.
  void add_polls(std::vector<pollfd>& polls) const;

  /// Takes in what is there: messages in order, output. A line that is no message ends the trust: see `broken`.
  [[nodiscard]] std::vector<PytestMessage> receive();

  /// A line of JSON for its channel.
  void say(std::string_view json);
  /// A packet for its feed; waits here while the feed is full.
  void feed(std::string packet);
  /// Out of the feed: the packets that it has not taken, oldest first.
  [[nodiscard]] std::vector<std::string> take_back();
  /// Sends what waits. Called by receive.
  void flush();

  [[nodiscard]] sys::WorkerState state() const { return page_.read(); }
  [[nodiscard]] sys::WorkerProcess& process() { return process_; }
  /// Why its messages cannot be believed; empty: they can.
  [[nodiscard]] const std::string& broken() const { return broken_; }
  /// What it wrote last to stdout and stderr, raw.
  [[nodiscard]] std::string last_output() const;

 private:
  PytestWorker(sys::WorkerProcess process, sys::WorkerPage page);
  void read_channel(std::vector<PytestMessage>& messages);
  void take_lines(std::vector<PytestMessage>& messages);
  void read_output();

  sys::WorkerProcess process_;
  sys::WorkerPage page_;
  sys::Fd channel_;
  sys::Fd feed_;
  sys::Fd feed_reader_;  ///< the worker's own end, to take packets back
  PytestReader reader_;
  std::string inbox_;
  std::size_t scanned_ = 0;  ///< of the inbox: no line end there
  std::string outbox_;
  std::deque<std::string> backlog_;
  sys::OutputCapture output_;
  std::string broken_;
};

}  // namespace flakestat::adapters
