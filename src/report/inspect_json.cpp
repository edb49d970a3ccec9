#include <utility>

#include "model/identity.hpp"
#include "report/inspect.hpp"
#include "report/score_json.hpp"
#include "text/json_writer.hpp"

namespace flakestat::report {
namespace {

using text::JsonStyle;
using text::JsonWriter;

constexpr std::size_t kKeptBytes = std::size_t{4} << 20;  // of one file's cases, to write them behind its counts
constexpr std::size_t kFlushBytes = std::size_t{64} << 10;

void write_case(JsonWriter& json, const Case& found) {
  json.begin_object();
  json.field("suite", found.suite).field("class", found.class_name).field("name", found.name);
  json.field("status", to_string(found.status)).field("duration_ms", found.duration_ms);
  write_known(json.key("file"), found.file);
  json.field("line", found.line).field("message", found.message).field("known_flaky", found.known_flaky);
  json.field("test_id", to_hex(test_id(found.suite, found.class_name, found.name)));
  json.end_object();
}

void write_counts(JsonWriter& json, const Counts& counts) {
  json.begin_object().field("tests", counts.tests).field("passed", counts.passed).field("failures", counts.failures);
  json.field("errors", counts.errors).field("skipped", counts.skipped).field("known_flaky", counts.known_flaky);
  json.end_object();
}

void write_damage(JsonWriter& json, const std::optional<formats::Damage>& damage) {
  json.field("damaged", damage.has_value());
  if (!damage) return;
  json.key("damage").begin_object().field("offset", damage->offset).field("line", damage->line);
  json.field("reason", damage->reason).end_object();
}

class InspectJson final : public InspectWriter {
 public:
  InspectJson(Sink sink, bool counts_only) : sink_(std::move(sink)), counts_only_(counts_only) {
    json_.begin_object().key("files").begin_array();
  }

  void begin_file(std::string_view file) override {
    json_.begin_object().field("file", file);
    kept_.clear();
    streaming_ = false;
  }

  void add_case(const Case& found) override {
    if (counts_only_) return;
    JsonWriter one(JsonStyle::compact);
    write_case(one, found);
    if (streaming_) {
      write_streamed(one.take());
    } else {
      kept_ += one.take();
      kept_ += '\n';  // none inside: compact JSON has no line ends
      if (kept_.size() > kKeptBytes) start_streaming();
    }
  }

  void end_file(const InspectOutcome& outcome) override {
    if (streaming_) json_.end_array();
    else write_format(outcome.error.empty());
    write_known(json_.key("encoding"), outcome.encoding);
    write_damage(json_, outcome.damage);
    if (!outcome.error.empty()) json_.field("error", outcome.error);
    write_counts(json_.key("counts"), outcome.counts);
    if (!counts_only_ && !streaming_) {
      json_.key("cases").begin_array();
      write_kept();
      json_.end_array();
    }
    json_.end_object();
    flush();
  }

  void finish() override {
    json_.end_array().end_object();
    sink_(json_.finish());
  }

 private:
  void write_format(bool is_report) { write_known(json_.key("format"), is_report ? "junit" : ""); }

  void start_streaming() {
    streaming_ = true;
    write_format(true);
    json_.key("cases").begin_array();
    write_kept();
  }

  void write_kept() {
    for (std::string_view rest = kept_; !rest.empty();) {
      const auto end = rest.find('\n');
      write_streamed(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    kept_.clear();
  }

  void write_streamed(std::string_view found) {
    json_.raw(found);
    if (json_.size() > kFlushBytes) flush();
  }

  void flush() { sink_(json_.take()); }

  Sink sink_;
  bool counts_only_;
  JsonWriter json_;
  std::string kept_;        // the current file's cases, a line each
  bool streaming_ = false;  // the current file's cases are being written
};

}  // namespace

std::unique_ptr<InspectWriter> inspect_json(Sink sink, const InspectOptions& options) {
  return std::make_unique<InspectJson>(std::move(sink), options.counts_only);
}

}  // namespace flakestat::report
