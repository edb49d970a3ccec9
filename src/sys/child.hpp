// Supervised commands: started from an argv without a shell, watched, and ended with everything that came from them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "sys/child_ending.hpp"
#include "sys/clock.hpp"
#include "sys/output_capture.hpp"
#include "sys/signals.hpp"

namespace flakestat::sys {

/// What to run, and how long it may take.
struct ChildSpec {
  std::vector<std::string> argv;                                 ///< argv[0] without a slash is looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to ours, or in place of it
  std::vector<std::string> unset;                                ///< variables of ours that it does not get
  std::string directory;                                         ///< working directory; empty: ours
  std::vector<int> inherited;                                    ///< descriptors of ours that it gets, same numbers
  bool shares_terminal =
      false;  ///< our session and our stdin, stdout and stderr instead of its own (WorkerProcess only)
  EndingLimits limits;
  std::size_t head_limit = std::size_t{64} << 10;  ///< of the output that is kept (share_output_limit)
  std::size_t tail_limit = std::size_t{256} << 10;
  std::function<void(std::string_view)> sink;  ///< when set, gets the output as it comes, in pieces of any size
  std::function<void()> tick;                  ///< when set, called some four times a second while the command runs
};

enum class ChildEnd : std::uint8_t {
  exited,           ///< by itself; `code` is its exit code
  signalled,        ///< by a signal that was not ours; `code` is its number
  timed_out,        ///< ended by us; `code` says nothing
  failed_to_start,  ///< `code` is the errno; nothing ran
  interrupted,      ///< ended by us because the user wants to stop
  lost,             ///< nothing is known of it: what watched it died, or its isolation failed; `start_problem` says
};

/// A process that outlived the command and had to be ended.
struct LeakedProcess {
  std::string name;  ///< the kernel's `comm`
  pid_t pid = 0;
};

/// Of the command and of the descendants that it waited for.
struct ResourceUse {
  std::chrono::milliseconds wall{0};
  std::chrono::milliseconds user{0};
  std::chrono::milliseconds system{0};
  std::uint64_t max_rss_kib = 0;  ///< 0: not known, since it was less than what we had ourselves when it was started
};

struct ChildResult {
  ChildEnd end = ChildEnd::exited;
  int code = 0;
  std::string start_problem;  ///< failed_to_start, lost: what could not be done, to what, and why
  OutputCapture output;       ///< stdout and stderr, as they came
  ResourceUse use;
  std::vector<LeakedProcess> leaked;   ///< after the command had ended by itself
  std::vector<LeakedProcess> unended;  ///< survived SIGKILL for kill_wait, or were not ours to signal
};

/// Runs commands: Supervisor, or a fake in tests.
class ChildRunner {
 public:
  virtual ~ChildRunner() = default;
  /// Blocks until the command and all that came from it are gone. Never throws for what a command does.
  [[nodiscard]] virtual ChildResult run(const ChildSpec& spec) = 0;
};

/// The real ChildRunner. Each command gets a session of its own, /dev/null as stdin, and one pipe for stdout and stderr
/// that is drained while it runs (a descendant that keeps it open holds nobody up). While a Supervisor lives, this
/// process is a child subreaper; it alone waits for what it started and for orphans that came from that, and it never
/// touches children that other parts of the program started (they share our session). One command at a time; other
/// threads may exist.
class Supervisor final : public ChildRunner {
 public:
  Supervisor(const Clock& clock, InterruptSource& interrupts);
  ~Supervisor() override;
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  [[nodiscard]] ChildResult run(const ChildSpec& spec) override;

 private:
  const Clock& clock_;
  InterruptSource& interrupts_;
  std::vector<pid_t> strangers_;  ///< children that we had before: none of ours to end
  int earlier_subreaper_ = 0;
};

}  // namespace flakestat::sys
