#include "report/explain_strip.hpp"

#include <algorithm>
#include <map>

#include "report/explain_reasons.hpp"
#include "report/words.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kMostLanes = 12;

text::Tone tone_of(char letter) {
  switch (letter) {
    case 'P': return text::Tone::good;
    case 'F':
    case '!':
    case '^': return text::Tone::bad;
    default: return text::Tone::faint;
  }
}

// A row of letters, painted in runs of one tone, a blank between letters; no blanks at the end.
std::string spaced(const std::string& row, bool colour) {
  const auto end = row.find_last_not_of(' ');
  std::string out;
  for (std::size_t i = 0; end != std::string::npos && i <= end; ++i) {
    if (i > 0) out += ' ';
    const std::string one(1, row[i]);
    out += row[i] == ' ' ? one : text::paint(one, tone_of(row[i]), colour);
  }
  return out;
}

Phrase make_legend(const std::vector<StripLane>& lanes) {
  std::string all;
  for (const auto& lane : lanes) all += lane.letters + lane.marks;
  const std::vector<std::pair<char, std::string_view>> words = {{'P', "P passed"},
                                                                {'F', "F failed"},
                                                                {'-', "- skipped"},
                                                                {'p', "p f doubtful"},
                                                                {'f', "p f doubtful"},
                                                                {'^', "^ differs from the one before"},
                                                                {'!', "! differs on the same code"}};
  std::string out;
  for (const auto& [letter, word] : words) {
    if (all.find(letter) == std::string::npos || out.find(word) != std::string::npos) continue;
    out.append(out.empty() ? "" : ", ").append(word);
  }
  return {out};
}

// Why executions that are shown count less, most first.
std::vector<Phrase> make_doubts(const stats::Trace& trace, std::size_t from) {
  std::size_t outage = 0, contended = 0, beside = 0, ambiguous = 0, unrecorded = 0;
  for (std::size_t i = from; i < trace.executions.size(); ++i) {
    const auto& e = trace.executions[i];
    if (e.unrecorded) ++unrecorded;
    if (e.skipped()) continue;
    if (trace.job(e).outage) ++outage;
    if (e.contended) ++contended;
    if (e.shared_host && !e.contended) ++beside;
    if (e.ambiguous) ++ambiguous;
  }
  std::vector<Phrase> out;
  const auto say = [&out](std::size_t count, std::string_view what) {
    if (count > 0) out.emplace_back(counted(count, "execution") + std::string(what));
  };
  say(outage, " in an outage: discounted");
  say(contended, " beside other copies, not reproduced alone: discounted");
  say(beside, " beside other copies without a network of its own: no proof");
  say(ambiguous, " of several with this name in one report: no proof");
  if (unrecorded > 0) {
    out.emplace_back(counted(unrecorded, "failure") + " known only from a framework's note on the pass after it");
  }
  return out;
}

}  // namespace

char strip_letter(const stats::Trace& trace, const stats::TracedExecution& execution) {
  if (execution.skipped()) return '-';
  if (trace.is_doubtful(execution)) return execution.failed() ? 'f' : 'p';
  return execution.failed() ? 'F' : 'P';
}

char strip_mark(stats::Mark mark) {
  switch (mark) {
    case stats::Mark::none: break;
    case stats::Mark::flip: return '^';
    case stats::Mark::same_code_flip: return '!';
  }
  return ' ';
}

Strip make_strip(const stats::Trace& trace, std::size_t history) {
  Strip out;
  out.total = trace.executions.size();
  out.shown = std::min(history, out.total);
  const std::size_t from = out.total - out.shown;
  std::map<std::uint32_t, std::size_t> newest;  // context -> its last execution
  for (std::size_t i = from; i < out.total; ++i) newest[trace.executions[i].context] = i;
  std::vector<std::pair<std::size_t, std::uint32_t>> order;
  for (const auto& [context, last] : newest) order.emplace_back(last, context);
  std::sort(order.begin(), order.end());
  if (order.size() > kMostLanes) {
    out.lanes_left_out = order.size() - kMostLanes;
    order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(out.lanes_left_out));
  }
  std::map<std::uint32_t, std::size_t> lane_of;
  for (const auto& [last, context] : order) {
    lane_of[context] = out.lanes.size();
    out.lanes.push_back({context_phrase(trace.contexts[context]), {}, {}});
  }
  for (std::size_t i = from; i < out.total; ++i) {
    const auto& e = trace.executions[i];
    const auto lane = lane_of.find(e.context);
    if (lane == lane_of.end()) continue;
    out.lanes[lane->second].letters += strip_letter(trace, e);
    out.lanes[lane->second].marks += strip_mark(e.mark);
  }
  out.legend = make_legend(out.lanes);
  out.doubtful = make_doubts(trace, from);
  return out;
}

std::vector<std::string> strip_lines(const StripLane& lane, std::size_t width, bool colour) {
  const std::size_t per_line = std::max<std::size_t>((width + 1) / 2, 1);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < lane.letters.size(); at += per_line) {
    out.push_back(spaced(lane.letters.substr(at, per_line), colour));
    auto marks = spaced(lane.marks.substr(at, per_line), colour);
    if (!marks.empty()) out.push_back(std::move(marks));
  }
  return out;
}

}  // namespace flakestat::report
