#include <algorithm>

#include "report/init.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

std::string safe(std::string_view foreign) { return text::escape_terminal(foreign); }

class InitText {
 public:
  InitText(const InitOutcome& outcome, const text::Look& look) : outcome_(outcome), look_(look) {}

  std::string render() {
    for (const auto& found : outcome_.frameworks) framework(found);
    for (const auto& file : outcome_.files) line((outcome_.dry_run ? "would write " : "wrote ") + safe(file));
    ignored();
    for (const auto& note : outcome_.notes) line("note: " + safe(note));
    next();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  [[nodiscard]] std::string paint(std::string_view what, Tone tone) const {
    return text::paint(what, tone, look_.colour);
  }

  void framework(const InitFramework& found) {
    const auto place = found.folder.empty() ? std::string() : " in " + safe(found.folder);
    line(paint(found.framework, Tone::strong) + place + " (" + safe(found.evidence) + "): " + state(found));
    if (!found.command.empty()) line("  command  " + safe(quote_command(found.command)));
    if (!found.command.empty())
      line("  report   " + (found.junit.empty() ? "none: exit codes only" : safe(found.junit)));
    for (const auto& missing : found.missing) {
      line("  " + paint("missing", Tone::warning) + "  " + safe(missing.what));
      line("  do       " + safe(missing.install));
    }
    for (const auto& note : found.notes) line("  note     " + safe(note));
    if (found.state == ConfigState::shown) out_ += found.content;
  }

  [[nodiscard]] std::string state(const InitFramework& found) const {
    const auto config = safe(found.config);
    switch (found.state) {
      case ConfigState::written: return paint("wrote " + config, Tone::good);
      case ConfigState::shown: return "would write " + config;
      case ConfigState::kept: return config + " is there already and stays (--force overwrites it)";
      case ConfigState::not_chosen: return "not written; " + how_to_choose(found);
      case ConfigState::no_command: return "nothing to write yet";
    }
    return {};
  }

  [[nodiscard]] static std::string how_to_choose(const InitFramework& found) {
    if (!found.folder.empty()) return "for it: flakestat init --all, or flakestat init in that folder";
    return "to choose it: flakestat init --framework " + found.framework;
  }

  void ignored() {
    if (outcome_.ignore_file.empty()) return;
    line("");
    line(
        "commit .flakestat.json, and in the state folder the baseline and the quarantine list; not the log, the index");
    line("and the reports. " + safe(outcome_.ignore_file) + (outcome_.dry_run ? " would say so:" : " says so:"));
    for (const auto& ignored_line : outcome_.ignore_lines) line("  " + safe(ignored_line));
  }

  void next() {
    const auto written = [](const InitFramework& found) {
      return found.state == ConfigState::written || found.state == ConfigState::shown;
    };
    const auto first = std::find_if(outcome_.frameworks.begin(), outcome_.frameworks.end(), written);
    if (first == outcome_.frameworks.end()) return;
    line("");
    for (const auto& missing : first->missing) line("first: " + safe(missing.install));
    const auto place = first->folder.empty() ? std::string() : "cd " + safe(quote_command({first->folder})) + " && ";
    line("next:  " + place + "flakestat hunt");
  }

  const InitOutcome& outcome_;
  text::Look look_;
  std::string out_;
};

}  // namespace

std::string init_text(const InitOutcome& outcome, const text::Look& look) { return InitText(outcome, look).render(); }

}  // namespace flakestat::report
