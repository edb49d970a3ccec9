// The judge's words for the user. Text from reports and commands is raw here, as everywhere below the renderers.
#include <algorithm>
#include <map>
#include <tuple>

#include "run/hunt_judge.hpp"

namespace flakestat::run {
namespace {

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string consequence(RunWorth worth, bool narrowed) {
  if (worth == RunWorth::unsound && narrowed)
    return "; it was asked for some tests only, and nothing of it is believed";
  switch (worth) {
    case RunWorth::tolerated: return "; every run is like that, so the cases count all the same";
    case RunWorth::partial: return "; the cases reported until then count, and a failure of the suite-level test";
    case RunWorth::unsound: return "; nothing of that is believed, it counts as a failure of the suite-level test";
    case RunWorth::waiting:
    case RunWorth::sound: return "";
  }
  return "";
}

}  // namespace

std::string run_list(std::vector<int> runs) {
  std::sort(runs.begin(), runs.end());  // parallel runs end in any order
  std::string out = runs.size() == 1 ? "run " : "runs ";
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t last = i;
    while (last + 1 < runs.size() && runs[last + 1] == runs[last] + 1) ++last;
    if (i > 0) out += ", ";
    out += std::to_string(runs[i]);
    if (last > i) out += (last == i + 1 ? ", " : "-") + std::to_string(runs[last]);
    i = last + 1;
  }
  return out;
}

void HuntJudge::warn_grouped(std::vector<std::string>& out) const {
  struct Group {
    std::vector<int> runs;
    std::string example;
  };
  std::map<std::tuple<RunWorth, std::string, bool>, Group> groups;
  for (std::size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i].reason.empty()) continue;
    const auto& facts = runs_[i].facts;
    auto& group = groups[{judged_[i].worth, judged_[i].reason, facts.narrowed && !was_ended(facts.end)}];
    group.runs.push_back(runs_[i].facts.run);
    if (group.example.empty()) group.example = runs_[i].facts.report_problem;
  }
  for (const auto& [key, group] : groups) {
    const auto example = group.example.empty() ? "" : " (" + group.example + ")";
    const auto& [worth, reason, narrowed] = key;
    out.push_back(run_list(group.runs) + ": " + reason + example + consequence(worth, narrowed));
  }
}

void HuntJudge::warn_losses(std::vector<std::string>& out) const {
  std::vector<int> explained;
  std::vector<int> late;
  std::size_t most = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (judged_[i].late) late.push_back(runs_[i].facts.run);
    if (runs_[i].lacks == 0 || judged_[i].worth != RunWorth::sound) continue;
    explained.push_back(runs_[i].facts.run);
    most = std::max(most, runs_[i].lacks);
  }
  if (!late.empty()) {
    out.push_back(run_list(late) + ": the cases had been stored before later runs showed that others were lost");
  }
  if (explained.empty()) return;
  out.push_back(run_list(explained) + ": up to " + plural(most, "test") +
                " did not run after a failure and have no result there; let the runner go on after failures "
                "(no -x, --bail, --fail-fast)");
}

void HuntJudge::warn_names(std::vector<std::string>& out) const {
  if (!varying_) return;
  out.push_back(plural(varying_->tests, "test") + " changed their " + varying_->field + " between runs (" +
                varying_->before + " became " + varying_->after + "): the part " + varying_->part_before + " / " +
                varying_->part_after + " varies, and each name is a test of its own" +
                (varying_->cure.empty() ? "" : "; " + varying_->cure));
}

std::vector<std::string> HuntJudge::warnings() const {
  std::vector<std::string> out;
  warn_grouped(out);
  warn_losses(out);
  warn_names(out);
  return out;
}

}  // namespace flakestat::run
