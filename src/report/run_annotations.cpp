#include "report/run_annotations.hpp"

#include "report/run_words.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kMostDetails = 4096;

struct Place {
  std::string file;
  std::optional<std::int64_t> line;
};

// The end of a traceback says more than its beginning; whole lines.
std::string last_part(const std::string& details) {
  std::string out;
  std::size_t size = 0;
  const auto lines = text::terminal_lines(details);
  auto first = lines.size();
  while (first > 0 && size + lines[first - 1].size() < kMostDetails) size += lines[--first].size() + 1;
  for (auto i = first; i < lines.size(); ++i) out += "\n" + lines[i];
  return out;
}

class Annotations {
 public:
  Annotations(const RunRecord& record, std::string_view prefix) : record_(record), prefix_(prefix) {}

  std::string write() {
    for (const auto& problem : record_.problems) {
      add("error", {collection_test(record_.started, problem.id).file, std::nullopt}, problem.id,
          "not collected: " + headline_of(problem) + last_part(problem.details));
    }
    for (const auto index : record_.order) {
      const auto fate = record_.settled[index]->fate;
      const bool failed = fate == RunFate::failed || fate == RunFate::error;
      if ((failed ? errors_ : warnings_) < kMostAnnotations) add_test(record_.test(index), *record_.settled[index]);
    }
    for (const auto& reason : record_.finished ? record_.finished->reasons : std::vector<std::string>{}) {
      add(record_.finished->exit_code == 0 ? "warning" : "error", {}, "flakestat", reason);
    }
    return std::move(out_);
  }

 private:
  void add_test(const RunTest& test, const TestSettled& settled) {
    if (settled.attempts.empty()) return;
    const auto& first = settled.attempts.front();
    const auto& last = settled.attempts.back();
    const Place place{test.file, test.line};
    switch (settled.fate) {
      case RunFate::failed:
      case RunFate::error: add("error", place, test.id, headline_of(last) + last_part(last.details)); break;
      case RunFate::quarantined:
        add("warning", place, test.id,
            "quarantined (" + settled.excuse + "): " + headline_of(last) + last_part(last.details));
        break;
      case RunFate::flaky:
        add("warning", place, test.id,
            "flaky, passed after " + counted(settled.attempts.size() - 1, "rerun") + ": " + headline_of(first));
        break;
      case RunFate::passed:
      case RunFate::skipped:
      case RunFate::xfailed:
      case RunFate::xpassed: break;
    }
  }

  void add(std::string_view kind, const Place& place, const std::string& title, const std::string& message) {
    if (++(kind == "error" ? errors_ : warnings_) > kMostAnnotations) return;
    out_.append("::").append(kind) += ' ';
    if (!place.file.empty()) {
      out_ += "file=" + property(prefix_ + place.file) + ",";
      if (place.line && *place.line > 0) out_ += "line=" + std::to_string(*place.line) + ",";
    }
    // The older form of commands is looked for anywhere in a line.
    out_ += "title=" + property(title) + "::" + text::defuse_log_commands(text::escape_workflow_data(message)) + "\n";
  }

  static std::string property(const std::string& value) {
    return text::defuse_log_commands(text::escape_workflow_property(value));
  }

  const RunRecord& record_;
  std::string prefix_;
  std::string out_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

}  // namespace

std::string run_annotations(const RunRecord& record, std::string_view prefix) {
  return Annotations(record, prefix).write();
}

}  // namespace flakestat::report
