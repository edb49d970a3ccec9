// An event a line (docs/schema/run-events.schema.json).
#include <string>
#include <utility>

#include "report/run_json.hpp"
#include "report/run_outputs.hpp"
#include "report/score_json.hpp"

namespace flakestat::report {
namespace {

using text::JsonWriter;

constexpr int kVersion = 1;

JsonWriter begin(std::string_view event) {
  JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("event", event);
  return json;
}

class NdjsonOutput final : public EventOutput {
 public:
  using EventOutput::EventOutput;

 private:
  using EventOutput::on;

  void on(const RunStarted& event) override {
    auto json = begin("started");
    json.field("version", kVersion).field("run_id", event.run_id);
    write_strings(json.key("command"), event.command);
    write_time(json.key("started"), event.started);
    json.field("workers", event.workers).field("seed", event.shuffle_seed).field("partial", event.partial);
    json.field("tests", event.tests.size()).field("deselected", event.deselected);
    end(json);
    for (std::size_t i = 0; i < event.tests.size(); ++i) {
      auto test = begin("test");
      test.field("test", i);
      write_run_test(test, event.tests[i]);
      end(test);
    }
  }

  void on(const TestStarted& event) override {
    if (!knows(event.test)) return;
    auto json = of("test_started", event.test);
    json.field("attempt", event.attempt).field("worker", "gw" + std::to_string(event.worker));
    end(json);
  }

  void on(const AttemptFinished& event) override {
    if (!knows(event.test)) return;
    auto json = of("attempt", event.test);
    json.field("rerun_follows", event.rerun_follows);
    write_run_attempt(json.key("result"), event.attempt);
    end(json);
  }

  void on(const TestSettled& event) override {
    if (!knows(event.test)) return;
    auto json = of("settled", event.test);
    write_run_fate(json, event);
    json.field("attempts", event.attempts.size());
    end(json);
  }

  void on(const WorkerLost& event) override {
    auto json = begin("worker_lost");
    write_run_loss(json, event, record_.started.tests);
    end(json);
  }

  void on(const CollectionProblem& event) override {
    auto json = begin("collect_error");
    json.field("id", event.id).field("details", event.details);
    end(json);
  }

  void on(const CollectionSkip& event) override {
    auto json = begin("collect_skip");
    json.field("id", event.id).field("reason", event.reason);
    end(json);
  }

  void on(const RunWarning& event) override {
    auto json = begin("warning");
    write_known(json.key("id"), event.id);
    write_known(json.key("location"), event.location);
    json.field("message", event.message);
    end(json);
  }

  void on(const RunnerText& event) override {
    auto json = begin("runner_text");
    json.field("text", event.text);
    end(json);
  }

  void on(const RunNote& event) override {
    auto json = begin("note");
    json.field("text", event.text);
    end(json);
  }

  void on(const RunFinished& event) override {
    auto json = begin("finished");
    write_run_end(json, event, record_.problems.size());
    end(json);
  }

  [[nodiscard]] JsonWriter of(std::string_view event, std::size_t test) const {
    auto json = begin(event);
    json.field("test", test).field("id", record_.test(test).id);
    return json;
  }

  // The line may go to a CI system's log: `##[` stands in strings only, where an escape is the same.
  void end(JsonWriter& json) {
    auto line = json.end_object().finish();
    for (auto at = line.find("##"); at != std::string::npos; at = line.find("##", at)) line.replace(at, 1, "\\u0023");
    command(line);
  }
};

}  // namespace

MadeOutput make_ndjson_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<NdjsonOutput>(record, std::move(options));
}

}  // namespace flakestat::report
