#include "app/next_step.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "model/identity.hpp"
#include "report/words.hpp"
#include "stats/detectability.hpp"

namespace flakestat::app {
namespace {

constexpr std::uint64_t kLeastRuns = 5;
constexpr std::uint64_t kMostRuns = 2995;  // rules out 0.1 %
constexpr double kBrokenPassRate = 0.20;   // docs/scoring.md, section 9: so many failures in a row are no flake
constexpr double kUsualGoal = 0.05;
constexpr double kFineGoal = 0.01;

bool is_commit(std::string_view code) {
  return code.size() >= 7 && code.size() <= 64 &&
         std::all_of(code.begin(), code.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

class Planner {
 public:
  Planner(const report::Explanation& found, const Settings& settings, const CommonFlags& common)
      : found_(found), settings_(settings), common_(common) {}

  [[nodiscard]] report::NextStep plan() const {
    switch (found_.score.verdict) {
      case Verdict::flaky: {
        auto next = reproduce();
        if (!found_.score.possibly_fixed) next.tolerate = tolerate();
        return next;
      }
      case Verdict::suspect: return reproduce();
      case Verdict::consistently_failing: return broken();
      case Verdict::insufficient_data:
        return hunt(stats::further_runs(kUsualGoal, found_.findings.clean.runs), false,
                    "clean runs would rule out rates above 5 %");
      case Verdict::always_skipped:
        return {{}, "nothing to run: find out why it is skipped, in its own code or its runner's options", {}};
      case Verdict::stable: break;
    }
    return stable();
  }

 private:
  // Enough runs to see it again with 95 %.
  [[nodiscard]] report::NextStep reproduce() const {
    const auto& score = found_.score;
    double rate = score.rate;
    if (found_.model == stats::Model::bayes && score.p_flaky > 0) rate = score.rate / score.p_flaky;
    const bool seldom_passes = rate > 0.5;
    rate = std::clamp(std::min(rate, 1 - rate), 0.001, 0.5);
    const auto runs = stats::runs_to_rule_out(rate);
    const std::string about = " at about " + std::to_string(in_percent(rate)) + " %";
    if (seldom_passes) return hunt(runs, true, "runs show it again with 95 % if it still passes" + about);
    return hunt(
        runs, true,
        "runs show it again with 95 % if it still fails" + about + "; as many clean runs after a fix confirm it");
  }

  [[nodiscard]] std::vector<std::string> tolerate() const {
    std::vector<std::string> command{"flakestat", "quarantine", "--update"};
    if (!settings_.config.quarantine_file) command.emplace_back("quarantine.txt");
    command.insert(command.end(), {"--filter", to_hex(found_.score.test_id)});
    if (common_.dir) command.insert(command.end(), {"--dir", *common_.dir});
    return command;
  }

  [[nodiscard]] static long in_percent(double rate) { return std::max(1L, std::lround(rate * 100)); }

  [[nodiscard]] report::NextStep broken() const {
    const auto& pass = found_.findings.last_pass;
    const auto& failing = found_.findings.failing;
    if (pass && is_commit(pass->code) && is_commit(failing.code) && pass->code != failing.code) {
      return {{"git", "log", "--oneline", report_code(pass->code) + ".." + report_code(failing.code)},
              "the commits between its last pass and its first failure",
              {}};
    }
    if (failing.runs >= stats::runs_to_rule_out(kBrokenPassRate)) {
      return {{},
              "nothing: it is broken, not flaky; pass rates above " +
                  std::to_string(in_percent(stats::ruled_out_above(failing.runs))) + " % are ruled out already",
              {}};
    }
    return hunt(stats::runs_to_rule_out(kBrokenPassRate), false,
                "runs that all fail mean broken, not flaky: pass rates above 20 % are ruled out then");
  }

  [[nodiscard]] report::NextStep stable() const {
    const auto& places = found_.associations.found;
    if (!places.empty() && places.front().strong) {
      const auto& [key, value] = places.front().values.front();
      report::Phrase why("runs where ");
      why.quote(key + "=" + value);
      why.say(" that all fail mean that it always fails there: pass rates above 20 % are ruled out then");
      return hunt(stats::runs_to_rule_out(kBrokenPassRate), false, why);
    }
    const auto clean = found_.findings.clean.runs;
    if (stats::ruled_out_above(clean) <= kFineGoal) return {{}, "nothing: rates above 1 % are ruled out already", {}};
    const double goal = stats::ruled_out_above(clean) <= kUsualGoal ? kFineGoal : kUsualGoal;
    return hunt(stats::further_runs(goal, clean), false,
                "more clean runs rule out rates above " + std::to_string(in_percent(goal)) + " %");
  }

  static std::string report_code(const std::string& code) { return code.substr(0, 12); }

  [[nodiscard]] report::NextStep hunt(std::uint64_t wanted, bool until_fail, const report::Phrase& why) const {
    const auto runs = std::clamp(wanted, kLeastRuns, kMostRuns);
    std::vector<std::string> command{"flakestat", "hunt", "--runs", std::to_string(runs)};
    if (until_fail) command.emplace_back("--until-fail");
    command.insert(command.end(), {"--filter", to_hex(found_.score.test_id)});
    if (common_.dir) command.insert(command.end(), {"--dir", *common_.dir});
    report::Phrase text(std::to_string(runs) + " ");
    text.add(why);
    if (!settings_.config.command) {
      if (!settings_.config.junit) command.insert(command.end(), {"--junit", "REPORT"});
      command.insert(command.end(), {"--", "COMMAND"});
      text.say(" (COMMAND: what runs your tests");
      text.say(settings_.config.junit ? ")" : "; REPORT: the JUnit file that it writes)");
    }
    return {std::move(command), std::move(text), {}};
  }

  const report::Explanation& found_;
  const Settings& settings_;
  const CommonFlags& common_;
};

}  // namespace

report::NextStep next_step(const report::Explanation& found, const Settings& settings, const CommonFlags& common) {
  return Planner(found, settings, common).plan();
}

}  // namespace flakestat::app
