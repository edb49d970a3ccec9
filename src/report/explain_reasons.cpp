#include "report/explain_reasons.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "report/words.hpp"
#include "stats/context.hpp"

namespace flakestat::report {
namespace {

using stats::TracedExecution;

constexpr std::size_t kMostRuns = 4;
constexpr std::size_t kMostOutages = 3;
constexpr std::size_t kMostContexts = 3;
constexpr std::string_view kFrameworkSaid =
    "the test framework itself reported that it failed and then passed within one run";
constexpr std::size_t kFullCommit = 40;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

Phrase code_phrase(const std::string& code) {
  return code.empty() ? Phrase("an unknown commit") : Phrase().quote(short_code(code));
}

Phrase list_of(const std::vector<std::string>& names, std::size_t most, std::string_view noun) {
  Phrase out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) out.say(i == 0 ? "" : ", ").quote(names[i]);
  if (names.size() > most) out.say(" and " + counted(names.size() - most, noun));
  return out;
}

// The newest code and environment in which the runs of the proof disagree.
const TracedExecution* proof_of(const Explanation& found) {
  const std::set<std::string_view> runs(found.score.proof_run_ids.begin(), found.score.proof_run_ids.end());
  std::map<std::pair<std::string_view, std::string_view>, unsigned> seen;
  const auto& trace = found.trace;
  for (auto e = trace.executions.rbegin(); e != trace.executions.rend(); ++e) {
    if (e->skipped() || trace.is_doubtful(*e) || !runs.contains(trace.runs[e->run])) continue;
    const auto& job = trace.job(*e);
    auto& kinds = seen[{job.code, job.environment}];
    kinds |= e->failed() ? 2U : 1U;
    if (kinds == 3) return &*e;
  }
  return nullptr;
}

Phrase proof_phrase(const Explanation& found) {
  const auto& score = found.score;
  Phrase out("failed and passed on ");
  if (const auto* e = proof_of(found); e != nullptr) {
    const auto& job = found.trace.job(*e);
    out.add(job.code.empty() ? Phrase("the same code") : code_phrase(job.code));
    out.say(" in the same environment");
    if (job.environment != stats::kAnyEnvironment) out.say(" (").quote(job.environment).say(")");
  } else {
    out.say("the same code in the same environment");
  }
  out.say(": proof");
  if (!score.proof_run_ids.empty()) {
    out.say(score.proof_run_ids.size() == 1 ? ", run " : ", runs ");
    out.add(list_of(score.proof_run_ids, kMostRuns, "more"));
  }
  if (score.proofs > 1) out.say("; " + counted(score.proofs, "such disagreement") + " in all");
  return out;
}

Phrase failing_now(const Explanation& found) {
  const auto& failing = found.findings.failing;
  const auto& pass = found.findings.last_pass;
  Phrase out("failing now: " + counted(failing.runs, "failure") + (failing.runs == 1 ? "" : " in a row") + " since ");
  out.add(code_phrase(failing.code));
  if (!pass) return out.say(", never passed before");
  out.say(pass->runs == 1 ? ", passed once at " : ", last passed at ");
  return out.add(code_phrase(pass->code));
}

// Now, everywhere or in some contexts only.
void add_failing_now(const Explanation& found, std::vector<Phrase>& out) {
  if (found.findings.failing.runs > 0) {
    out.push_back(failing_now(found));
    return;
  }
  const auto& contexts = found.findings.failing_in;
  for (std::size_t i = 0; i < std::min(contexts.size(), kMostContexts); ++i) {
    const auto& one = contexts[i];
    Phrase line("failing now in ");
    line.add(context_phrase(found.trace.contexts[one.context]));
    line.say(": " + counted(one.failing.runs, "failure") + (one.failing.runs == 1 ? "" : " in a row") + " since ");
    line.add(code_phrase(one.failing.code));
    if (one.last_pass) line.say(", last passed there at ").add(code_phrase(*one.last_pass));
    else line.say(", never passed there");
    out.push_back(line);
  }
  if (contexts.size() > kMostContexts) {
    out.emplace_back("failing now in " + counted(contexts.size() - kMostContexts, "more context"));
  }
}

void add_flaky(const Explanation& found, std::vector<Phrase>& out) {
  const auto& score = found.score;
  if (score.proofs > 0) out.push_back(proof_phrase(found));
  if (score.known_flaky) {
    out.emplace_back(kFrameworkSaid);
  }
  if (score.proofs == 0) {
    out.emplace_back(counted(score.fails, "failure") + " and " + counted(score.passes, "pass", "passes") + " over " +
                     counted(score.commits, "commit") +
                     ": the failures come and go, and a flake explains that better than commits that broke and "
                     "repaired it (P(flaky) " +
                     format_score(score.p_flaky) + ")");
  }
  add_failing_now(found, out);
  if (score.possibly_fixed) {
    out.emplace_back("possibly fixed: P(flaky) has fallen to " + format_score(score.p_flaky) + " over " +
                     counted(found.findings.clean.runs, "clean run"));
  }
}

// It disagreed with itself once, and is not called flaky any more: no broken code explains that.
void add_old_proof(const Explanation& found, std::vector<Phrase>& out) {
  const auto& score = found.score;
  if (score.proofs > 0) out.push_back(proof_phrase(found));
  if (score.known_flaky) {
    out.emplace_back(kFrameworkSaid);
  }
  std::string now = "but P(flaky) is " + format_score(score.p_flaky) + " now";
  if (const auto clean = found.findings.clean.runs; clean > 0) now += ", after " + counted(clean, "clean run");
  out.emplace_back(now);
}

void add_suspect(const Explanation& found, std::vector<Phrase>& out) {
  const auto& score = found.score;
  if (found.findings.failures_under_contention > 0 && score.proofs == 0) {
    out.emplace_back("disagreed while copies of the suite ran beside it (" +
                     counted(found.findings.failures_under_contention, "failure") +
                     "): contention can do that, so it is no proof");
  }
  if (score.proofs > 0 || score.known_flaky) {
    add_old_proof(found, out);
  } else {
    out.emplace_back("P(flaky) is " + format_score(score.p_flaky) +
                     ": no proof (a pass and a failure on the same code in one environment) yet");
  }
  add_failing_now(found, out);
}

// Of its first execution, on whatever branch.
std::string first_code(const stats::Trace& trace) {
  for (const auto& e : trace.executions) {
    if (!e.skipped()) return trace.job(e).code;
  }
  return {};
}

void add_broken(const Explanation& found, std::vector<Phrase>& out) {
  const auto& score = found.score;
  if (score.passes == 0) {
    Phrase line("failed in every one of its " + counted(score.runs, "execution") + ", since ");
    out.push_back(line.add(code_phrase(first_code(found.trace))));
    return;
  }
  Phrase line("failing now in every default-branch environment");
  const bool named = !score.broken_lanes.empty() && score.broken_lanes.front() != stats::kAnyEnvironment;
  if (named) line.say(" (").add(list_of(score.broken_lanes, kMostRuns, "more")).say(")");
  line.say(" since ").add(code_phrase(found.findings.failing.code));
  if (found.findings.last_pass) line.say(", last passed at ").add(code_phrase(found.findings.last_pass->code));
  out.push_back(line.say(": broken, not flaky"));
}

void add_stable(const Explanation& found, std::vector<Phrase>& out) {
  const auto& score = found.score;
  const auto outage = found.findings.failures_in_outages;
  if (score.fails > 0 && outage >= score.fails) {
    out.emplace_back(counted(score.fails, "failure") + (score.fails == 1 ? ", in a run" : ", all of them in runs") +
                     " that failed many other tests too");
  } else if (score.proofs > 0 || (score.fails == 0 && score.known_flaky)) {
    add_old_proof(found, out);
  } else if (score.fails == 0) {
    out.emplace_back("passed in every one of its " + counted(score.runs, "execution"));
  } else if (found.findings.failures_elsewhere >= score.fails) {
    out.emplace_back(counted(score.fails, "failure") + ", on other branches than the default one" +
                     (score.fails == 1 ? "" : " only"));
  } else {
    std::string words = counted(score.fails, "failure") + " that broken code explains at least as well as a flake";
    if (outage > 0) words += " (" + std::to_string(outage) + " of them in outages)";
    out.emplace_back(words);
  }
  add_failing_now(found, out);
  const auto& found_in = found.associations.found;
  if (!found_in.empty() && found_in.front().strong) {
    Phrase line("deterministic per platform: failures concentrate in ");
    out.push_back(line.add(pair_phrase(found_in.front().values.front())));
  }
}

Phrase too_few(const Explanation& found) {
  return {counted(found.score.runs, "execution") + (found.score.runs == 1 ? " is" : " are") +
          " too few: a verdict needs " + std::to_string(found.min_runs) +
          " (--min-runs), or a pass and a failure on the same code"};
}

Phrase never_ran(const Explanation& found) {
  std::string words = "skipped every time (" + std::to_string(found.score.skips) + ")";
  if (found.score.sanitised > 0) words += ", " + std::to_string(found.score.sanitised) + " of them sanitised";
  return {words + ": nothing is known of it"};
}

void add_by_flips(const Explanation& found, std::vector<Phrase>& out) {
  const auto& score = found.score;
  if (score.known_flaky) {
    out.emplace_back(kFrameworkSaid);
  }
  const auto flips = score.same_commit_flips + score.cross_commit_flips;
  out.emplace_back(std::to_string(flips) + " of " + counted(score.transitions, "pair") +
                   " of neighbouring outcomes in one context differ, " + std::to_string(score.same_commit_flips) +
                   " on the same commit and " + std::to_string(score.cross_commit_flips) + " across commits");
  out.emplace_back("weighted by age: score " + format_score(score.score) + " (suspect from " +
                   format_score(found.flip_rate.suspect_threshold) + "), lower bound " +
                   format_score(score.lower_bound) + " (flaky from " + format_score(found.flip_rate.threshold) + ")");
  add_failing_now(found, out);
}

void add_verdict(const Explanation& found, std::vector<Phrase>& out) {
  const auto verdict = found.score.verdict;
  if (verdict == Verdict::always_skipped) out.push_back(never_ran(found));
  else if (verdict == Verdict::insufficient_data) out.push_back(too_few(found));
  else if (found.model == stats::Model::flip_rate && found.score.passes > 0) add_by_flips(found, out);
  else if (verdict == Verdict::flaky) add_flaky(found, out);
  else if (verdict == Verdict::suspect) add_suspect(found, out);
  else if (verdict == Verdict::consistently_failing) add_broken(found, out);
  else add_stable(found, out);
}

void add_outages(const Explanation& found, std::vector<Phrase>& out) {
  std::set<std::uint32_t> hit;
  for (const auto& e : found.trace.executions) {
    if (e.failed() && found.trace.in_outage(e)) hit.insert(e.job);
  }
  std::size_t shown = 0;
  for (auto job = hit.rbegin(); job != hit.rend() && shown < kMostOutages; ++job, ++shown) {
    const auto& outage = found.trace.jobs[*job];
    Phrase line("discounted: " + std::to_string(outage.failures) + " of " + counted(outage.tests, "test") +
                " failed in job ");
    line.quote(outage.lead_run);
    if (!outage.code.empty()) line.say(" on ").add(code_phrase(outage.code));
    out.push_back(line.say(", an outage: its failures say little about this test"));
  }
  if (hit.size() > shown) out.emplace_back("discounted: " + counted(hit.size() - shown, "more outage"));
}

std::string small_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace

std::string short_code(std::string_view code) {
  const bool full = code.size() >= kFullCommit && std::all_of(code.begin(), code.begin() + kFullCommit, is_hex) &&
                    (code.size() == kFullCommit || code[kFullCommit] == '+');
  if (!full) return std::string(code);
  return std::string(code.substr(0, 12)).append(code.substr(kFullCommit));
}

Phrase pair_phrase(const stats::KeyValue& pair) {
  if (pair.second.empty()) return Phrase().quote(pair.first).say(" (not given)");
  return Phrase().quote(pair.first + "=" + pair.second);
}

Phrase context_phrase(const stats::TracedContext& context) {
  Phrase out;
  if (context.branch.empty()) out.say("no branch");
  else out.quote(context.branch);
  if (context.environment != stats::kAnyEnvironment) out.say(", ").quote(context.environment);
  return out;
}

std::vector<Phrase> explain_reasons(const Explanation& found) {
  std::vector<Phrase> out;
  add_verdict(found, out);
  add_outages(found, out);
  return out;
}

std::vector<Phrase> association_lines(const stats::Associations& associations) {
  std::vector<Phrase> out;
  for (const auto& one : associations.found) {
    Phrase line("failures concentrate in ");
    line.add(pair_phrase(one.values.front()));
    line.say(": " + std::to_string(one.group.fails) + " of " + std::to_string(one.group.runs) + " against " +
             std::to_string(one.rest.fails) + " of " + std::to_string(one.rest.runs) + " elsewhere (" +
             (one.strong ? "strong" : "candidate") + ", q " + small_number(one.q_value) + ")");
    out.push_back(line);
    if (one.values.size() < 2) continue;
    Phrase same;
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      same.say(i == 0 ? "" : i + 1 == one.values.size() ? " and " : ", ").add(pair_phrase(one.values[i]));
    }
    out.push_back(same.say(" split the runs alike, or nearly: the data cannot tell them apart"));
  }
  if (!out.empty()) out.emplace_back("this says where, never why");
  else if (associations.tested > 0 && associations.all.fails > 0)
    out.emplace_back("failures concentrate nowhere (" + counted(associations.tested, "value") + " tested)");
  return out;
}

}  // namespace flakestat::report
