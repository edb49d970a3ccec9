// A live block at the bottom of a terminal; what happens is written above it.
#include <algorithm>
#include <utility>

#include "report/run_failure.hpp"
#include "report/run_live.hpp"
#include "report/run_outputs.hpp"
#include "report/run_words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

struct Running {
  std::size_t test = 0;
  int attempt = 0;
  int worker = 0;
  UnixMillis since = 0;
};

void count(RunTotals& totals, RunFate fate) {
  switch (fate) {
    case RunFate::passed: ++totals.passed; break;
    case RunFate::failed: ++totals.failed; break;
    case RunFate::error: ++totals.errors; break;
    case RunFate::skipped: ++totals.skipped; break;
    case RunFate::xfailed: ++totals.xfailed; break;
    case RunFate::xpassed: ++totals.xpassed; break;
    case RunFate::flaky: ++totals.flaky; break;
    case RunFate::quarantined: ++totals.quarantined; break;
  }
}

class BarOutput final : public EventOutput {
 public:
  using EventOutput::EventOutput;

  void tick(UnixMillis now) override {
    if (now_ == 0) begun_ = now;
    now_ = now;
    for (auto& one : running_) {
      if (one.since == 0) one.since = now;
    }
    if (!over_ && !options_.quiet) draw();
  }

 private:
  using EventOutput::on;

  void on(const RunStarted&) override {
    if (!options_.quiet) above(voice_line(headline()));
  }

  void on(const TestStarted& event) override {
    if (knows(event.test)) running_.push_back({event.test, event.attempt, event.worker, now_});
  }

  void on(const AttemptFinished& event) override {
    const auto at = std::find_if(running_.begin(), running_.end(), [&](const Running& one) {
      return one.test == event.test && one.attempt == event.attempt.attempt;
    });
    if (at != running_.end()) running_.erase(at);
  }

  void on(const TestSettled& event) override {
    if (!knows(event.test)) return;
    count(totals_, event.fate);
    if (event.fate != RunFate::failed && event.fate != RunFate::error) return;
    above(failure_text(record_.test(event.test), event, options_.look));
  }

  void on(const WorkerLost& event) override {
    std::erase_if(running_, [&](const Running& one) { return one.worker == event.worker; });
    above(voice_line(loss_words(event)));
  }

  void on(const CollectionProblem& event) override {
    std::string text = "--- ERROR collecting " + text::escape_terminal(event.id) + " ---\n";
    for (const auto& line : text::terminal_lines(event.details)) text += line + "\n";
    above(text + "\n");
  }

  void on(const RunNote& event) override { above(voice_line(event.text)); }

  void on(const RunFinished&) override {
    over_ = true;
    hide();
    auto summary = summary_options();
    summary.failures = false;
    say_summary(summary);
  }

  // The block makes room, and comes back below.
  void above(const std::string& text) {
    const bool shown = shown_;
    hide();
    say(text);
    if (shown) draw();
  }

  void hide() {
    if (shown_) options_.live("");
    shown_ = false;
  }

  void draw() {
    const auto size = options_.live_size ? options_.live_size() : LiveSize{options_.look.width, 0};
    options_.live(live_run_block(state(), {size.columns, options_.look.colour}, size.rows));
    shown_ = true;
  }

  [[nodiscard]] LiveRun state() const {
    LiveRun run;
    run.done = settled_tests();
    run.total = all_tests();
    run.totals = totals_;
    if (run.done > 0 && run.done < run.total && now_ > begun_) {
      const double left = static_cast<double>(run.total - run.done) / static_cast<double>(run.done);
      run.eta_ms = static_cast<std::int64_t>(static_cast<double>(now_ - begun_) * left);
    }
    for (const auto& one : running_) {
      const auto worker = record_.started.workers > 0 ? "gw" + std::to_string(one.worker) : std::string();
      run.running.push_back({worker, record_.test(one.test).id, one.attempt, one.since > 0 ? now_ - one.since : 0});
    }
    std::sort(run.running.begin(), run.running.end(), [](const auto& a, const auto& b) {
      return std::pair(a.worker.size(), a.worker) < std::pair(b.worker.size(), b.worker);
    });
    return run;
  }

  std::vector<Running> running_;
  RunTotals totals_;
  UnixMillis begun_ = 0;
  UnixMillis now_ = 0;
  bool shown_ = false;
  bool over_ = false;
};

}  // namespace

MadeOutput make_bar_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<BarOutput>(record, std::move(options));
}

}  // namespace flakestat::report
