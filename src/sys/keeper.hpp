// The process behind one copy: isolates itself, watches the command, says how it ended, and stays until it is let go.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "sys/child.hpp"
#include "sys/copy_setup.hpp"
#include "sys/fd.hpp"
#include "sys/isolation.hpp"

namespace flakestat::sys {

/// What a keeper is to do. Read in the forked process only, so references may point to anything that lives at the fork.
struct KeeperTask {
  const ChildSpec* spec = nullptr;      ///< unset: only prove that the isolation works
  const IsolationPlan* plan = nullptr;  ///< unset: no isolation
  std::string folder;                   ///< of this copy, for what it writes; empty: none
  const Clock* clock = nullptr;
};

/// A running keeper as its parent sees it. It dies with the parent, and ends when `control` is closed.
struct Keeper {
  pid_t pid = 0;
  Fd pidfd;    ///< invalid before kernel 5.3
  Fd control;  ///< the keeper's news; non-blocking
};

/// Forks one. Errors: `io`.
[[nodiscard]] Result<Keeper> start_keeper(const KeeperTask& task);

/// What a keeper says, once.
enum class KeeperNews : std::uint8_t { result, setup_failed, isolated };

/// Collects what a keeper sends.
class KeeperMailbox {
 public:
  explicit KeeperMailbox(std::size_t limit) : limit_(limit) {}

  enum class State : std::uint8_t {
    waiting,   ///< not everything is here
    complete,  ///< see news and body
    broken,    ///< the keeper is gone, or sends nonsense
  };
  /// Takes what is there now from a non-blocking descriptor.
  State receive(int control);

  [[nodiscard]] KeeperNews news() const { return static_cast<KeeperNews>(buffer_.front()); }
  [[nodiscard]] std::string_view body() const;

 private:
  [[nodiscard]] State state() const;

  std::size_t limit_;
  std::string buffer_;
};

/// setup_failed: the failure in the body.
[[nodiscard]] SetupFailure decode_setup_failure(std::string_view body);

/// Lets a keeper go and waits for its end, by force when it takes longer than `patience`. Returns its wait status, or
/// nothing when not even that ended it.
std::optional<int> end_keeper(Keeper& keeper, std::chrono::milliseconds patience);

}  // namespace flakestat::sys
