// The rows, notes and sentences of a gate's decision, before escaping.
#pragma once

#include <string>
#include <vector>

#include "report/gate.hpp"
#include "report/notes.hpp"

namespace flakestat::report {

/// What a list of a gate's decision is about.
enum class GateKind : std::uint8_t {
  worse,
  new_flaky,
  unproven,
  sanitised,
  missing,
  failing,
  known_failing,
  quarantined,
  below_threshold,
  broken,
  not_seen,
  fixed
};

struct GateRow {
  const rules::GateItem* item = nullptr;
  GateKind kind = GateKind::new_flaky;
  std::string state;  ///< one or two words
  std::string score;
  std::string lower;
  std::string was;
  Note mark;  ///< why it is here; the foreign part is a commit
  text::Tone tone = text::Tone::plain;
};

struct GateRows {
  std::vector<GateRow> rows;          ///< worst first
  std::vector<std::string> left_out;  ///< a sentence for each kind that has more than `max_rows`
};

/// Every kind but `failing`, which `ci-report` alone shows.
[[nodiscard]] GateRows gate_rows(const GateView& view);
[[nodiscard]] GateRows gate_rows(const GateView& view, GateKind kind);

/// The items behind a kind.
[[nodiscard]] const std::vector<rules::GateItem>& items_of(const rules::GateResult& result, GateKind kind);

/// Whether the kind decides, under the options.
[[nodiscard]] bool is_fatal(const GateView& view, GateKind kind);

/// `1 new, 0 worse, 3 accepted, 2 fixed` and whatever else there is.
[[nodiscard]] std::string gate_counts(const GateView& view);

/// The newest run, its troubles, the baseline.
[[nodiscard]] std::vector<Note> gate_notes(const GateView& view);

/// `12 ids seen once: names that change with every run? BEFORE -> AFTER`.
[[nodiscard]] Note changing_names_note(const rules::ChangingNames& changing);

/// Why the newest run may not show what it should: outages, incompleteness, missing tests, changing names.
[[nodiscard]] std::vector<Note> trouble_notes(const GateView& view);

[[nodiscard]] std::string name_of(const rules::GateItem& item);

/// The file as an annotation names it: relative to `root` where it lies below; empty when it is not known.
[[nodiscard]] std::string file_of(const GateView& view, const rules::GateItem& item);

/// One sentence about the row, for annotations and service messages: kind, name (foreign text, as it is), numbers.
[[nodiscard]] std::string sentence_of(const GateRow& row);

}  // namespace flakestat::report
