// The scored history as a table, a JSON document, or Markdown for a comment. Pure: values in, text out.
#pragma once

#include <string>

#include "report/options.hpp"
#include "stats/scoring.hpp"

namespace flakestat::report {

/// A table for a terminal or a file, notes below; the last line says what this much data could not have shown.
[[nodiscard]] std::string report_table(const stats::Scores& scores, const ReportOptions& options);

/// docs/schema/report.schema.json.
[[nodiscard]] std::string report_json(const stats::Scores& scores, const ReportOptions& options);

/// The same content as the table; names are code spans, so nothing in them is markup.
[[nodiscard]] std::string report_markdown(const stats::Scores& scores, const ReportOptions& options);

}  // namespace flakestat::report
