#include "adapters/pytest_message.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/strings.hpp"

namespace flakestat::adapters {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostDepth = 64;
constexpr double kMostSeconds = 1e9;

std::string text_of(const object& from, std::string_view key) {
  std::string_view value;
  return from[key].get(value) == simdjson::SUCCESS ? std::string(value) : std::string();
}

// A part that is handed on as it is.
std::string json_of(const object& from, std::string_view key) {
  element value;
  return from[key].get(value) == simdjson::SUCCESS ? simdjson::minify(value) : std::string();
}

std::optional<std::int64_t> whole_of(const object& from, std::string_view key) {
  std::int64_t value = 0;
  if (from[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::optional<double> number_of(const element& value) {
  double number = 0;
  if (value.get(number) != simdjson::SUCCESS || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> number_of(const object& from, std::string_view key) {
  element value;
  return from[key].get(value) == simdjson::SUCCESS ? number_of(value) : std::nullopt;
}

std::size_t index_of(const object& from, std::string_view key) {
  const auto value = whole_of(from, key);
  return value && *value >= 0 ? static_cast<std::size_t>(*value) : 0;
}

std::vector<std::string> texts_of(const object& from, std::string_view key) {
  std::vector<std::string> out;
  array list;
  if (from[key].get(list) != simdjson::SUCCESS) return out;
  for (const auto each : list) {
    std::string_view value;
    if (each.get(value) == simdjson::SUCCESS) out.emplace_back(value);
    else out.emplace_back();
  }
  return out;
}

bool flag_of(const object& from, std::string_view key) {
  bool flag = false;
  return from[key].get(flag) == simdjson::SUCCESS && flag;
}

PytestHello read_hello(const object& from) {
  PytestHello hello;
  hello.pytest = text_of(from, "pytest");
  hello.python = text_of(from, "python");
  hello.rootdir = text_of(from, "rootdir");
  hello.cachedir = text_of(from, "cachedir");
  hello.invocation_dir = text_of(from, "invocation_dir");
  hello.plugins = texts_of(from, "plugins");
  hello.single = texts_of(from, "single");
  hello.controller = texts_of(from, "controller");
  object options;
  if (from["options"].get(options) != simdjson::SUCCESS) return hello;
  if (const auto maxfail = whole_of(options, "maxfail"))
    hello.maxfail = static_cast<int>(std::clamp<std::int64_t>(*maxfail, 0, 1 << 30));
  if (const auto reruns = whole_of(options, "reruns"))
    hello.reruns = static_cast<int>(std::clamp<std::int64_t>(*reruns, 0, 1 << 20));
  hello.reruns_delay = number_of(options, "reruns_delay");
  hello.only_rerun = texts_of(options, "only_rerun");
  hello.rerun_except = texts_of(options, "rerun_except");
  hello.numprocesses = text_of(options, "numprocesses");
  hello.dist = text_of(options, "dist");
  hello.collectonly = flag_of(options, "collectonly");
  if (const auto count = whole_of(options, "numprocesses")) hello.numprocesses = std::to_string(*count);
  hello.lastfailed = flag_of(options, "lastfailed");
  std::string_view suite;
  if (options["junit_suite_name"].get(suite) == simdjson::SUCCESS) hello.junit_suite_name = suite;
  hello.junit_prefix = text_of(options, "junit_prefix");
  return hello;
}

PytestMarks read_marks(const object& from) {
  PytestMarks marks;
  bool serial = false;
  marks.serial = from["serial"].get(serial) == simdjson::SUCCESS && serial;
  marks.group = text_of(from, "group");
  object flaky;
  if (from["flaky"].get(flaky) != simdjson::SUCCESS) return marks;
  auto& out = marks.flaky.emplace();
  if (const auto reruns = whole_of(flaky, "reruns"))
    out.reruns = static_cast<int>(std::clamp<std::int64_t>(*reruns, 0, 1 << 20));
  out.delay_seconds = number_of(flaky, "reruns_delay");
  out.only_rerun = texts_of(flaky, "only_rerun");
  out.rerun_except = texts_of(flaky, "rerun_except");
  return marks;
}

// `UserWarning: careful`, as pytest shows it.
RunWarning read_warning(const object& from) {
  const auto category = text_of(from, "category");
  const auto message = text_of(from, "message");
  return {text_of(from, "id"), text_of(from, "location"), category.empty() ? message : category + ": " + message};
}

PytestCollected read_collected(const object& from) {
  PytestCollected collected;
  collected.count = index_of(from, "count");
  collected.hash = text_of(from, "hash");
  collected.deselected = index_of(from, "deselected");
  collected.ids = texts_of(from, "ids");
  collected.files = texts_of(from, "files");
  array lines;
  if (from["lines"].get(lines) == simdjson::SUCCESS) {
    for (const auto each : lines) {
      std::int64_t line = 0;
      collected.lines.push_back(each.get(line) == simdjson::SUCCESS ? std::optional(line) : std::nullopt);
    }
  }
  object marks;
  if (from["marks"].get(marks) != simdjson::SUCCESS) return collected;
  for (const auto field : marks) {
    object mark;
    const auto index = number_in<std::size_t>(field.key);
    if (index && field.value.get(mark) == simdjson::SUCCESS) collected.marks.emplace_back(*index, read_marks(mark));
  }
  return collected;
}

RunPhase phase_of(std::string_view word) {
  if (word == "setup") return RunPhase::setup;
  if (word == "teardown") return RunPhase::teardown;
  return RunPhase::call;
}

std::optional<RunStatus> status_of(std::string_view word, RunPhase phase) {
  if (word == "failed") return phase == RunPhase::call ? RunStatus::failed : RunStatus::error;
  if (word == "skipped") return RunStatus::skipped;
  if (word == "xfailed") return RunStatus::xfailed;
  if (word == "xpassed") return RunStatus::xpassed;
  if (word == "passed") return RunStatus::passed;
  return std::nullopt;
}

bool read_phase(const object& from, RunAttempt& attempt) {
  PhaseResult phase;
  phase.phase = phase_of(text_of(from, "w"));
  const auto status = status_of(text_of(from, "o"), phase.phase);
  if (!status) return false;
  phase.status = *status;
  phase.message = text_of(from, "m");
  phase.details = text_of(from, "x");
  const auto subtest = text_of(from, "s");
  if (!subtest.empty()) phase.message = subtest + ": " + phase.message;
  attempt.phases.push_back(std::move(phase));
  return true;
}

void read_pairs(const object& from, std::string_view key, const std::function<void(std::string, std::string)>& take) {
  array list;
  if (from[key].get(list) != simdjson::SUCCESS) return;
  for (const auto each : list) {
    std::string_view first;
    std::string_view second;
    if (each.at(0).get(first) == simdjson::SUCCESS && each.at(1).get(second) == simdjson::SUCCESS)
      take(std::string(first), std::string(second));
  }
}

Result<PytestMessage> read_done(const object& from) {
  PytestDone done;
  const auto index = whole_of(from, "i");
  const auto number = whole_of(from, "a");
  if (!index || *index < 0 || !number || *number < 0 || *number > (1 << 20)) {
    return Error{ErrorKind::internal, "a result without a test"};
  }
  done.index = static_cast<std::size_t>(*index);
  auto& attempt = done.attempt;
  attempt.attempt = static_cast<int>(*number);
  if (const auto started = number_of(from, "t"))
    attempt.started = static_cast<UnixMillis>(std::clamp(*started, 0.0, 1e11) * 1000);
  array durations;
  if (from["d"].get(durations) == simdjson::SUCCESS) {
    for (const auto each : durations) attempt.seconds += std::clamp(number_of(each).value_or(0), 0.0, kMostSeconds);
  }
  array results;
  if (from["r"].get(results) == simdjson::SUCCESS) {
    for (const auto each : results) {
      object phase;
      if (each.get(phase) != simdjson::SUCCESS || !read_phase(phase, attempt)) {
        return Error{ErrorKind::internal, "a result that cannot be read"};
      }
    }
  }
  read_pairs(from, "c", [&](std::string title, std::string text) {
    attempt.captured.push_back({std::move(title), std::move(text)});
  });
  read_pairs(from, "p", [&](std::string name, std::string value) {
    attempt.properties.emplace_back(std::move(name), std::move(value));
  });
  decide(attempt);
  return PytestMessage(std::move(done));
}

int rank(RunStatus status) {
  switch (status) {
    case RunStatus::passed: return 0;
    case RunStatus::xpassed: return 1;
    case RunStatus::xfailed: return 2;
    case RunStatus::skipped: return 3;
    case RunStatus::error: return 4;
    case RunStatus::failed: return 5;
  }
  return 0;
}

}  // namespace

void decide(RunAttempt& attempt) {
  attempt.status = RunStatus::passed;
  for (const auto& phase : attempt.phases) {
    if (rank(phase.status) <= rank(attempt.status)) continue;
    attempt.status = phase.status;
    attempt.in = phase.phase;
    attempt.message = phase.message;
    attempt.details = phase.details;
  }
}

struct PytestReader::Impl {
  simdjson::dom::parser parser;
};

PytestReader::PytestReader() : impl_(std::make_unique<Impl>()) {}
PytestReader::~PytestReader() = default;
PytestReader::PytestReader(PytestReader&&) noexcept = default;

Result<PytestMessage> PytestReader::read(std::string_view line) {
  object from;
  if (impl_->parser.allocate(std::max<std::size_t>(line.size(), 1024), kMostDepth) != simdjson::SUCCESS ||
      impl_->parser.parse(line).get(from) != simdjson::SUCCESS) {
    return Error{ErrorKind::internal, "a line that is no message"};
  }
  const auto kind = text_of(from, "e");
  if (kind == "done") return read_done(from);
  if (kind == "hello") return PytestMessage(read_hello(from));
  if (kind == "collected") return PytestMessage(read_collected(from));
  if (kind == "collect_problem") return PytestMessage(CollectionProblem{text_of(from, "id"), text_of(from, "details")});
  if (kind == "collect_skip") return PytestMessage(CollectionSkip{text_of(from, "id"), text_of(from, "reason")});
  if (kind == "warning") return PytestMessage(read_warning(from));
  if (kind == "stop") return PytestMessage(PytestStop{text_of(from, "kind"), text_of(from, "why")});
  if (kind == "bye") {
    return PytestMessage(PytestBye{static_cast<int>(whole_of(from, "code").value_or(3)), json_of(from, "output")});
  }
  if (kind == "report") return PytestMessage(PytestReport{json_of(from, "data")});
  if (kind == "workerinput") return PytestMessage(PytestWorkerInput{text_of(from, "id"), json_of(from, "data")});
  if (kind == "summary") return PytestMessage(RunnerText{text_of(from, "text")});
  return Error{ErrorKind::internal, "a message of an unknown kind"};
}

}  // namespace flakestat::adapters
