#include "report/run_record.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace flakestat::report {
namespace {

constexpr std::string_view kSeparator = "::";

struct Gather {
  RunRecord& record;

  void operator()(const RunStarted& event) const {
    record.started = event;
    record.settled.assign(event.tests.size(), std::nullopt);
    record.order.clear();
  }
  void operator()(const TestSettled& event) const {
    if (event.test >= record.settled.size()) return;
    if (!record.settled[event.test]) record.order.push_back(event.test);
    record.settled[event.test] = event;
  }
  void operator()(const WorkerLost& event) const { record.lost.push_back(event); }
  void operator()(const CollectionProblem& event) const { record.problems.push_back(event); }
  void operator()(const CollectionSkip& event) const { record.skips.push_back(event); }
  void operator()(const RunWarning& event) const { record.warnings.push_back(event); }
  void operator()(const RunnerText& event) const { record.texts.push_back(event.text); }
  void operator()(const RunNote& event) const { record.notes.push_back(event.text); }
  void operator()(const RunFinished& event) const { record.finished = event; }
  void operator()(const TestStarted&) const {}
  void operator()(const AttemptFinished&) const {}
};

// `tests/unit/a.py` -> `tests.unit.a`
std::string module_name(std::string_view path) {
  if (path.ends_with(".py")) path.remove_suffix(3);
  std::string out(path);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace

void RunRecorder::take(const flakestat::RunEvent& event) { std::visit(Gather{record_}, event); }

RunTest collection_test(const RunStarted& started, const std::string& id) {
  RunTest test;
  test.id = id;
  test.suite = started.tests.empty() ? "pytest" : started.tests.front().suite;
  test.file = id.substr(0, id.find(kSeparator));
  const auto last = id.rfind(kSeparator);
  if (last == std::string::npos) {
    test.class_name = test.suite;
    test.name = module_name(id);
  } else {
    test.name = id.substr(last + kSeparator.size());
    test.class_name = module_name(test.file);
    auto rest = last > test.file.size() ? id.substr(test.file.size() + 2, last - test.file.size() - 2) : std::string();
    for (auto at = rest.find(kSeparator); at != std::string::npos; at = rest.find(kSeparator)) rest.replace(at, 2, ".");
    if (!rest.empty()) test.class_name += "." + rest;
  }
  test.test_id = test_id(test.suite, test.class_name, test.name);
  return test;
}

}  // namespace flakestat::report
