// Dots for the log of a GitLab job; every failure is a section that folds.
#include <memory>
#include <utility>

#include "report/run_outputs.hpp"

namespace flakestat::report {
namespace {

class GitlabOutput final : public DotsOutput {
 public:
  using DotsOutput::DotsOutput;

 private:
  [[nodiscard]] RunSummaryOptions summary_options() const override {
    auto summary = DotsOutput::summary_options();
    const auto time = std::to_string((record_.started.started > 0 ? record_.started.started : 0) / 1000);
    // Escapes of the tests are shown, never sent: no section of theirs can begin.
    auto number = std::make_shared<int>(0);
    summary.fold = [time, number](std::string_view kind, const std::string& title, const std::string& body) {
      const bool open = kind == "failure" || kind == "collection";
      const auto name = "flakestat_" + std::string(kind) + "_" + std::to_string(++*number);
      return "\x1b[0Ksection_start:" + time + ":" + name + (open ? "" : "[collapsed=true]") + "\r\x1b[0K" + title +
             "\n" + body + "\x1b[0Ksection_end:" + time + ":" + name + "\r\x1b[0K\n";
    };
    return summary;
  }
};

}  // namespace

MadeOutput make_gitlab_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<GitlabOutput>(record, std::move(options));
}

}  // namespace flakestat::report
