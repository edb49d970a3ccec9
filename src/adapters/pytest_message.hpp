// What pytest tells us, line by line (docs/design/pytest-protocol.md). Pure.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "model/run_event.hpp"

namespace flakestat::adapters {

/// What a mark `flaky(...)` says, as it was written.
struct PytestFlaky {
  std::optional<int> reruns;
  std::optional<double> delay_seconds;
  std::vector<std::string> only_rerun;
  std::vector<std::string> rerun_except;
};

/// What marks say of one test.
struct PytestMarks {
  std::optional<PytestFlaky> flaky;
  bool serial = false;
  std::string group;
};

struct PytestHello {
  std::string pytest, python, rootdir, cachedir, invocation_dir;
  std::vector<std::string> plugins;
  std::vector<std::string> single;      ///< why this configuration needs one process
  std::vector<std::string> controller;  ///< what needs a controlling process
  int maxfail = 0;
  std::optional<int> reruns;
  std::optional<double> reruns_delay;
  std::vector<std::string> only_rerun, rerun_except;
  std::string numprocesses;  ///< `auto`, `logical`, a number; empty: not asked for
  std::string dist;
  [[nodiscard]] bool wants_workers() const { return !numprocesses.empty() && numprocesses != "0"; }
  bool collectonly = false;
  bool lastfailed = false;  ///< only tests that failed before were asked for
  std::string junit_suite_name = "pytest";
  std::string junit_prefix;
};

struct PytestCollected {
  std::size_t count = 0;
  std::string hash;
  std::size_t deselected = 0;
  std::vector<std::string> ids;  ///< empty unless they were asked for
  std::vector<std::string> files;
  std::vector<std::optional<std::int64_t>> lines;
  std::vector<std::pair<std::size_t, PytestMarks>> marks;
};

struct PytestDone {
  std::size_t index = 0;
  RunAttempt attempt;  ///< the worker's name is left to the caller
};

struct PytestStop {
  std::string kind;  ///< shouldfail, interrupted, exit, signal, internal
  std::string why;
};

struct PytestBye {
  int code = 0;
  std::string output;  ///< JSON: what a worker's plugins have for the controller; empty: nothing
};

/// A report for the controlling process.
struct PytestReport {
  std::string data;  ///< JSON, as pytest serialised it
};

/// From the controlling process: what plugins want a worker to know.
struct PytestWorkerInput {
  std::string worker;  ///< `gw0`
  std::string data;    ///< JSON
};

using PytestMessage = std::variant<PytestHello, PytestCollected, CollectionProblem, CollectionSkip, PytestDone,
                                   RunWarning, PytestStop, PytestBye, PytestReport, PytestWorkerInput, RunnerText>;

/// Reads lines of one process. Not thread-safe.
class PytestReader {
 public:
  PytestReader();
  ~PytestReader();
  PytestReader(PytestReader&&) noexcept;

  /// Errors: internal, with what is wrong; the process is then not to be believed any more.
  [[nodiscard]] Result<PytestMessage> read(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The status of an attempt from its parts: a failed call before errors around it, a skip or an expected failure before
/// a pass. Sets status, the deciding part, message and details.
void decide(RunAttempt& attempt);

}  // namespace flakestat::adapters
