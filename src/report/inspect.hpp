// What the reader sees in reports, case by case: written as the cases come, in constant memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/junit_reader.hpp"
#include "model/case.hpp"
#include "text/style.hpp"

namespace flakestat::report {

/// Takes the next piece of a document.
using Sink = std::function<void(std::string_view)>;

/// How reading a file ended.
struct InspectOutcome {
  Counts counts;
  std::string encoding;                   ///< empty: unknown
  std::optional<formats::Damage> damage;  ///< cut off or broken; the cases before it were delivered
  std::string error;                      ///< not empty: no report, or unreadable
};

/// begin_file, add_case for each case, end_file; again for each file; then finish. Not thread-safe.
class InspectWriter {
 public:
  virtual ~InspectWriter() = default;
  virtual void begin_file(std::string_view file) = 0;
  virtual void add_case(const Case& found) = 0;
  virtual void end_file(const InspectOutcome& outcome) = 0;
  virtual void finish() = 0;
};

struct InspectOptions {
  bool counts_only = false;  ///< `--counts`: no cases; add_case need not be called
  text::Look look;           ///< text only
};

/// docs/schema/inspect.schema.json, a case a line. Keys are in the schema's order; a file whose cases take more than
/// 4 MiB has them before what is known only at its end (damage, counts), so that they need not be kept.
[[nodiscard]] std::unique_ptr<InspectWriter> inspect_json(Sink sink, const InspectOptions& options);

/// A line per case, its message below, the counts at the end of each file.
[[nodiscard]] std::unique_ptr<InspectWriter> inspect_text(Sink sink, const InspectOptions& options);

/// `5 tests: 3 passed, 1 failure, 0 errors, 1 skipped`, with `, 1 known flaky` when there is one.
[[nodiscard]] std::string counts_line(const Counts& counts);

}  // namespace flakestat::report
