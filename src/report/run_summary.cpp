#include "report/run_summary.hpp"

#include <algorithm>

#include "report/run_failure.hpp"
#include "report/run_warnings.hpp"
#include "report/run_words.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

constexpr std::size_t kMostLostLines = 50;

struct Execution {
  double seconds = 0;
  std::size_t test = 0;
  const RunAttempt* attempt = nullptr;
};

std::vector<Execution> executions(const RunRecord& record) {
  std::vector<Execution> all;
  for (const auto index : record.order) {
    for (const auto& attempt : record.settled[index]->attempts) all.push_back({attempt.seconds, index, &attempt});
  }
  // Slowest first, in the order of collection where equal.
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    if (a.seconds != b.seconds) return a.seconds > b.seconds;
    return a.test != b.test ? a.test < b.test : a.attempt < b.attempt;
  });
  return all;
}

// A program that dies says why at its end.
std::string last_lines(const std::string& output) {
  const auto lines = text::terminal_lines(output);
  const auto skipped = lines.size() - std::min(lines.size(), kMostLostLines);
  std::string out = skipped > 0 ? "(" + counted(skipped, "line") + " before)\n" : "";
  for (auto i = skipped; i < lines.size(); ++i) out += lines[i] + "\n";
  return out;
}

class Summary {
 public:
  Summary(const RunRecord& record, const RunSummaryOptions& options)
      : record_(record), options_(options), look_(options.look) {}

  std::string write() {
    if (!options_.extras_only && options_.failures) {
      failures("ERRORS", RunFate::error);
      failures("FAILURES", RunFate::failed);
    }
    crashes();
    quarantined();
    flaky();
    if (!options_.extras_only) {
      warnings();
      plugins();
      durations();
      short_lines();
    }
    words();
    if (record_.finished) out_ += run_last_line(*record_.finished, look_);
    return done_ + guarded(out_);
  }

 private:
  [[nodiscard]] std::vector<std::size_t> with_fate(RunFate fate) const {
    std::vector<std::size_t> out;
    for (const auto index : record_.order) {
      if (record_.settled[index]->fate == fate) out.push_back(index);
    }
    return out;
  }

  void section(std::string_view title, Tone tone) { out_ += section_line(title, look_, tone) + "\n"; }

  [[nodiscard]] std::string guarded(const std::string& text) const {
    return options_.guard ? options_.guard(text) : text;
  }

  // A block that a CI system may fold.
  void block(std::string_view kind, const std::string& title, const std::string& body) {
    if (!options_.fold) {
      out_ += body;
      return;
    }
    done_ += guarded(out_);
    out_.clear();
    done_ += options_.fold(kind, guarded(text::escape_terminal(title)), guarded(body));
  }

  void failures(std::string_view title, RunFate fate) {
    const auto tests = with_fate(fate);
    const bool problems = fate == RunFate::error && !record_.problems.empty();
    if (tests.empty() && !problems) return;
    section(title, Tone::bad);
    if (problems) {
      for (const auto& problem : record_.problems) {
        std::string body =
            text::paint("--- ERROR collecting " + text::escape_terminal(problem.id) + " ---", Tone::bad, look_.colour);
        for (const auto& line : text::terminal_lines(problem.details)) body += "\n" + line;
        block("collection", "ERROR collecting " + problem.id, body + "\n\n");
      }
    }
    for (const auto index : tests) {
      const auto& test = record_.test(index);
      const auto* word = fate == RunFate::error ? "ERROR " : "FAILED ";
      block("failure", word + test.id, failure_text(test, *record_.settled[index], look_));
    }
  }

  void crashes() {
    if (record_.lost.empty()) return;
    section("crashes", Tone::bad);
    for (const auto& lost : record_.lost) {
      std::string title = "gw" + std::to_string(lost.worker) + " died: " + text::escape_terminal(lost.how);
      if (lost.test && *lost.test < record_.started.tests.size()) {
        title += " while running " + text::escape_terminal(record_.test(*lost.test).id);
      }
      std::string body = text::paint("--- " + title + " ---", Tone::bad, look_.colour);
      if (!lost.replaced) body += "  (not replaced)";
      block("crash", title, body + "\n" + last_lines(lost.output) + "\n");
    }
  }

