#include "adapters/pytest_controller.hpp"

#include <utility>

#include "text/json_writer.hpp"

namespace flakestat::adapters {
namespace {

text::JsonWriter command(const char* name) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("c", name);
  return json;
}

}  // namespace

Result<PytestController> PytestController::start(PytestStart start) {
  start.mode = PytestMode::controller;
  start.leader = false;
  const auto workers = static_cast<std::size_t>(start.workers);
  auto process = PytestWorker::start(start);
  if (!process) return process.error().with("start pytest");
  return PytestController(*std::move(process), workers);
}

void PytestController::add_polls(std::vector<pollfd>& polls) const {
  if (!ended()) process_.add_polls(polls);
}

void PytestController::step() {
  if (ended()) return;
  const auto end = process_.process().reap();
  do {
    auto messages = process_.receive();
    if (messages.empty()) break;
    for (auto& message : messages) {
      if (auto* input = std::get_if<PytestWorkerInput>(&message)) inputs_[input->worker] = std::move(input->data);
      else if (auto* text = std::get_if<RunnerText>(&message)) summary_ += text->text;
      else if (const auto* bye = std::get_if<PytestBye>(&message)) bye_ = bye->code;
    }
  } while (end);
  if (!process_.broken().empty() && !end) process_.process().kill();
  end_ = end;
}

std::string PytestController::input_of(const std::string& worker) const {
  const auto found = inputs_.find(worker);
  return found == inputs_.end() ? std::string() : found->second;
}

void PytestController::tell_collected(std::size_t count) {
  process_.say(command("collected").field("count", count).end_object().take());
}

void PytestController::tell_report(const std::string& worker, const std::string& data) {
  if (data.empty() || ended()) return;
  process_.say(command("report").field("worker", worker).key("data").raw(data).end_object().take());
}

void PytestController::tell_end(const std::string& worker, const std::string& output, const std::string& error) {
  auto json = command("worker");
  json.field("id", worker).key("output").raw(output.empty() ? "{}" : output).key("error");
  if (error.empty()) json.null();
  else json.value(error);
  process_.say(json.end_object().take());
}

void PytestController::finish(int code) {
  if (std::exchange(finishing_, true)) return;
  process_.say(command("finish").field("code", code).end_object().take());
}

}  // namespace flakestat::adapters
