// What the end of one of pytest's processes means. Pure.
#pragma once

#include <chrono>
#include <string>

#include "sys/worker_process.hpp"

namespace flakestat::adapters {

/// What stands for a death that has no exit code of its own to pass on.
inline constexpr int kRunnerBroke = 70;

/// `signal 11 (SIGSEGV)`, `exit code 3`.
[[nodiscard]] std::string end_text(const sys::WorkerEnd& end);

/// pytest's own exit codes in words, where they are not about tests.
[[nodiscard]] std::string code_text(int code);

/// The run's exit code after a death without a word: what the process itself would have told whoever started it, as
/// a failing code.
[[nodiscard]] int death_code(const sys::WorkerEnd& end);

/// `code`, but for a run that broke never one that reads as success (0) or as an empty suite (5).
[[nodiscard]] int failing_code(int code);

/// Why a process was ended that gave no result for so long.
[[nodiscard]] std::string late_text(std::chrono::milliseconds patience);

/// A process that said goodbye with `said` and then ended otherwise: in an exit handler, in a thread, while the
/// interpreter was taken down. How it ended; empty: as it said.
[[nodiscard]] std::string broken_word(int said, const sys::WorkerEnd& end);

}  // namespace flakestat::adapters
