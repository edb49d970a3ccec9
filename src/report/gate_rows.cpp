#include "report/gate_rows.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "model/identity.hpp"
#include "report/words.hpp"

namespace flakestat::report {
namespace {

using rules::GateItem;
using text::Tone;

constexpr std::size_t kMostOutages = 5;

struct KindWords {
  GateKind kind;
  std::string_view state;
  std::string_view plural;  ///< behind `12 more `
  Tone tone;
};

constexpr std::array<KindWords, 12> kKinds = {{
    {GateKind::worse, "worse", "worse", Tone::bad},
    {GateKind::new_flaky, "new", "newly flaky", Tone::bad},
    {GateKind::unproven, "new test", "new tests", Tone::bad},
    {GateKind::sanitised, "sanitised", "sanitised", Tone::bad},
    {GateKind::missing, "missing", "missing", Tone::warning},
    {GateKind::failing, "failing", "failing", Tone::bad},
    {GateKind::known_failing, "known failure", "known failures", Tone::warning},
    {GateKind::quarantined, "quarantined", "quarantined", Tone::warning},
    {GateKind::below_threshold, "below limit", "below the limit", Tone::faint},
    {GateKind::broken, "broken", "broken", Tone::warning},
    {GateKind::not_seen, "not seen", "not seen", Tone::faint},
    {GateKind::fixed, "fixed", "fixed", Tone::good},
}};

const KindWords& words_of(GateKind kind) {
  return *std::find_if(kKinds.begin(), kKinds.end(), [&](const KindWords& words) { return words.kind == kind; });
}

std::string number(const std::optional<double>& value) { return value ? format_score(*value) : "-"; }

Note mark_of(const GateView& view, GateKind kind, const GateItem& item) {
  const auto count = item.count.value_or(0);
  switch (kind) {
    case GateKind::unproven:
      return {"(" + std::to_string(count) + " of " + counted(view.options.new_tests.value_or(0), "clean execution") +
                  " in a row)",
              "", ""};
    case GateKind::sanitised: return {"(in each of its last " + counted(count, "run") + ")", "", ""};
    case GateKind::missing: return {"(in the run before, not in the newest)", "", ""};
    case GateKind::known_failing:
      if (item.commit.empty()) return {"(a known failure passed once)", "", ""};
      return {"(a known failure, passed once at ", item.commit, ")"};
    case GateKind::quarantined: return {"(on the quarantine list)", "", ""};
    case GateKind::broken: return {"(accepted as flaky, fails consistently now)", "", ""};
    case GateKind::not_seen: return {"(" + item.reason + ")", "", ""};
    default: return {};
  }
}

void add_rows(const GateView& view, GateKind kind, GateRows& out) {
  const auto& items = items_of(view.result, kind);
  const auto& words = words_of(kind);
  const bool scored = kind != GateKind::missing && kind != GateKind::unproven && kind != GateKind::sanitised &&
                      kind != GateKind::not_seen;
  for (std::size_t i = 0; i < std::min(items.size(), view.max_rows); ++i) {
    const auto& item = items[i];
    GateRow row;
    row.item = &item;
    row.kind = kind;
    row.state = words.state;
    row.score = scored ? number(item.score) : "-";
    row.lower = scored ? number(item.lower_bound) : "-";
    row.was = number(item.was);
    row.mark = mark_of(view, kind, item);
    row.tone = words.tone;
    out.rows.push_back(std::move(row));
  }
  if (items.size() > view.max_rows) {
    out.left_out.push_back(std::to_string(items.size() - view.max_rows) + " more " + std::string(words.plural));
  }
}

void add_count(std::string& out, std::size_t count, std::string_view what, bool always = false) {
  if (count == 0 && !always) return;
  if (!out.empty()) out += ", ";
  out += std::to_string(count) + ' ' + std::string(what);
}

void note_newest(const GateView& view, std::vector<Note>& notes) {
  const auto& newest = view.result.newest;
  std::string facts = ": " + counted(newest.tests, "test") + ", " + std::to_string(newest.failing) + " failing";
  if (newest.sanitised > 0) facts += ", " + std::to_string(newest.sanitised) + " sanitised";
  if (newest.quarantined > 0) facts += ", " + std::to_string(newest.quarantined) + " quarantined";
  notes.push_back({"newest run ", newest.run_id + (newest.branch.empty() ? "" : " on " + newest.branch), facts});
}

void note_completeness(const GateView& view, std::vector<Note>& notes) {
  const auto& result = view.result;
  if (result.branch_unseen) {
    notes.push_back({"no run of branch ", view.options.branch, " is recorded: the newest of any branch stands in"});
  }
  const auto shown = std::min(result.outages.size(), kMostOutages);
  if (shown < result.outages.size()) {
    notes.push_back({counted(result.outages.size() - shown, "more job") + " of the newest run an outage", "", ""});
  }
  for (const auto& outage : std::span(result.outages).first(shown)) {
    notes.push_back({"run ", outage.run_id,
                     ": " + std::to_string(outage.failures) + " of " + counted(outage.tests, "test") +
                         " failed: an outage, nothing was decided on it"});
  }
  if (result.damaged)
    notes.push_back({"a report of the newest run broke off: what it did not show was not looked at", "", ""});
  if (result.nothing_brought) notes.push_back({"the given reports hold no test: an older run stands in", "", ""});
  if (result.selected) notes.push_back({"the newest run selected tests: the others were not looked at", "", ""});
  if (!result.missing.empty()) {
    notes.push_back({counted(result.missing.size(), "test") +
                         " of the run before missing from the newest run: removed, or did a part not run?",
                     "", ""});
  }
}

void note_changing(const GateView& view, std::vector<Note>& notes) {
  if (view.result.changing) notes.push_back(changing_names_note(*view.result.changing));
}

void note_baseline(const GateView& view, std::vector<Note>& notes) {
  const auto& result = view.result;
  if (!view.has_baseline) {
    notes.push_back({"no baseline ", view.baseline_path,
                     ": every flaky test is new; 'flakestat check --update-baseline' accepts the present ones"});
  }
  if (!view.options.fail_on_new && !result.new_flaky.empty()) {
    notes.push_back({"new flaky tests are no failure here: --fail-on-new=false", "", ""});
  }
  if (!view.options.fail_on_regression && !result.worse.empty()) {
    notes.push_back({"worse tests are no failure here: --fail-on-regression=false", "", ""});
  }
  if (!result.fixed.empty()) {
    notes.push_back({"'flakestat check --update-baseline' takes fixed tests out of the baseline", "", ""});
  }
}

}  // namespace

const std::vector<GateItem>& items_of(const rules::GateResult& result, GateKind kind) {
  switch (kind) {
    case GateKind::worse: return result.worse;
    case GateKind::new_flaky: return result.new_flaky;
    case GateKind::unproven: return result.unproven;
    case GateKind::sanitised: return result.sanitised;
    case GateKind::missing: return result.missing;
    case GateKind::failing: return result.failing;
    case GateKind::known_failing: return result.known_failing;
    case GateKind::quarantined: return result.quarantined;
    case GateKind::below_threshold: return result.below_threshold;
    case GateKind::broken: return result.broken;
    case GateKind::not_seen: return result.not_seen;
    case GateKind::fixed: break;
  }
  return result.fixed;
}

GateRows gate_rows(const GateView& view) {
  GateRows out;
  for (const auto& words : kKinds) {
    if (words.kind != GateKind::failing) add_rows(view, words.kind, out);
  }
  return out;
}

GateRows gate_rows(const GateView& view, GateKind kind) {
  GateRows out;
  add_rows(view, kind, out);
  return out;
}

bool is_fatal(const GateView& view, GateKind kind) {
  switch (kind) {
    case GateKind::worse: return view.options.fail_on_regression;
    case GateKind::new_flaky: return view.options.fail_on_new;
    case GateKind::missing: return view.options.expect.all;
    default: return kind == GateKind::unproven || kind == GateKind::sanitised;
  }
}

std::string gate_counts(const GateView& view) {
  const auto& r = view.result;
  std::string out;
  add_count(out, r.new_flaky.size(), "new", true);
  add_count(out, r.worse.size(), "worse", true);
  add_count(out, r.accepted.size(), "accepted", true);
  add_count(out, r.fixed.size(), "fixed", true);
  add_count(out, r.broken.size(), "broken");
  add_count(out, r.not_seen.size(), "not seen");
  add_count(out, r.known_failing.size(), r.known_failing.size() == 1 ? "known failure" : "known failures");
  add_count(out, r.quarantined.size(), "quarantined");
  add_count(out, r.below_threshold.size(), "below the limit");
  add_count(out, r.unproven.size(), r.unproven.size() == 1 ? "unproven new test" : "unproven new tests");
  add_count(out, r.sanitised.size(), "only sanitised");
  add_count(out, r.missing.size(), "missing");
  return out;
}

Note changing_names_note(const rules::ChangingNames& changing) {
  return {counted(changing.seen_once, "id") + " seen once: names that change with every run? ",
          changing.before + " -> " + changing.after, ""};
}

std::vector<Note> trouble_notes(const GateView& view) {
  std::vector<Note> notes;
  note_completeness(view, notes);
  note_changing(view, notes);
  return notes;
}

std::vector<Note> gate_notes(const GateView& view) {
  std::vector<Note> notes;
  note_newest(view, notes);
  for (auto& note : trouble_notes(view)) notes.push_back(std::move(note));
  note_baseline(view, notes);
  return notes;
}

std::string decision_sentence(const GateView& view) {
  const auto decision = view.result.decision;
  std::string out = "gate: " + std::string(decision == rules::Decision::worse ? "failed" : to_string(decision));
  const char* before = ": ";
  for (const auto& reason : view.result.reasons) {
    out += before + reason;
    before = "; ";
  }
  return out;
}

std::string name_of(const GateItem& item) { return display_name(item.suite, item.class_name, item.name); }

std::string file_of(const GateView& view, const GateItem& item) {
  std::string file = item.file;
  if (!view.root.empty() && file.starts_with(view.root + "/")) file.erase(0, view.root.size() + 1);
  while (file.starts_with("./")) file.erase(0, 2);
  return file;
}

std::string sentence_of(const GateRow& row) {
  const auto name = name_of(*row.item);
  const auto mark = row.mark.before + row.mark.foreign + row.mark.after;
  switch (row.kind) {
    case GateKind::worse:
      return "flaky test got worse: " + name + " (score " + row.score + ", accepted " + row.was + ")";
    case GateKind::new_flaky:
      return "newly flaky test: " + name + " (score " + row.score + ", lower " + row.lower + ")";
    case GateKind::unproven: return "new test: " + name + " " + mark;
    case GateKind::sanitised: return "only sanitised: " + name + " " + mark;
    case GateKind::missing: return "missing test: " + name + " " + mark;
    default: return row.state + ": " + name + (mark.empty() ? "" : " " + mark);
  }
}

}  // namespace flakestat::report
