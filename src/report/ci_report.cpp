#include "report/ci_report.hpp"

#include "report/gate_markdown.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::string_view kCounts =
    "| Newly flaky | Worse | Accepted | Fixed | Failing now | Sanitised | Quarantined |\n"
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";

std::string_view headline(const GateView& view) {
  switch (view.result.decision) {
    case rules::Decision::passed: return "flakestat: nothing new, nothing worse";
    case rules::Decision::undecided: return "flakestat: undecided";
    case rules::Decision::failed:
    case rules::Decision::worse: break;
  }
  return "flakestat: the gate failed";
}

std::string counts_table(const GateView& view) {
  const auto& r = view.result;
  std::string out(kCounts);
  for (const std::uint64_t count :
       {std::uint64_t{r.new_flaky.size()}, std::uint64_t{r.worse.size()}, std::uint64_t{r.accepted.size()},
        std::uint64_t{r.fixed.size()}, r.newest.failing, r.newest.sanitised, r.newest.quarantined}) {
    out += "| " + std::to_string(count) + " ";
  }
  return out + "|\n\n";
}

std::string folded(const GateView& view, GateKind kind, const std::string& title) {
  const auto rows = gate_rows(view, kind);
  if (rows.rows.empty() && rows.left_out.empty()) return {};
  return "<details><summary>" + title + "</summary>\n\n" + markdown_rows(rows) + "</details>\n\n";
}

// What a reader must see at once; the failing and the fixed are folded.
GateRows open_rows(const GateView& view) {
  GateRows out;
  for (const auto kind : {GateKind::worse, GateKind::new_flaky, GateKind::unproven, GateKind::sanitised,
                          GateKind::missing, GateKind::known_failing, GateKind::quarantined, GateKind::below_threshold,
                          GateKind::broken, GateKind::not_seen}) {
    auto rows = gate_rows(view, kind);
    std::move(rows.rows.begin(), rows.rows.end(), std::back_inserter(out.rows));
    std::move(rows.left_out.begin(), rows.left_out.end(), std::back_inserter(out.left_out));
  }
  return out;
}

std::string render(const GateView& view) {
  std::string out = std::string(kReportMarker) + "\n### " + std::string(headline(view)) + "\n\n";
  out += "**" + decision_sentence(view) + "**\n\n" + counts_table(view);
  out += markdown_rows(open_rows(view));
  out += folded(view, GateKind::failing, counted(view.result.failing.size(), "test") + " failing in the newest run");
  out += folded(view, GateKind::fixed, counted(view.result.fixed.size(), "fixed test"));
  for (const auto& note : gate_notes(view)) out += markdown_note(note);
  return out;
}

}  // namespace

std::string ci_markdown(const GateView& view) {
  GateView fitting = view;
  for (;;) {
    auto out = render(fitting);
    if (out.size() <= kMostReportBytes || fitting.max_rows == 0) return out;
    fitting.max_rows /= 2;
  }
}

}  // namespace flakestat::report
