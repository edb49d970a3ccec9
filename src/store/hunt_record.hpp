// What a hunt leaves behind so that one of its runs can be made again: `<dir>/hunts/<run_id>.json`.
// docs/formats/hunts.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/timestamp.hpp"

namespace flakestat::store {

/// A variable of a command's environment. No value: it was not set.
struct RecordedVariable {
  std::string name;
  std::optional<std::string> value;

  friend bool operator==(const RecordedVariable&, const RecordedVariable&) = default;
};

/// What was started. The first one of a record is the command as it was given, the others are those of single runs.
struct RecordedCommand {
  std::vector<std::string> argv;
  bool filled = false;             ///< `{run}` and `{junit}` are filled in already
  std::vector<std::string> tests;  ///< names of the tests that were selected; none: all

  friend bool operator==(const RecordedCommand&, const RecordedCommand&) = default;
};

struct RecordedRun {
  int run = 1;
  std::string end = "exited";  ///< as in documents: `timed-out`
  int code = 0;                ///< exit code or signal number
  bool failed = false;         ///< a failing case, or the run itself
  UnixMillis started = 0;
  std::int64_t wall_ms = 0;
  std::string isolation;               ///< what it had of its own beside other copies; empty: it was alone
  std::optional<std::size_t> command;  ///< index; nothing: there was no room for it

  friend bool operator==(const RecordedRun&, const RecordedRun&) = default;
};

struct HuntRecord {
  std::string run_id;
  UnixMillis started = 0;
  bool ended = false;  ///< false: it runs, or was killed
  std::string code;    ///< what it ran against
  std::string directory;
  std::string junit;  ///< as it was given; empty: exit codes only
  std::optional<std::int64_t> timeout_ms;
  std::vector<RecordedVariable> variables;  ///< that flakestat set; `{run}` stands for the run's number
  std::vector<RecordedVariable> recorded;   ///< that the user named
  std::vector<RecordedCommand> commands;
  std::vector<RecordedRun> runs;  ///< ascending
  std::uint64_t left_out = 0;     ///< runs that are not listed for want of room

  friend bool operator==(const HuntRecord&, const HuntRecord&) = default;
};

/// What a record holds at most: 20,000 runs, 8 MiB of commands.
struct RecordRoom {
  std::size_t runs = 20'000;
  std::size_t command_bytes = std::size_t{8} << 20;
};

/// Adds a run. Without `own` it ran the record's first command. When there is no more room the oldest runs go, those
/// that failed last.
void add_run(HuntRecord& record, RecordedRun run, const std::optional<RecordedCommand>& own, const RecordRoom& room);

/// The run with this number, or nullptr.
[[nodiscard]] const RecordedRun* find_run(const HuntRecord& record, int run);

/// One JSON document. Text that is no UTF-8 is written as `{"hex": "ff00"}`: nothing of a command is lost.
[[nodiscard]] std::string encode_hunt(const HuntRecord& record);

/// The reverse. `path` stands in messages. Errors: `damaged`; `config` for a version that is not known.
[[nodiscard]] Result<HuntRecord> parse_hunt(std::string_view json, const std::string& path);

}  // namespace flakestat::store
