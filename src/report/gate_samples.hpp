// Decisions of a gate for the tests of this layer. Included by *_test.cpp only.
#pragma once

#include <string>

#include "report/gate.hpp"
#include "report/samples.hpp"

namespace flakestat::report::samples {

inline rules::GateItem gate_item(std::string name, std::optional<double> score, std::optional<double> was = {}) {
  rules::GateItem item;
  item.suite = "pytest";
  item.class_name = "tests.api.TestAuth";
  item.name = std::move(name);
  item.test_id = test_id(item.suite, item.class_name, item.name);
  item.file = "tests/test_auth.py";
  item.score = score;
  if (score) item.lower_bound = *score / 2;
  item.was = was;
  return item;
}

/// One test of every kind.
inline rules::GateResult every_kind() {
  rules::GateResult r;
  r.new_flaky = {gate_item("test_login[oauth]", 0.32), gate_item("test_token", 0.0004)};
  r.new_flaky[1].file.clear();
  r.worse = {gate_item("test_refresh", 0.44, 0.21)};
  r.accepted = {gate_item("test_old", 0.2, 0.19)};
  r.known_failing = {gate_item("test_known", 0.03)};
  r.known_failing[0].commit = "c51";
  r.below_threshold = {gate_item("test_mild", 0.02)};
  r.fixed = {gate_item("test_fixed", 0.0, 0.3)};
  r.broken = {gate_item("test_broken", 0.0, 0.3)};
  r.not_seen = {gate_item("test_gone", {}, 0.3)};
  r.not_seen[0].reason = "no execution in this history";
  r.unproven = {gate_item("test_fresh", 0.0)};
  r.unproven[0].count = 3;
  r.sanitised = {gate_item("test_net", {})};
  r.sanitised[0].count = 5;
  r.missing = {gate_item("test_missing", 0.0)};
  r.failing = {gate_item("test_refresh", 0.44), gate_item("test_charge", 0.0)};
  r.outages = {{"4711", kDay1, 50, 40, 0.8}};
  r.newest = {"4711", "main", kDay1, 120, 2, 1, 3};
  r.damaged = true;
  r.changing = rules::ChangingNames{12, "rspec --seed 1234", "rspec --seed 5678"};
  r.decision = rules::Decision::worse;
  r.reasons = {"1 accepted flaky test got worse", "2 newly flaky tests"};
  return r;
}

inline rules::GateResult nothing() {
  rules::GateResult r;
  r.newest = {"4711", "main", kDay1, 120, 0, 0, 0};
  return r;
}

/// The hostile names and worse ones, in every place where foreign text may stand.
inline rules::GateResult hostile_gate() {
  auto names = hostile_names();
  for (const char* name :
       {"::error::pwned", "##vso[task.complete result=Failed]", "##[error]x", "##teamcity[buildStop]",
        "<script>alert(1)</script>", "]]>", "'|[]", "</details>", "-->", "%0A::error::x", "\n::error::y"}) {
    names.emplace_back(name);
  }
  names.push_back(std::string(10'000, 'n'));
  std::string marks = "zalgo";
  for (int i = 0; i < 3000; ++i) marks += "\xCC\x81";
  names.push_back(marks);
  auto r = nothing();
  for (const auto& name : names) {
    auto item = gate_item(name, 0.4);
    item.file = "tests/" + name;
    r.new_flaky.push_back(item);
    item.commit = name;
    r.known_failing.push_back(item);
    r.fixed.push_back(item);
    r.failing.push_back(item);
  }
  r.outages = {{names[0] + "\n" + names[3], kDay1, 50, 40, 0.8}};
  r.newest.run_id = "run ##vso[x]\n::error::`|`";
  r.changing = rules::ChangingNames{3, names[0] + "|`", names[4] + "\n"};
  r.decision = rules::Decision::failed;
  r.reasons = {"27 newly flaky tests"};
  return r;
}

inline GateView gate_view(const rules::GateResult& result) {
  GateView view{result, {}, stats::Model::bayes, ".flakestat/baseline.json"};
  view.options.new_tests = 10;
  view.options.sanitised = 5;
  view.options.branch = "main";
  return view;
}

inline rules::BaselineChange change() {
  const AcceptedTest added{TestId{1}, "s", "C", "fresh \x1b[2J", "flaky", 0.3};
  const AcceptedTest removed{TestId{2}, "s", "C", "healthy", "flaky", 0.2};
  const AcceptedTest unseen{TestId{3}, "s", "C", "gone", "flaky", 0.1};
  return {{"bayes", {added, unseen}}, {added}, {removed}, {unseen}, {unseen}, "flip-rate"};
}

}  // namespace flakestat::report::samples
