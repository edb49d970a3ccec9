#include "report/hunt_ends.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kMostLeaks = 10;

std::string signal_name(int number) {
  static constexpr std::array<std::pair<int, std::string_view>, 12> kNames = {{{1, "SIGHUP"},
                                                                               {2, "SIGINT"},
                                                                               {3, "SIGQUIT"},
                                                                               {4, "SIGILL"},
                                                                               {6, "SIGABRT"},
                                                                               {7, "SIGBUS"},
                                                                               {8, "SIGFPE"},
                                                                               {9, "SIGKILL"},
                                                                               {11, "SIGSEGV"},
                                                                               {13, "SIGPIPE"},
                                                                               {15, "SIGTERM"},
                                                                               {31, "SIGSYS"}}};
  const auto* known =
      std::find_if(kNames.begin(), kNames.end(), [number](auto& entry) { return entry.first == number; });
  const auto text = "signal " + std::to_string(number);
  return known == kNames.end() ? text : text + " (" + std::string(known->second) + ")";
}

// What is worth saying of how a run ended; empty for an ordinary exit.
std::string end_of(const HuntRun& run) {
  switch (run.end) {
    case HuntEnd::exited: return "";
    case HuntEnd::signalled: return "ended by " + signal_name(run.code);
    case HuntEnd::timed_out: return "timed out; the whole process tree was ended";
    case HuntEnd::failed_to_start: return "the command could not be started";
    case HuntEnd::interrupted: return "interrupted";
  }
  return "";
}

// Runs by what is said of them, in the order of their first occurrence.
class Groups {
 public:
  void add(const std::string& what, int run) {
    if (what.empty()) return;
    const auto [place, is_new] = places_.try_emplace(what, groups_.size());
    if (is_new) groups_.push_back({what, {}});
    groups_[place->second].second.push_back(run);
  }

  void append_to(std::vector<std::string>& lines) const {
    for (const auto& [what, runs] : groups_) lines.push_back(run_list(runs) + ": " + text::escape_terminal(what));
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::pair<std::string, std::vector<int>>> groups_;
};

std::string leak_line(const HuntRun& run) {
  std::string line = "run " + std::to_string(run.run) + ": " + counted(run.leaked.size(), "process", "processes") +
                     " outlived the command and " + (run.leaked.size() == 1 ? "was" : "were") + " ended: ";
  const auto shown = std::min(run.leaked.size(), kMostLeaks);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) line += ", ";
    line += text::escape_terminal(run.leaked[i]);
  }
  if (shown < run.leaked.size()) line += " and " + std::to_string(run.leaked.size() - shown) + " more";
  return line;
}

}  // namespace

std::vector<std::string> describe_ends(const std::vector<HuntRun>& runs) {
  Groups ends;
  Groups problems;
  for (const auto& run : runs) {
    ends.add(end_of(run), run.run);
    if (!run.report_problem.empty()) problems.add("no report: " + run.report_problem, run.run);
  }
  std::vector<std::string> lines;
  ends.append_to(lines);
  problems.append_to(lines);
  for (const auto& run : runs) {
    if (!run.leaked.empty()) lines.push_back(leak_line(run));
  }
  return lines;
}

std::string short_end(const HuntRun& run) {
  switch (run.end) {
    case HuntEnd::exited: return "exit " + std::to_string(run.code);
    case HuntEnd::signalled: return signal_name(run.code);
    case HuntEnd::timed_out: return "timed out";
    case HuntEnd::failed_to_start: return "could not be started";
    case HuntEnd::interrupted: return "interrupted";
  }
  return "";
}

}  // namespace flakestat::report
