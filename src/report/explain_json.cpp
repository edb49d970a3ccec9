#include <algorithm>
#include <optional>

#include "report/explain.hpp"
#include "report/explain_reasons.hpp"
#include "report/score_json.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

constexpr std::size_t kMostValues = 1000;
constexpr std::size_t kMostClusters = 50;

void write_first_tries(JsonWriter& json, const stats::FirstTryRate& rate) {
  json.begin_object().field("tries", rate.tries).field("fails", rate.fails).field("rate", rate.rate);
  json.field("lower", rate.interval.lower).field("upper", rate.interval.upper);
  json.field("interval", rate.any_stop ? "any-stop" : "exact");
  json.field("tries_in_outages", rate.tries_in_outages).field("fails_in_outages", rate.fails_in_outages);
  json.end_object();
}

void write_stretch(JsonWriter& json, const stats::Stretch& stretch) {
  json.begin_object().field("runs", stretch.runs);
  write_known(json.key("since_code"), stretch.code);
  write_time(json.key("since"), stretch.since);
  json.end_object();
}

void write_last_pass(JsonWriter& json, const std::optional<stats::Stretch>& pass) {
  if (!pass) {
    json.null();
    return;
  }
  json.begin_object();
  write_known(json.key("code"), pass->code);
  write_time(json.key("time"), pass->since);
  json.field("passes", pass->runs).end_object();
}

void write_failing_contexts(JsonWriter& json, const std::vector<stats::FailingContext>& contexts) {
  json.begin_array();
  for (const auto& one : contexts) {
    json.begin_object().field("context", one.context).field("runs", one.failing.runs);
    write_known(json.key("since_code"), one.failing.code);
    write_time(json.key("since"), one.failing.since);
    write_known(json.key("last_pass_code"), one.last_pass.value_or(""));
    json.end_object();
  }
  json.end_array();
}

void write_doubts(JsonWriter& json, const stats::Trace& trace, const stats::TracedExecution& e) {
  json.begin_array();
  if (trace.in_outage(e)) json.value("outage");
  if (e.contended) json.value("contended");
  if (e.shared_host) json.value("shared-host");
  if (e.ambiguous) json.value("ambiguous");
  json.end_array();
}

std::optional<std::string_view> mark_name(stats::Mark mark) {
  switch (mark) {
    case stats::Mark::none: break;
    case stats::Mark::flip: return "flip";
    case stats::Mark::same_code_flip: return "same-code-flip";
  }
  return std::nullopt;
}

void write_execution(JsonWriter& json, const stats::Trace& trace, std::size_t number, std::size_t from) {
  const auto& e = trace.executions[number];
  json.begin_object();
  write_time(json.key("time"), e.time);
  json.field("status", to_string(e.status));
  write_known(json.key("code"), trace.job(e).code);
  write_known(json.key("run_id"), trace.runs[e.run]);
  json.field("context", e.context).field("attempt", e.attempt).field("repetition", e.repetition);
  json.field("mark", mark_name(e.mark));
  const bool shown = e.compared_with && *e.compared_with >= from;
  json.field("compared_with", shown ? std::optional(*e.compared_with - from) : std::nullopt);
  write_doubts(json.key("doubts"), trace, e);
  json.field("first_try", e.first_try).field("unrecorded", e.unrecorded).field("known_flaky", e.known_flaky);
  json.field("quarantined", e.quarantined).field("sanitised", e.sanitised).field("partial", e.partial);
  json.end_object();
}

void write_trace(JsonWriter& json, const stats::Trace& trace, std::size_t history) {
  const std::size_t from = trace.executions.size() - std::min(history, trace.executions.size());
  json.begin_object().field("total", trace.executions.size());
  json.key("contexts").begin_array();
  for (const auto& context : trace.contexts) {
    json.begin_object();
    write_known(json.key("branch"), context.branch);
    json.field("environment", context.environment).field("default_branch", context.default_branch);
    json.end_object();
  }
  json.end_array().key("executions").begin_array();
  for (std::size_t i = from; i < trace.executions.size(); ++i) write_execution(json, trace, i, from);
  json.end_array().end_object();
}

std::vector<stats::Outage> outages_of(const stats::Trace& trace) {
  std::vector<stats::Outage> out;
  for (const auto& job : trace.jobs) {
    if (job.outage) out.push_back({job.lead_run, job.start, job.tests, job.failures, job.hit_rate, 0});
  }
  return out;
}

