// Several supervised commands at the same time, each with a process of its own that watches it and, where wanted, with
// an isolation of its own.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "sys/child.hpp"
#include "sys/isolation.hpp"
#include "sys/scratch.hpp"

namespace flakestat::sys {

/// Runs copies of commands side by side: KeeperPool, or a fake in tests.
class ConcurrentRunner {
 public:
  /// A copy whose command, and all that came from it, has ended.
  struct Ended {
    int id = 0;
    ChildResult result;
    std::string root;  ///< put before an absolute path as the copy sees it (through real_path_in); empty: nothing to do
  };

  virtual ~ConcurrentRunner() = default;

  /// Starts a copy, isolated by the plan where there is one, and returns its id (from 1, never used twice). `spec.tick`
  /// and `spec.sink` are not called. Errors: `io` when no process or no scratch folder is to be had.
  [[nodiscard]] virtual Result<int> start(const ChildSpec& spec, const std::optional<IsolationPlan>& plan) = 0;

  /// Blocks until one of the copies has ended, each being returned once; `tick` (may be empty) is called some four
  /// times a second. An interrupt ends all copies. A copy that vanished, or could not be isolated as planned, has ended
  /// as `lost`. Only to be called while a copy runs: without one the answer is a `lost` copy with id 0.
  [[nodiscard]] virtual Ended next(const std::function<void()>& tick) = 0;

  /// Copies a file or folder of an ended copy out to the same path, over what is there: absolute, or relative to the
  /// tree. Links are copied as links; nothing outside the plan's tree is written. A copy without `fs` has nothing to
  /// copy. Errors: `usage` outside the tree, `missing`, `io`.
  [[nodiscard]] virtual Result<void> keep(int id, const std::string& path) = 0;

  /// Forgets an ended copy: what is left of its processes is killed and what it wrote is removed. Its root is void.
  virtual void release(int id) = 0;
};

/// The real one. Each copy is run by a keeper: a process forked from us, in a session of its own (a terminal's Ctrl-C
/// reaches only us, and we pass it on), that dies with us. It stays, with its namespaces, until the copy is released.
/// While copies run, no Supervisor of this process may run a command (it would take keepers for what its command left),
/// and no other thread may exist when a copy is started. Not thread-safe.
class KeeperPool final : public ConcurrentRunner {
 public:
  KeeperPool(const Clock& clock, InterruptSource& interrupts);
  /// Ends and releases what still runs.
  ~KeeperPool() override;
  KeeperPool(const KeeperPool&) = delete;
  KeeperPool& operator=(const KeeperPool&) = delete;

  [[nodiscard]] Result<int> start(const ChildSpec& spec, const std::optional<IsolationPlan>& plan) override;
  [[nodiscard]] Ended next(const std::function<void()>& tick) override;
  [[nodiscard]] Result<void> keep(int id, const std::string& path) override;
  void release(int id) override;

 private:
  struct Copy;

  Result<std::string> scratch_folder(const IsolationPlan& plan, int id);
  void forward_interrupt();
  std::unique_ptr<Ended> first_ended();
  ChildResult lose(Copy& copy);
  void wait_for_news(std::chrono::milliseconds until);
  void end_orphans();

  const Clock& clock_;
  InterruptSource& interrupts_;
  std::vector<pid_t> strangers_;  ///< children that we had before
  int earlier_subreaper_ = 0;
  int last_id_ = 0;
  std::map<int, std::unique_ptr<Copy>> copies_;
  std::map<std::string, Scratch> scratches_;  ///< by the plan's scratch folder
};

}  // namespace flakestat::sys
