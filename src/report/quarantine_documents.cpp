// The forms that no runner reads: YAML and JSON, in the predecessor's shapes.
#include <cstdio>

#include "model/identity.hpp"
#include "report/quarantine_reach.hpp"
#include "text/json_writer.hpp"
#include "text/pattern_quote.hpp"

namespace flakestat::report {
namespace {

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", value);
  return text;
}

}  // namespace

FormOutput yaml_form(const FormInput& input) {
  FormOutput out;
  out.document = "# Quarantined tests, worst first. Written by flakestat.\nversion: 1\nquarantined:";
  out.document += input.listed.empty() ? " []\n" : "\n";
  for (const auto* test : input.listed) {
    const auto field = [&](std::string_view key, const std::string& value) {
      out.document.append("    ").append(key).append(": ").append(value).append("\n");
    };
    out.document += "  - test_id: " + text::quote_yaml(to_hex(test->test_id)) + "\n";
    field("test", text::quote_yaml(display_name(*test)));
    field("name", text::quote_yaml(test->name));
    if (!test->file.empty()) field("file", text::quote_yaml(test->file));
    field("verdict", std::string(to_string(test->verdict)));
    field("score", four_digits(test->score));
    field("runs", std::to_string(test->runs));
    field("passes", std::to_string(test->passes));
    field("fails", std::to_string(test->fails));
  }
  out.entries = input.listed.size();
  return out;
}

FormOutput json_form(const FormInput& input) {
  FormOutput out;
  text::JsonWriter json;
  json.begin_object().field("version", 1).key("quarantined").begin_array();
  for (const auto* test : input.listed) {
    json.begin_object()
        .field("test_id", to_hex(test->test_id))
        .field("test", display_name(*test))
        .field("name", test->name);
    json.field("suite", test->suite).field("class", test->class_name).field("file", test->file);
    json.field("verdict", to_string(test->verdict)).field("score", test->score).field("lower_bound", test->lower_bound);
    json.field("runs", test->runs).field("passes", test->passes).field("fails", test->fails).end_object();
  }
  out.document = json.end_array().end_object().finish();
  out.entries = input.listed.size();
  return out;
}

}  // namespace flakestat::report
