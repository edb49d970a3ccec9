// The generic adapter with real processes and nothing around it:
//   generic_run [--junit P] [--select S] [--id I] [--join J] [--reruns N] [--timeout MS] [--quarantine NAME] --
//   COMMAND...
// The command's output goes to standard error; standard output gets one line an event, its words parted by tabs:
//   note TEXT · test ID FATE STATUS... · reason TEXT · end END EXIT-CODE TESTS RERUNS
// It ends with the run's exit code; 64 and up where there was none.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "adapters/generic.hpp"
#include "run/report_file.hpp"

namespace {

using flakestat::RunEvent;

constexpr int kUsage = 64;

const char* word(flakestat::RunStatus status) {
  static constexpr std::array kWords{"passed", "failed", "error", "skipped", "xfailed", "xpassed"};
  return kWords[static_cast<std::size_t>(status)];
}

const char* word(flakestat::RunEnd end) {
  static constexpr std::array kWords{"ok", "tests_failed", "nothing_ran", "runner_failed", "interrupted"};
  return kWords[static_cast<std::size_t>(end)];
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  }
  return text;
}

class Lines final : public flakestat::RunSink {
 public:
  void take(const RunEvent& event) override {
    if (const auto* note = std::get_if<flakestat::RunNote>(&event)) line({"note", note->text});
    if (const auto* start = std::get_if<flakestat::RunStarted>(&event)) tests_ = start->tests;
    if (const auto* settled = std::get_if<flakestat::TestSettled>(&event)) {
      std::vector<std::string> words{"test", tests_[settled->test].id, flakestat::word(settled->fate)};
      for (const auto& attempt : settled->attempts) words.emplace_back(word(attempt.status));
      words.push_back(settled->attempts.back().message);
      line(words);
    }
    if (const auto* finish = std::get_if<flakestat::RunFinished>(&event)) {
      for (const auto& reason : finish->reasons) line({"reason", reason});
      line({"end", word(finish->end), std::to_string(finish->exit_code), std::to_string(tests_.size()),
            std::to_string(finish->totals.reruns)});
    }
  }

 private:
  static void line(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& each : words) text += (text.empty() ? "" : "\t") + one_line(each);
    std::puts(text.c_str());
    std::fflush(stdout);
  }
  std::vector<flakestat::RunTest> tests_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::map<std::string, std::string> flags;
  std::size_t at = 0;
  for (; at + 1 < arguments.size() && arguments[at] != "--"; at += 2) flags[arguments[at]] = arguments[at + 1];
  if (at >= arguments.size() || arguments[at] != "--") return kUsage;

  flakestat::adapters::GenericOptions options;
  options.run_id = "20260817T100000-000000";
  options.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1, arguments.end());
  options.junit = flags["--junit"];
  options.reruns.reruns = flags.contains("--reruns") ? std::atoi(flags["--reruns"].c_str()) : 2;
  if (flags.contains("--timeout")) options.timeout = std::chrono::milliseconds(std::atoi(flags["--timeout"].c_str()));
  if (flags.contains("--known")) {
    options.known = flakestat::adapters::KnownRun{std::stoul(flags["--known"]), true};
  }
  flakestat::run::SelectionFlags selection;
  if (flags.contains("--select")) selection.select = flags["--select"];
  if (flags.contains("--id")) selection.id = flags["--id"];
  if (flags.contains("--join")) selection.join = flags["--join"];
  auto selects = flakestat::run::selection_of(options.command, selection);
  if (!selects) return std::fprintf(stderr, "%s\n", selects.error().message.c_str()), kUsage;
  options.selection = *selects;

  auto signals = flakestat::sys::Signals::install();
  if (!signals) return kUsage;
  const flakestat::sys::SystemClock clock;
  flakestat::sys::Supervisor supervisor(clock, *signals);
  const auto quarantined = flags["--quarantine"];
  const flakestat::adapters::GenericHost host{
      supervisor,
      clock,
      *signals,
      flakestat::run::read_report_file,
      [&](const flakestat::RunTest& test) {
        flakestat::dispatch::TestPolicy policy;
        if (!quarantined.empty() && test.name == quarantined) policy.excuse = quarantined;
        return policy;
      },
      [](std::string_view bytes) {
        while (!bytes.empty()) {
          const auto written = ::write(STDERR_FILENO, bytes.data(), bytes.size());
          if (written <= 0) return;
          bytes.remove_prefix(static_cast<std::size_t>(written));
        }
      },
      [&] { return signals->first_signal(); },
      [&](std::chrono::milliseconds pause) { flakestat::adapters::pause_until_interrupted(*signals, clock, pause); }};
  Lines lines;
  const auto finished = flakestat::adapters::GenericRun(options, host, lines).run();
  if (!finished) return std::fprintf(stderr, "%s\n", finished.error().message.c_str()), kUsage;
  lines.take(*finished);
  return finished->exit_code;
}
