// One report file, read and digested.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/byte_sources.hpp"
#include "formats/junit_reader.hpp"
#include "model/case.hpp"

namespace flakestat::app {

/// What a file turned out to be: a report (`summary`, `cases`) or an error with, perhaps, the root that was found.
struct ReportFile {
  std::string path;
  formats::JunitSummary summary;
  std::vector<Case> cases;
  Sha256Digest digest{};  ///< of all bytes
  UnixMillis modified = 0;
  std::optional<Error> error;
  formats::Rejection rejection;
};

/// Reads a whole report into memory, with its digest. Never fails: the error is in the result. `ahead`: a big file is
/// read and digested on a second thread.
[[nodiscard]] ReportFile read_report(const std::string& path, bool ahead = false);

/// Reads a report and hands on its cases as they come; an empty function counts only. No digest.
[[nodiscard]] ReportFile scan_report(const std::string& path, const std::function<void(Case&&)>& on_case);

}  // namespace flakestat::app
