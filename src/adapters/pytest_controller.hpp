// The process that stands where pytest-xdist's controller stands: for plugins that put together what workers did
// (coverage, reports, hooks that run once a session). It runs no test.
#pragma once

#include <poll.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "adapters/pytest_end.hpp"
#include "adapters/pytest_worker.hpp"
#include "base/result.hpp"

namespace flakestat::adapters {

/// Driven by the session's loop; never blocks.
class PytestController {
 public:
  /// `start.workers` workers are announced to its plugins. Errors: as PytestWorker::start.
  [[nodiscard]] static Result<PytestController> start(PytestStart start);

  void add_polls(std::vector<pollfd>& polls) const;
  void step();

  /// It has said what every worker is to know, or it has ended.
  [[nodiscard]] bool ready() const { return ended() || inputs_.size() >= workers_; }
  /// JSON for a worker by its name; empty: nothing.
  [[nodiscard]] std::string input_of(const std::string& worker) const;

  void tell_collected(std::size_t count);
  void tell_report(const std::string& worker, const std::string& data);
  /// `output`: JSON of its bye; `error`: how it died, empty when it did not.
  void tell_end(const std::string& worker, const std::string& output, const std::string& error);
  /// All workers have ended.
  void finish(int code);
  [[nodiscard]] bool finishing() const { return finishing_; }

  [[nodiscard]] bool ended() const { return end_.has_value(); }
  /// Once it has ended: pytest's exit code; nothing when it died.
  [[nodiscard]] std::optional<int> code() const { return bye_; }
  /// How it ended otherwise than it had said; empty: as it said. Only with a code.
  [[nodiscard]] std::string broken_word() const { return adapters::broken_word(bye_.value_or(0), *end_); }
  /// What its plugins wrote into the summary.
  [[nodiscard]] const std::string& summary() const { return summary_; }
  [[nodiscard]] std::string last_output() const { return process_.last_output(); }
  void kill() { process_.process().kill(); }

 private:
  PytestController(PytestWorker process, std::size_t workers) : process_(std::move(process)), workers_(workers) {}

  PytestWorker process_;
  std::size_t workers_;
  std::map<std::string, std::string> inputs_;
  std::optional<int> bye_;
  std::optional<sys::WorkerEnd> end_;
  std::string summary_;
  bool finishing_ = false;
};

}  // namespace flakestat::adapters
