#include "run/run_facts.hpp"

#include <cstring>

namespace flakestat::run {

const char* describe(ReportState state) {
  switch (state) {
    case ReportState::not_asked:
    case ReportState::whole: return "";
    case ReportState::cut_off: return "a report that is cut off";
    case ReportState::missing: return "no report";
    case ReportState::stale: return "only a report from before the run";
    case ReportState::empty: return "an empty report";
    case ReportState::unreadable: return "no readable report";
  }
  return "";
}

std::string describe_end(RunEnd end, int code) {
  switch (end) {
    case RunEnd::exited: return "exit code " + std::to_string(code);
    case RunEnd::signalled: {
      const char* name = ::sigabbrev_np(code);
      return "killed by signal " + std::to_string(code) + (name == nullptr ? "" : std::string(" (SIG") + name + ")");
    }
    case RunEnd::timed_out: return "timed out";
    case RunEnd::failed_to_start: return "could not be started";
    case RunEnd::interrupted: return "interrupted";
    case RunEnd::lost: return "lost";
  }
  return "ended";
}

}  // namespace flakestat::run
