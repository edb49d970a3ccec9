#include "model/run_event.hpp"

namespace flakestat {

const char* word(RunFate fate) {
  switch (fate) {
    case RunFate::passed: return "passed";
    case RunFate::failed: return "failed";
    case RunFate::error: return "error";
    case RunFate::skipped: return "skipped";
    case RunFate::xfailed: return "xfailed";
    case RunFate::xpassed: return "xpassed";
    case RunFate::flaky: return "flaky";
    case RunFate::quarantined: return "quarantined";
  }
  return "";
}

const char* word(RunPhase phase) {
  switch (phase) {
    case RunPhase::none: return "";
    case RunPhase::setup: return "setup";
    case RunPhase::call: return "call";
    case RunPhase::teardown: return "teardown";
  }
  return "";
}

Status status_of(RunStatus status) {
  switch (status) {
    case RunStatus::passed:
    case RunStatus::xpassed: return Status::pass;
    case RunStatus::failed: return Status::fail;
    case RunStatus::error: return Status::error;
    case RunStatus::skipped:
    case RunStatus::xfailed: return Status::skip;
  }
  return Status::error;
}

}  // namespace flakestat
