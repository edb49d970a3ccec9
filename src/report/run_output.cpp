#include "report/run_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "report/run_outputs.hpp"
#include "report/run_words.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

struct Kind {
  std::string_view name;
  MadeOutput (*make)(const RunRecord&, RunOutputOptions);
};

MadeOutput make_dots_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<DotsOutput>(record, std::move(options));
}

constexpr std::array<Kind, 8> kKinds{{{"bar", make_bar_output},
                                      {"dots", make_dots_output},
                                      {"verbose", make_verbose_output},
                                      {"github", make_github_output},
                                      {"gitlab", make_gitlab_output},
                                      {"teamcity", make_teamcity_output},
                                      {"tap", make_tap_output},
                                      {"json", make_ndjson_output}}};

class ExtrasOutput final : public EventOutput {
 public:
  using EventOutput::EventOutput;

 private:
  using EventOutput::on;

  // The framework shows its own heading, which cannot name what is ours.
  void on(const RunStarted& started) override {
    if (started.shuffle_seed) say("flakestat: " + headline() + "\n");
  }

  void on(const RunFinished&) override {
    auto summary = summary_options();
    summary.extras_only = true;
    summary.notes = true;
    say_summary(summary);
  }
};

}  // namespace

void RunOutput::tick(UnixMillis) {}

std::span<const std::string_view> run_output_names() {
  static const auto names = [] {
    std::array<std::string_view, kKinds.size()> out;
    std::transform(kKinds.begin(), kKinds.end(), out.begin(), [](const Kind& kind) { return kind.name; });
    return out;
  }();
  return names;
}

std::unique_ptr<RunOutput> make_run_output(std::string_view name, const RunRecord& record, RunOutputOptions options) {
  if (name == "bar" && !options.live) name = "dots";
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& each) { return each.name == name; });
  return kind == kKinds.end() ? nullptr : kind->make(record, std::move(options));
}

std::unique_ptr<RunOutput> make_run_extras(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<ExtrasOutput>(record, std::move(options));
}

void EventOutput::take(const flakestat::RunEvent& event) {
  std::visit([this](const auto& one) { on(one); }, event);
}

std::string EventOutput::percent() const {
  const auto all = std::max<std::uint64_t>(all_tests(), 1);
  const auto share = std::to_string(settled_tests() * 100 / all);
  return "[" + std::string(share.size() < 3 ? 3 - share.size() : 0, ' ') + share + "%]";
}

std::string EventOutput::headline() const {
  const auto& started = record_.started;
  std::string out = counted(started.tests.size(), "test");
  if (started.workers > 0) out += ", " + counted(static_cast<std::uint64_t>(started.workers), "worker");
  if (started.deselected > 0) out += ", " + std::to_string(started.deselected) + " deselected";
  if (started.shuffle_seed) out += ", shuffled (--shuffle=" + std::to_string(*started.shuffle_seed) + ")";
  return out;
}

std::string EventOutput::loss_words(const WorkerLost& lost) const {
  std::string out = "gw" + std::to_string(lost.worker) + " died: " + lost.how;
  if (lost.test && knows(*lost.test)) out += " while running " + record_.test(*lost.test).id;
  return out + (lost.replaced ? "; replaced" : "; not replaced");
}

std::string EventOutput::guarded(std::string_view text) const {
  return options_.ci_log ? text::defuse_workflow_lines(text) : std::string(text);
}

RunSummaryOptions EventOutput::summary_options() const {
  RunSummaryOptions summary;
  summary.look = options_.look;
  summary.durations = options_.durations;
  summary.least_duration = options_.least_duration;
  summary.guard = [this](std::string_view text) { return guarded(text); };
  return summary;
}

}  // namespace flakestat::report
