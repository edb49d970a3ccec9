// Dots for the log of a GitHub workflow, groups for what need not be read, an annotation for what failed.
#include <utility>

#include "report/run_annotations.hpp"
#include "report/run_outputs.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

class GithubOutput final : public DotsOutput {
 public:
  using DotsOutput::DotsOutput;

 private:
  using DotsOutput::on;

  void on(const RunFinished& event) override {
    DotsOutput::on(event);
    command(run_annotations(record_, options_.path_prefix));
  }

  [[nodiscard]] std::string guarded(std::string_view text) const override { return text::defuse_workflow_lines(text); }

  [[nodiscard]] RunSummaryOptions summary_options() const override {
    auto summary = DotsOutput::summary_options();
    // Failures stay open: they are what the reader came for.
    summary.fold = [](std::string_view kind, const std::string& title, const std::string& body) {
      if (kind == "failure" || kind == "collection") return body;
      return "::group::" + text::escape_workflow_data(title) + "\n" + body + "::endgroup::\n";
    };
    return summary;
  }
};

}  // namespace

MadeOutput make_github_output(const RunRecord& record, RunOutputOptions options) {
  return std::make_unique<GithubOutput>(record, std::move(options));
}

}  // namespace flakestat::report
