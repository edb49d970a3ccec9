#include "report/score_json.hpp"

#include "model/identity.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

void write_identity(JsonWriter& json, const TestScore& test) {
  json.field("test_id", to_hex(test.test_id)).field("family_id", to_hex(test.family_id));
  json.field("suite", test.suite).field("class", test.class_name).field("name", test.name);
  write_known(json.key("file"), test.file);
}

void write_rates(JsonWriter& json, const TestScore& test, stats::Model model) {
  const bool bayes = model == stats::Model::bayes;
  json.field("verdict", to_string(test.verdict));
  json.field("score", test.score).field("lower_bound", test.lower_bound);
  json.field("confidence", to_string(test.confidence));
  json.field("p_flaky", bayes ? std::optional(test.p_flaky) : std::nullopt);
  json.field("p_broken", bayes ? std::optional(test.p_broken) : std::nullopt);
  json.field("rate", test.rate).field("flip_rate", test.flip_rate);
}

void write_counts(JsonWriter& json, const TestScore& test) {
  json.field("runs", test.runs).field("passes", test.passes).field("fails", test.fails).field("skips", test.skips);
  json.field("sanitised", test.sanitised).field("quarantined", test.quarantined);
  json.field("weak_flips", test.weak_flips).field("transitions", test.transitions);
  json.field("same_commit_flips", test.same_commit_flips).field("cross_commit_flips", test.cross_commit_flips);
  json.field("proofs", test.proofs).field("clean_runs", test.clean_runs);
  json.field("ruled_out_above", test.ruled_out_above);
  json.field("commits", test.commits).field("branches", test.branches);
}

void write_history(JsonWriter& json, const TestScore& test) {
  json.field("known_flaky", test.known_flaky);
  write_time(json.key("first_seen"), test.first_seen);
  write_time(json.key("last_seen"), test.last_seen);
  write_time(json.key("last_failure"), test.last_failure);
  json.field("possibly_fixed", test.possibly_fixed);
  write_strings(json.key("proof_run_ids"), test.proof_run_ids);
  write_strings(json.key("broken_lanes"), test.broken_lanes);
}

}  // namespace

std::string_view model_name(stats::Model model) { return model == stats::Model::bayes ? "bayes" : "flip-rate"; }

void write_result(JsonWriter& json, const TestScore& test, stats::Model model) {
  json.begin_object();
  write_identity(json, test);
  write_rates(json, test, model);
  write_counts(json, test);
  write_history(json, test);
  json.end_object();
}

void write_family(JsonWriter& json, const Family& family) {
  const auto& worst = family.worst();
  json.begin_object();
  json.field("family_id", to_hex(family.id)).field("suite", worst.suite).field("class", worst.class_name);
  json.field("name", family.name).field("verdict", to_string(worst.verdict));
  json.field("score", family.score).field("lower_bound", family.lower_bound);
  json.field("members", family.members.size()).field("runs", family.runs).field("passes", family.passes);
  json.field("fails", family.fails).field("skips", family.skips);
  json.key("test_ids").begin_array();
  for (const auto* member : family.members) json.value(to_hex(member->test_id));
  json.end_array().end_object();
}

void write_outages(JsonWriter& json, std::span<const stats::Outage> outages) {
  json.begin_array();
  for (const auto& outage : outages) {
    json.begin_object().field("run_id", outage.run_id);
    write_time(json.key("started"), outage.started);
    json.field("tests", outage.tests).field("failures", outage.failures).field("hit_rate", outage.hit_rate);
    json.end_object();
  }
  json.end_array();
}

void write_not_seen(JsonWriter& json, const Power& power) {
  if (power.stable_tests == 0 || power.clean_runs == 0) {
    json.null();
    return;
  }
  json.begin_object().field("stable_tests", power.stable_tests).field("median_clean_runs", power.clean_runs);
  json.field("ruled_out_above", ruled_out_above(power.clean_runs)).end_object();
}

void write_strings(JsonWriter& json, std::span<const std::string> texts) {
  json.begin_array();
  for (const auto& text : texts) json.value(text);
  json.end_array();
}

void write_time(JsonWriter& json, UnixMillis time) {
  if (time == 0) json.null();
  else json.value(format_utc(time));
}

void write_known(JsonWriter& json, std::string_view text) {
  if (text.empty()) json.null();
  else json.value(text);
}

}  // namespace flakestat::report
