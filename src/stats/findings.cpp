#include "stats/findings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace flakestat::stats {
namespace {

FirstTryRate first_try_rate(const Trace& trace, const TestScore& score) {
  FirstTryRate out;
  out.tries = score.first_tries;
  out.fails = score.first_try_fails;
  for (const auto& e : trace.executions) {
    out.any_stop = out.any_stop || e.hunt;
    if (!e.first_try || !trace.in_outage(e)) continue;
    ++out.tries_in_outages;
    if (e.failed()) ++out.fails_in_outages;
  }
  if (out.tries > 0) out.rate = static_cast<double>(out.fails) / static_cast<double>(out.tries);
  out.interval = out.any_stop ? interval_under_stopping(out.fails, out.tries) : exact_interval(out.fails, out.tries);
  return out;
}

void begin(Stretch& stretch, const Trace& trace, const TracedExecution& e) {
  ++stretch.runs;
  stretch.code = trace.job(e).code;
  stretch.since = e.time;
}

Stretch clean_stretch(const Trace& trace) {
  Stretch out;
  for (auto e = trace.executions.rbegin(); e != trace.executions.rend(); ++e) {
    if (e->skipped()) continue;
    if (!e->failed()) begin(out, trace, *e);
    else if (!trace.is_discounted(*e)) break;
  }
  return out;
}

// The default branch where the test ran there: what is red on a feature branch is somebody's work.
bool counts_for_now(const Trace& trace, const TracedExecution& e, bool has_default) {
  return !e.skipped() && (!has_default || trace.contexts[e.context].default_branch);
}

bool ran_on_default_branch(const Trace& trace) {
  return std::any_of(trace.executions.begin(), trace.executions.end(),
                     [&](const auto& e) { return !e.skipped() && trace.contexts[e.context].default_branch; });
}

// Contexts whose newest execution failed; true when there are no others.
bool find_failing_contexts(const Trace& trace, bool has_default, Findings& out) {
  std::map<std::uint32_t, FailingContext> contexts;
  std::set<std::uint32_t> passed;
  for (auto e = trace.executions.rbegin(); e != trace.executions.rend(); ++e) {
    if (!counts_for_now(trace, *e, has_default) || passed.contains(e->context)) continue;
    if (e->failed()) {
      FailingContext& context = contexts[e->context];
      context.context = e->context;
      begin(context.failing, trace, *e);
      continue;
    }
    passed.insert(e->context);
    if (const auto found = contexts.find(e->context); found != contexts.end()) {
      found->second.last_pass = trace.job(*e).code;
    }
  }
  for (auto& [number, context] : contexts) out.failing_in.push_back(context);
  return std::all_of(passed.begin(), passed.end(), [&](std::uint32_t context) { return contexts.contains(context); });
}

// Over all contexts together, in the order of the fold.
void find_failing(const Trace& trace, bool has_default, Findings& out) {
  std::set<std::string_view> codes;
  for (auto e = trace.executions.rbegin(); e != trace.executions.rend(); ++e) {
    if (!counts_for_now(trace, *e, has_default)) continue;
    if (!e->failed()) {
      out.last_pass.emplace();
      begin(*out.last_pass, trace, *e);
      break;
    }
    begin(out.failing, trace, *e);
    codes.insert(trace.job(*e).code);
  }
  out.codes_failing_now = codes.size();
  if (!out.last_pass) return;
  out.last_pass->runs = 0;
  for (const auto& e : trace.executions) {
    if (counts_for_now(trace, e, has_default) && !e.failed()) ++out.last_pass->runs;
  }
}

}  // namespace

Findings find(const Trace& trace, const TestScore& score) {
  Findings out;
  out.first_tries = first_try_rate(trace, score);
  out.clean = clean_stretch(trace);
  const bool has_default = ran_on_default_branch(trace);
  if (find_failing_contexts(trace, has_default, out)) find_failing(trace, has_default, out);
  std::map<std::string_view, std::uint64_t> bursts;
  for (const auto& e : trace.executions) {
    if (e.first_try) out.largest_burst = std::max(out.largest_burst, ++bursts[trace.job(e).code]);
    if (!e.failed()) continue;
    if (trace.in_outage(e)) ++out.failures_in_outages;
    if (has_default && !trace.contexts[e.context].default_branch) ++out.failures_elsewhere;
    if (e.contended) ++out.failures_under_contention;
  }
  return out;
}

}  // namespace flakestat::stats