  void quarantined() {
    const auto tests = with_fate(RunFate::quarantined);
    if (tests.empty()) return;
    section("quarantined failures (known-flaky, non-fatal)", Tone::warning);
    for (const auto index : tests) {
      const auto& test = record_.test(index);
      block("quarantined", "QUARANTINED " + test.id, failure_text(test, *record_.settled[index], look_));
    }
  }

  void flaky() {
    const auto tests = with_fate(RunFate::flaky);
    if (tests.empty()) return;
    section("flaky tests (passed after rerun)", Tone::warning);
    for (const auto index : tests) out_ += flaky_text(record_.test(index), *record_.settled[index], look_);
    out_ += "\n";
  }

  void warnings() {
    if (record_.warnings.empty()) return;
    section("warnings summary", Tone::warning);
    block("warnings", "warnings summary", warnings_text(record_.warnings) + "\n");
  }

  // A table of coverage, say: its sections have headings of their own.
  void plugins() {
    for (const auto& text : record_.texts) {
      for (const auto& line : text::terminal_lines(text)) out_ += line + "\n";
      out_ += "\n";
    }
  }

  void durations() {
    if (!options_.durations) return;
    const auto all = executions(record_);
    const auto wanted = *options_.durations == 0 ? all.size() : std::min(all.size(), *options_.durations);
    section(*options_.durations == 0 ? "slowest durations"
                                     : "slowest " + std::to_string(*options_.durations) + " durations",
            Tone::plain);
    std::size_t shown = 0;
    for (; shown < wanted && all[shown].seconds >= options_.least_duration; ++shown) duration_line(all[shown]);
    if (shown < wanted) {
      out_ += "(" + counted(wanted - shown, "duration") + " < " + fixed_seconds(options_.least_duration, 3) +
              "s left out)\n";
    }
    out_ += "\n";
  }

  void duration_line(const Execution& execution) {
    out_ += fixed_seconds(execution.seconds) + "s  " + text::escape_terminal(record_.test(execution.test).id);
    if (execution.attempt->attempt > 0) {
      out_ += "  (attempt " + std::to_string(execution.attempt->attempt + 1) + ")";
    }
    out_ += "\n";
  }

  void short_lines() {
    std::string lines;
    for (const auto& problem : record_.problems) {
      lines += short_line("ERROR", problem.id, headline_of(problem), look_);
    }
    for (const auto fate : {RunFate::error, RunFate::failed}) {
      for (const auto index : with_fate(fate)) {
        const auto& attempts = record_.settled[index]->attempts;
        const auto message = attempts.empty() ? std::string() : headline_of(attempts.back());
        lines += short_line(fate == RunFate::error ? "ERROR" : "FAILED", record_.test(index).id, message, look_);
      }
    }
    if (lines.empty()) return;
    section("short test summary info", Tone::strong);
    out_ += lines;
  }

  void words() {
    if (options_.notes) {
      for (const auto& note : record_.notes) out_ += voice_line(note);
    }
    if (!record_.finished) return;
    const auto tone = record_.finished->exit_code == 0 ? Tone::plain : Tone::bad;
    for (const auto& reason : record_.finished->reasons) {
      out_ += text::paint("flakestat: " + text::escape_terminal(reason), tone, look_.colour) + "\n";
    }
  }

  const RunRecord& record_;
  const RunSummaryOptions& options_;
  const text::Look& look_;
  std::string done_;  ///< guarded
  std::string out_;
};

Tone tone_of(const RunFinished& finished) {
  if (finished.exit_code != 0 || finished.end != RunEnd::ok) return Tone::bad;
  return finished.totals.flaky + finished.totals.quarantined + finished.totals.warnings > 0 ? Tone::warning
                                                                                            : Tone::good;
}

}  // namespace

std::string run_summary(const RunRecord& record, const RunSummaryOptions& options) {
  return Summary(record, options).write();
}

std::string run_last_line(const RunFinished& finished, const text::Look& look) {
  const auto line = totals_words(finished.totals) + " in " + seconds_words(finished.seconds);
  return text::paint(line, tone_of(finished), look.colour) + "\n";
}

}  // namespace flakestat::report
