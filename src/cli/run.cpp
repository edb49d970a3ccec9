#include "cli/run.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/edit_distance.hpp"
#include "cli/exit_codes.hpp"
#include "cli/invocation.hpp"
#include "cli/process_world.hpp"
#include "cli/version.hpp"
#include "sys/standard_streams.hpp"

namespace flakestat::cli {
namespace {

int code_of(app::Ending ending) {
  switch (ending) {
    case app::Ending::done: return kExitOk;
    case app::Ending::failed: return kExitFailed;
    case app::Ending::worse: return kExitWorse;
    case app::Ending::damaged: return kExitDamaged;
    case app::Ending::missing: return kExitMissing;
  }
  const int own = static_cast<int>(ending) - app::kOwnCodes;
  return own >= 0 ? own : kExitInternal;
}

// The command that was probably meant by the first word, when that is none.
std::optional<std::string_view> meant_command(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return std::nullopt;
  const auto rest = app.remaining();
  if (rest.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return nearest_name(rest.front(), names);
}

// Help and version go to stdout and end well; everything else is a usage error with where to read on.
int end_parsing(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream talk;
  const int code = app.exit(error, out, talk);
  if (code == 0) {
    const auto text = out.str();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? kExitOk
                                                                                                       : kExitIo;
  }
  std::string command = "flakestat";
  for (const auto* chosen : app.get_subcommands()) command += " " + chosen->get_name();
  say(std::string("flakestat: ") + error.what());
  if (const auto meant = meant_command(app)) say("did you mean '" + std::string(*meant) + "'?");
  say("see '" + command + " -h'");
  return kExitUsage;
}

int perform(const Invocation& invocation) {
  const auto world = process_world(invocation);
  const auto ending = invocation.action(world);
  world.progress({});
  if (ending) return code_of(*ending);
  say("flakestat: " + ending.error().message);
  return exit_code(ending.error().kind);
}

int parse_and_perform(int argc, char** argv) {
  CLI::App app{"flakestat finds, measures, contains and tracks flaky tests, in any language.", "flakestat"};
  app.set_version_flag("--version", version_line(), "Print version, commit and compiler, and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.footer("'flakestat COMMAND -h' explains one command, with an example.");
  // Or `flakestat man report` would be two commands.
  app.require_subcommand(0, 1);
  Invocation invocation;
  add_init(app, invocation);
  add_hunt(app, invocation);
  add_run(app, invocation);
  add_ingest(app, invocation);
  add_inspect(app, invocation);
  add_report(app, invocation);
  add_explain(app, invocation);
  add_check(app, invocation);
  add_quarantine(app, invocation);
  add_ci_report(app, invocation);
  add_ledger(app, invocation);
  add_shard_verify(app, invocation);
  add_compact(app, invocation);
  add_config(app, invocation);
  add_completions(app, invocation);
  add_man(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_parsing(app, error);
  }
  if (!invocation.action) {
    say("flakestat: no command given");
    say("see 'flakestat -h'");
    return kExitUsage;
  }
  return perform(invocation);
}

}  // namespace

int run(int argc, char** argv) {
  sys::occupy_standard_streams();
  // A reader that went away is an error of the write, not the end of the process. Children get the default back.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return parse_and_perform(argc, argv);
  } catch (const std::exception& error) {
    say(std::string("flakestat: internal error: ") + error.what());
  }
  return kExitInternal;
}

}  // namespace flakestat::cli
