#include "report/run_junit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/junit_writer.hpp"
#include "model/exec_key.hpp"
#include "report/run_words.hpp"

namespace flakestat::report {
namespace {

using formats::JunitExtras;
using formats::JunitSuite;

// What a crash or a time-out is must be seen by tools that know nothing of ours.
std::string message_of(const RunAttempt& attempt) {
  const auto trouble = words_of(attempt.trouble);
  if (trouble.empty() || attempt.message.starts_with(trouble)) return attempt.message;
  return attempt.message.empty() ? std::string(trouble) : std::string(trouble) + ": " + attempt.message;
}

// The text of every part that failed; a teardown that failed after its test is not lost.
std::string details_of(const RunAttempt& attempt) {
  std::string out = attempt.details;
  for (const auto* phase : other_failures(attempt)) {
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
    out.append("\nat ").append(word(phase->phase)).append(":\n");
    out += phase->details.empty() ? phase->message : phase->details;
  }
  return out;
}

bool is_ours(std::string_view property) {
  return property.starts_with("flakestat.") || property == "flaky" || property == "quarantined" ||
         property == "sanitised";
}

void add_output(JunitExtras& extras, const RunAttempt& attempt, std::size_t attempts) {
  for (const auto& captured : attempt.captured) {
    const bool error = captured.title.find("stderr") != std::string::npos;
    auto& out = error ? extras.system_err : extras.system_out;
    out += "--- " + captured.title;
    if (attempts > 1) out += " (attempt " + std::to_string(attempt.attempt + 1) + ")";
    out += " ---\n" + captured.text;
    if (!captured.text.ends_with('\n')) out += '\n';
  }
}

std::string type_of(const RunAttempt& attempt) {
  if (attempt.status == RunStatus::xfailed) return "xfail";
  return std::string(code_of(attempt.trouble));
}

class Report {
 public:
  explicit Report(const RunRecord& record) : record_(record) {}

  std::string write() {
    const auto& tests = record_.started.tests;
    std::unordered_map<std::uint64_t, std::int64_t> seen;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      repetition_ = seen[static_cast<std::uint64_t>(tests[i].test_id)]++;
      add_test(tests[i], record_.settled[i]);
    }
    repetition_ = 0;
    for (const auto& problem : record_.problems) add_collection(problem.id, Status::error, problem.details);
    for (const auto& skip : record_.skips) add_collection(skip.id, Status::skip, skip.reason);
    if (suites_.empty()) static_cast<void>(suite(collection_test(record_.started, "").suite));
    return formats::write_junit({"flakestat run", std::move(suites_)});
  }

 private:
  JunitSuite& suite(const std::string& name) {
    const auto [at, added] = places_.try_emplace(name, suites_.size());
    if (added) {
      auto& made = suites_.emplace_back();
      made.name = name;
      made.run_id = record_.started.run_id;
      if (record_.started.started > 0) made.timestamp = record_.started.started;
      if (record_.started.shuffle_seed) {
        made.properties.emplace_back("flakestat.shuffle_seed", std::to_string(*record_.started.shuffle_seed));
      }
    }
    return suites_[at->second];
  }

  static Case named(const RunTest& test) {
    Case one;
    one.class_name = test.class_name;
    one.name = test.name;
    one.file = test.file;
    one.line = test.line;
    return one;
  }

  void add(const RunTest& test, Case one, JunitExtras extras) {
    auto& in = suite(test.suite);
    in.cases.push_back(std::move(one));
    in.extras.push_back(std::move(extras));
  }

  [[nodiscard]] std::string key(const RunTest& test, std::size_t attempt) const {
    return run_exec_key(record_.started.run_id, repetition_, static_cast<std::int64_t>(attempt), test.test_id);
  }

  void add_test(const RunTest& test, const std::optional<TestSettled>& settled) {
    if (!settled || settled->attempts.empty()) {
      add_not_run(test);
      return;
    }
    Case one = named(test);
    JunitExtras extras;
    if (settled->attempts.back().failing()) set_failed(test, *settled, one, extras);
    else set_ended_well(test, *settled, one, extras);
    add_properties(*settled, extras);
    for (const auto& attempt : settled->attempts) {
      if (attempt.failing()) add_output(extras, attempt, settled->attempts.size());
    }
    add(test, std::move(one), std::move(extras));
  }

  void add_not_run(const RunTest& test) {
    Case one = named(test);
    one.status = Status::skip;
    one.message = "not run";
    one.not_run = true;
    add(test, std::move(one), {});
  }

  static void set_result(const RunAttempt& attempt, Case& one, JunitExtras& extras) {
    one.status = status_of(attempt.status);
    if (one.status != Status::pass) {
      one.message = message_of(attempt);
      extras.details = details_of(attempt);
    }
    if (std::isfinite(attempt.seconds)) one.duration_ms = std::max(attempt.seconds, 0.0) * 1000;
    if (attempt.started > 0) one.started = attempt.started;
    extras.type = type_of(attempt);
  }

  // The first attempt is the failure, as Surefire has it.
  void set_failed(const RunTest& test, const TestSettled& settled, Case& one, JunitExtras& extras) const {
    const auto& attempts = settled.attempts;
    const auto first = std::find_if(attempts.begin(), attempts.end(), [](const auto& a) { return a.failing(); });
    set_result(*first, one, extras);
    one.exec_key = key(test, 0);
    one.quarantined = settled.fate == RunFate::quarantined;
    for (auto at = first + 1; at != attempts.end(); ++at) {
      if (!at->failing()) continue;
      one.later.push_back({status_of(at->status), message_of(*at)});
      extras.attempts.push_back(details_of(*at));
    }
  }

  void set_ended_well(const RunTest& test, const TestSettled& settled, Case& one, JunitExtras& extras) const {
    set_result(settled.attempts.back(), one, extras);
    for (const auto& attempt : settled.attempts) {
      if (!attempt.failing()) continue;
      one.earlier.push_back({status_of(attempt.status), message_of(attempt)});
      extras.attempts.push_back(details_of(attempt));
    }
    one.known_flaky = !one.earlier.empty();
    one.exec_key = key(test, one.earlier.size());
  }

  static void add_properties(const TestSettled& settled, JunitExtras& extras) {
    if (settled.fate == RunFate::flaky) extras.properties.emplace_back("flaky", "true");
    if (!settled.excuse.empty()) extras.properties.emplace_back("flakestat.excuse", settled.excuse);
    if (!settled.note.empty()) extras.properties.emplace_back("flakestat.note", settled.note);
    for (const auto& property : settled.attempts.back().properties) {
      if (!is_ours(property.first)) extras.properties.push_back(property);
    }
  }

  void add_collection(const std::string& id, Status status, const std::string& details) {
    const auto test = collection_test(record_.started, id);
    Case one = named(test);
    JunitExtras extras;
    one.status = status;
    one.message = status == Status::skip ? details : "collection failure";
    // A skipped file is no execution of anything.
    if (status == Status::skip) one.not_run = true;
    else one.exec_key = key(test, 0);
    if (status != Status::skip) extras.details = details;
    add(test, std::move(one), std::move(extras));
  }

  const RunRecord& record_;
  std::vector<JunitSuite> suites_;
  std::unordered_map<std::string, std::size_t> places_;
  std::int64_t repetition_ = 0;  ///< of tests with one identity, as the log has it
};

}  // namespace

std::string run_junit(const RunRecord& record) { return Report(record).write(); }

}  // namespace flakestat::report
