// What `ingest` says of the reports that it stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/junit_reader.hpp"
#include "model/case.hpp"
#include "text/json_writer.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// A report that broke off: its complete cases were stored.
struct DamagedFile {
  std::string file;
  formats::Damage damage;
  std::uint64_t cases = 0;  ///< complete ones before the damage
};

/// A file that gave nothing.
struct UnusedFile {
  std::string file;
  std::string reason;
};

struct IngestSummary {
  std::uint64_t files = 0;       ///< reports read, damaged ones included
  Counts counts;                 ///< of their cases
  std::uint64_t stored = 0;      ///< observations; more than cases where a framework reported several attempts
  std::uint64_t duplicates = 0;  ///< executions that the log had already
  std::vector<DamagedFile> damaged;
  std::vector<UnusedFile> rejected;  ///< named, but no report
  std::vector<UnusedFile> ignored;   ///< matched by a glob, a known neighbour of reports
  std::string run_id;
};

/// docs/schema/ingest.schema.json.
[[nodiscard]] std::string ingest_json(const IngestSummary& summary, text::JsonStyle style = text::JsonStyle::pretty);

/// One line, then a line per file that was damaged, rejected or ignored.
[[nodiscard]] std::string ingest_text(const IngestSummary& summary, const text::Look& look);

}  // namespace flakestat::report
