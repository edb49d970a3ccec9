// Events for the tests of this layer.
#pragma once

#include <string>
#include <vector>

#include "report/hunt_events.hpp"
#include "report/samples.hpp"

namespace flakestat::report::samples {

inline PlanEvent plan_event() {
  PlanEvent plan;
  plan.run_id = "20260609T101320-9f2ac1";
  plan.command = {"pytest", "-q", "--junitxml={junit}"};
  plan.directory = "/home/me/shop";
  plan.junit = "report-{run}.xml";
  plan.runs = 8;
  plan.parallel = 4;
  plan.timeout_ms = 90'000;
  return plan;
}

inline DisagreementEvent disagreement_event() {
  return {3, test_id("s", "tests.api.TestAuth", "login"), "s", "tests.api.TestAuth", "login", 2, 1};
}

inline std::string compact_document() {
  ReportOptions options;
  options.json = text::JsonStyle::compact;
  return hunt_json(hunt(), every_verdict(), options);
}

/// Every kind of event, with and without what may be missing.
inline std::vector<std::string> hunt_events() {
  RunEvent alone{run(1, 0), false, "", {}};
  RunEvent copy{run(2, 1), true, "fs,tmp,pid", {"tests.api.TestAuth::login"}};
  copy.run.report_problem = "out.xml is empty (0 bytes)";
  PlanEvent bare;
  bare.run_id = "r";
  bare.command = {"true"};
  bare.runs = 1;
  return {event_line(plan_event()),
          event_line(bare),
          event_line(alone),
          event_line(copy),
          event_line(disagreement_event()),
          end_event_line(compact_document())};
}

inline std::vector<std::string> hostile_events(const std::string& name) {
  auto plan = plan_event();
  plan.run_id = plan.directory = plan.junit = name;
  plan.command = {name, name};
  RunEvent ended{run(1, 0), false, name, {name}};
  ended.run.report_problem = name;
  ended.run.leaked = {name};
  auto disagreement = disagreement_event();
  disagreement.suite = disagreement.class_name = disagreement.name = name;
  return {event_line(plan), event_line(ended), event_line(disagreement)};
}

}  // namespace flakestat::report::samples
