#include "app/replay_command.hpp"

#include <algorithm>
#include <chrono>

#include "run/hunt.hpp"
#include "run/placeholders.hpp"
#include "run/run_once.hpp"
#include "text/shell_word.hpp"

namespace flakestat::app {
namespace {

bool is_identifier(std::string_view name) {
  const bool digit_first = !name.empty() && name.front() >= '0' && name.front() <= '9';
  return !name.empty() && !digit_first && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// What the hunt told its runs, beside their argv and their variables.
run::HuntPlan plan_of(const store::HuntRecord& record) {
  run::HuntPlan plan;
  plan.junit = record.junit;
  plan.directory = record.directory;
  if (record.timeout_ms) plan.timeout = std::chrono::milliseconds(*record.timeout_ms);
  return plan;
}

}  // namespace

Result<sys::ChildSpec> replay_spec(const store::HuntRecord& record, const store::RecordedRun& run) {
  if (!run.command) {
    return Error{ErrorKind::missing, "the command of run " + std::to_string(run.run) + " of hunt " + record.run_id +
                                         " was not recorded: there were too many different ones"};
  }
  const auto& command = record.commands[*run.command];
  const auto plan = plan_of(record);
  sys::ChildSpec spec;
  spec.argv =
      command.filled ? command.argv : run::expand_command(command.argv, run.run, run::report_path(plan, run.run));
  spec.directory = record.directory;
  spec.limits.timeout = plan.timeout;
  spec.limits.grace = plan.grace;
  spec.limits.leak_wait = plan.leak_wait;
  for (const auto& variable : record.recorded) {
    if (variable.value) spec.environment.emplace_back(variable.name, *variable.value);
    else spec.unset.push_back(variable.name);
  }
  for (const auto& variable : record.variables) {
    spec.environment.emplace_back(variable.name, run::expand_run(variable.value.value_or(""), run.run));
  }
  return spec;
}

std::string replayed_report(const store::HuntRecord& record, int run) { return run::report_path(plan_of(record), run); }

std::string shell_line(const sys::ChildSpec& spec) {
  const bool plain = spec.unset.empty() && std::all_of(spec.environment.begin(), spec.environment.end(),
                                                       [](const auto& each) { return is_identifier(each.first); });
  std::string line = "cd -- " + text::shell_word(spec.directory) + " && ";
  if (!plain) line += "env ";
  for (const auto& name : spec.unset) line += "-u " + text::shell_word(name) + " ";
  for (const auto& [name, value] : spec.environment) {
    // The name bare: quoted it would be no assignment.
    line += plain ? name + "=" + (value.empty() ? "" : text::shell_word(value)) : text::shell_word(name + "=" + value);
    line += ' ';
  }
  return line + text::shell_words(spec.argv);
}

}  // namespace flakestat::app
