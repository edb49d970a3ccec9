// The content of an explanation in the order in which it is read, before it becomes terminal text or Markdown.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/explain.hpp"
#include "report/phrase.hpp"
#include "text/table.hpp"

namespace flakestat::report {

/// A small table; the last column is the foreign or the longest one.
struct SectionTable {
  std::vector<text::Column> columns;
  std::vector<std::vector<Phrase>> rows;
};

struct Section {
  std::string heading;  ///< empty: none
  std::vector<std::pair<std::string, Phrase>> facts;
  SectionTable table;
  std::vector<Phrase> lines;
};

/// The number behind a fraction: `20 %`, `2.5 %`, `<0.01 %`.
[[nodiscard]] std::string percent(double rate);

/// `flaky (high confidence): score 0.320, at least 0.104, P(flaky) >0.999`.
[[nodiscard]] std::string verdict_line(const Explanation& found);

/// Numbers: rates, counters, times, since when clean.
[[nodiscard]] Section number_section(const Explanation& found);
/// Messages, durations, dimensions, associations; those without content are left out.
[[nodiscard]] std::vector<Section> evidence_sections(const Explanation& found);

}  // namespace flakestat::report