void write_messages(JsonWriter& json, const FailureMessages& messages) {
  json.begin_object().field("kinds", messages.kinds).field("failures", messages.failures);
  json.field("without_message", messages.without_message).key("clusters").begin_array();
  for (std::size_t i = 0; i < std::min(messages.clusters.size(), kMostClusters); ++i) {
    const auto& cluster = messages.clusters[i];
    json.begin_object().field("count", cluster.count);
    write_time(json.key("first_seen"), cluster.first_seen);
    write_time(json.key("last_seen"), cluster.last_seen);
    json.field("shape", cluster.shape).field("example", cluster.example).end_object();
  }
  json.end_array().end_object();
}

void write_spread(JsonWriter& json, const stats::Spread& spread) {
  if (spread.count == 0) {
    json.null();
    return;
  }
  json.begin_object().field("count", spread.count).field("median_ms", spread.median);
  json.field("lower_quartile_ms", spread.lower_quartile).field("upper_quartile_ms", spread.upper_quartile);
  json.end_object();
}

void write_count(JsonWriter& json, const stats::FailureCount& count) {
  json.begin_object().field("runs", count.runs).field("fails", count.fails).field("rate", count.rate()).end_object();
}

void write_pair(JsonWriter& json, const stats::KeyValue& pair) {
  json.field("key", pair.first);
  write_known(json.key("value"), pair.second);
}

void write_dimensions(JsonWriter& json, const stats::Associations& associations) {
  json.begin_array();
  for (std::size_t i = 0; i < std::min(associations.values.size(), kMostValues); ++i) {
    const auto& [pair, count] = associations.values[i];
    json.begin_object();
    write_pair(json, pair);
    json.field("runs", count.runs).field("fails", count.fails).field("rate", count.rate()).end_object();
  }
  json.end_array();
}

void write_associations(JsonWriter& json, const stats::Associations& associations) {
  json.begin_object().field("tested", associations.tested).key("found").begin_array();
  for (const auto& one : associations.found) {
    json.begin_object().key("values").begin_array();
    for (const auto& pair : one.values) {
      json.begin_object();
      write_pair(json, pair);
      json.end_object();
    }
    json.end_array();
    write_count(json.key("group"), one.group);
    write_count(json.key("rest"), one.rest);
    json.field("difference", one.difference).field("p_value", one.p_value).field("q_value", one.q_value);
    json.field("strength", one.strong ? "strong" : "candidate").end_object();
  }
  json.end_array().end_object();
}

void write_sanitised(JsonWriter& json, const std::map<std::string, std::uint64_t>& sanitised) {
  json.begin_array();
  for (const auto& [assumption, count] : sanitised) {
    json.begin_object().field("assumption", assumption).field("count", count).end_object();
  }
  json.end_array();
}

}  // namespace

std::string explain_json(const Explanation& found, const ExplainOptions& options) {
  JsonWriter json(options.json);
  json.begin_object().field("model", model_name(found.model));
  write_result(json.key("result"), found.score, found.model);
  json.key("reasons").begin_array();
  for (const auto& reason : explain_reasons(found)) json.value(reason.plain());
  json.end_array();
  write_first_tries(json.key("first_tries"), found.findings.first_tries);
  write_stretch(json.key("clean"), found.findings.clean);
  json.field("clean_rules_out_above", stats::ruled_out_above(found.findings.clean.runs));
  write_stretch(json.key("failing"), found.findings.failing);
  write_last_pass(json.key("last_pass"), found.findings.last_pass);
  write_failing_contexts(json.key("failing_in"), found.findings.failing_in);
  write_trace(json.key("history"), found.trace, options.history);
  write_outages(json.key("outages"), outages_of(found.trace));
  write_messages(json.key("messages"), found.messages);
  write_spread(json.key("pass_durations"), found.pass_durations);
  write_spread(json.key("fail_durations"), found.fail_durations);
  write_sanitised(json.key("sanitised"), found.sanitised);
  json.field("would_sanitise", found.would_sanitise);
  write_dimensions(json.key("dimensions"), found.associations);
  write_associations(json.key("associations"), found.associations);
  json.key("next").begin_object();
  write_strings(json.key("command"), found.next.command);
  json.field("why", found.next.why.plain());
  write_strings(json.key("tolerate"), found.next.tolerate);
  json.end_object();
  return json.end_object().finish();
}

}  // namespace flakestat::report
