// Explanations for the tests of this layer: one with everything in it, one whose texts want to break the output.
#pragma once

#include <string>
#include <string_view>

#include "report/explain.hpp"
#include "report/samples.hpp"

namespace flakestat::report::samples {

/// Appends one execution a letter to the context and job given; `p` and `f` are of an outage.
inline void add_executions(stats::Trace& trace, std::uint32_t context, std::string_view letters,
                           std::string_view marks) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    stats::TracedExecution e;
    e.time = kDay1 + static_cast<UnixMillis>(trace.executions.size()) * 3'600'000;
    e.record = static_cast<std::uint32_t>(trace.executions.size());
    e.context = context;
    e.job = letters[i] == 'p' || letters[i] == 'f' ? 1 : 0;
    e.status = letters[i] == '-' ? Status::skip : letters[i] == 'F' || letters[i] == 'f' ? Status::fail : Status::pass;
    e.first_try = letters[i] != '-';
    e.mark = marks[i] == '!' ? stats::Mark::same_code_flip : marks[i] == '^' ? stats::Mark::flip : stats::Mark::none;
    if (i > 0 && letters[i] != '-') e.compared_with = e.record - 1;
    trace.executions.push_back(e);
  }
}

/// A flaky test with a value in every field; `text` stands in for everything foreign.
inline Explanation explanation(const std::string& name, const std::string& text) {
  Explanation out;
  out.score = flaky(name, 0.32, 0.104, 80, 20);
  out.score.file = text;
  out.score.skips = 3;
  out.score.sanitised = 1;
  out.score.quarantined = 2;
  out.score.weak_flips = 4;
  out.score.transitions = 98;
  out.score.same_commit_flips = 12;
  out.score.cross_commit_flips = 3;
  out.score.first_tries = 100;
  out.score.first_try_fails = 20;
  out.score.known_flaky = true;
  out.score.proof_run_ids = {text, "run-2"};
  out.trace.runs = {text};
  out.trace.places = {{{"os", text}}};
  out.trace.jobs = {{text, text, text, kDay1, false, 0, 0, 0},
                    {"0123456789abcdef0123456789abcdef01234567+5f1e0c3a", text, text, kDay1, true, 40, 36, 0.9}};
  out.trace.contexts = {{text, text, true}, {"", "any environment", false}};
  add_executions(out.trace, 0, "PPFPF-Pfp", "  ^!^ ^! ");
  add_executions(out.trace, 1, "PPP", "   ");
  out.trace.executions.back().ambiguous = true;
  out.findings = stats::find(out.trace, out.score);
  out.messages = {{{"timeout after <n>s", text, 12, kDay1, kDay1 + 5000}, {"refused", "refused", 3, 0, 0}}, 4, 17, 1};
  out.pass_durations = {80, 400, 412, 600};
  out.fail_durations = {20, 5000, 5001, 61'000};
  out.sanitised = {{text, 1}};
  out.would_sanitise = 2;
  out.associations =
      stats::find_associations({{{{"os", text}, {"db", "mssql"}}, {40, 30}}, {{{"os", "linux"}}, {100, 2}}});
  out.next = {{"flakestat", "hunt", "--runs", "14", "--filter", to_hex(out.score.test_id), "--dir", text},
              "14 runs",
              {"flakestat", "quarantine", "--update", text}};
  out.min_runs = 5;
  return out;
}

inline Explanation explanation() { return explanation("test_login[oauth]", "os=linux"); }

}  // namespace flakestat::report::samples
