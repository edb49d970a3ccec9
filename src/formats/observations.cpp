#include "formats/observations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "formats/case_groups.hpp"
#include "formats/start_times.hpp"
#include "model/exec_key.hpp"
#include "model/identity.hpp"

namespace flakestat::formats {
namespace {

constexpr std::size_t kDigestedAtOnce = 4096;

// What the cases with equal properties share.
struct Environment {
  SharedDimensions properties;
  SharedDimensions dimensions;
  ReportKeys keys;
};

// Environments of a report: few, usually one; neighbours mostly share theirs.
class Environments {
 public:
  Environments(const ReportContext& context, bool has_timestamps)
      : context_(context), path_(has_timestamps ? std::string() : context.path) {}

  const Environment& of(const Case& c) {
    if (last_ != nullptr && last_->properties == c.properties) return *last_;
    const auto known =
        std::find_if(all_.begin(), all_.end(), [&](const Environment& e) { return e.properties == c.properties; });
    if (known != all_.end()) return *(last_ = &*known);
    // Bounded: hostile properties that differ in every case are not searched for again and again.
    if (all_.size() >= kMostRemembered) all_.clear();
    SharedDimensions dimensions(merge(merge(context_.detected, from_properties(c.properties)), context_.explicit_ones));
    ReportKeys keys(dimensions, path_, context_.digest);
    all_.push_back({c.properties, std::move(dimensions), std::move(keys)});
    return *(last_ = &all_.back());
  }

 private:
  static constexpr std::size_t kMostRemembered = 64;
  const ReportContext& context_;
  std::string path_;
  std::deque<Environment> all_;
  const Environment* last_ = nullptr;
};

std::optional<std::int64_t> whole_millis(std::optional<double> duration) {
  static constexpr double kMost = 9e15;
  if (!duration || !std::isfinite(*duration) || *duration < 0) return std::nullopt;
  return std::llround(std::min(*duration, kMost));
}

// Keys of a case that our own writer wrote: its last try carries one, the failed tries before it have those that the
// run gave them.
class OwnKeys {
 public:
  OwnKeys(const Case& c, const Observation& last_try) : case_(c), last_(last_try.attempt) {
    id_ = last_try.test_id;
    repetition_ = last_try.repetition;
    made_by_run_ = run_exec_key(c.run_id, repetition_, last_, id_) == c.exec_key;
  }

  [[nodiscard]] std::string key(std::int32_t attempt) const {
    if (attempt == last_) return case_.exec_key;
    return run_exec_key(made_by_run_ ? case_.run_id : case_.exec_key, repetition_, attempt, id_);
  }

 private:
  const Case& case_;
  std::int32_t last_;
  TestId id_{};
  std::int32_t repetition_ = 0;
  bool made_by_run_ = false;
};

// Turns case after case into observations, all in one object: what the report says once is set once.
class Converter {
  using TryCounters = ReportConversion::TryCounters;

 public:
  Converter(const JunitSummary& summary, const ReportContext& context, const ObservationSink& sink)
      : context_(context), sink_(sink), environments_(context, summary.has_timestamps) {
    o_.commit = context.commit;
    if (context.code != context.commit) o_.code = context.code;
    o_.branch = context.branch;
    o_.source = context.source;
    o_.partial = context.partial || summary.damage.has_value();
  }

  void convert(Case& c, TestId id, UnixMillis start, const GroupPlace& place, TryCounters counters) {
    set_shared(c, id, start, place);
    o_.attempt = place.relation == Relation::attempts ? static_cast<std::int32_t>(counters.attempts) : 0;
    if (c.exec_key.empty()) {
      const auto& environment = environments_.of(c);
      emit_tries(c, [&] { environment.keys.exec_key(id, counters.stored++, o_.exec_key); });
      return;
    }
    auto last_try = o_;
    last_try.attempt += static_cast<std::int32_t>(c.earlier.size());
    const OwnKeys own(c, last_try);
    emit_tries(c, [&] { o_.exec_key = own.key(o_.attempt); });
  }

 private:
  // What all tries of the case have in common.
  void set_shared(Case& c, TestId id, UnixMillis start, const GroupPlace& place) {
    const auto& environment = environments_.of(c);
    o_.ts = start;
    o_.run_id = c.run_id.empty() ? context_.run_id : c.run_id;
    o_.repetition = place.relation == Relation::repetitions ? static_cast<std::int32_t>(place.ordinal) : 0;
    o_.ambiguous = place.relation == Relation::ambiguous;
    o_.quarantined = c.quarantined;
    o_.test_id = id;
    o_.suite = std::move(c.suite);
    o_.class_name = std::move(c.class_name);
    o_.name = std::move(c.name);
    o_.file = std::move(c.file);
    if (!o_.dimensions.same_object(environment.dimensions)) o_.dimensions = environment.dimensions;
    if (c.exec_key.empty()) o_.artifact = environment.keys.artifact();
    else o_.artifact.clear();
  }

  template <class SetKey>
  void emit_tries(Case& c, const SetKey& set_key) {
    for (auto& attempt : c.earlier) emit_failed_try(attempt, set_key);
    set_key();
    o_.status = c.status;
    o_.message = std::move(c.message);
    o_.duration_ms = whole_millis(c.duration_ms);
    o_.known_flaky = c.known_flaky;
    sink_(o_);
    ++o_.attempt;
    for (auto& attempt : c.later) emit_failed_try(attempt, set_key);
  }

  template <class SetKey>
  void emit_failed_try(Attempt& attempt, const SetKey& set_key) {
    set_key();
    o_.status = attempt.status;
    o_.message = std::move(attempt.message);
    o_.duration_ms.reset();
    o_.known_flaky = false;
    sink_(o_);
    ++o_.attempt;
  }

  const ReportContext& context_;
  const ObservationSink& sink_;
  Environments environments_;
  Observation o_;
};

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

// A case without name and class cannot be told from any other: no test. Returns how many were taken out.
void drop_nameless(std::vector<Case>& cases, std::vector<std::string>& notes) {
  std::size_t failed = 0;
  const auto dropped = std::erase_if(cases, [&](const Case& c) {
    const bool nameless = c.name.empty() && c.class_name.empty();
    if (nameless && is_failure(c.status)) ++failed;
    return nameless;
  });
  if (dropped == 0) return;
  notes.push_back(counted(dropped, "case", "cases") + " without name and class left out, " + std::to_string(failed) +
                  " of them failed");
}

void note_ambiguous(std::span<const Case> cases, std::span<const GroupPlace> places, std::vector<std::string>& notes) {
  std::size_t tests = 0;
  const Case* first = nullptr;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (places[i].relation != Relation::ambiguous || places[i].ordinal != 0) continue;
    if (tests++ == 0) first = &cases[i];
  }
  if (tests == 0) return;
  notes.push_back(counted(tests, "name stands", "names stand") +
                  " for several cases whose relation is not known (first: " +
                  display_name(first->suite, first->class_name, first->name) + "); the worst result of each counts");
}

}  // namespace

ReportConversion::ReportConversion(std::vector<Case> cases, const JunitSummary& summary, const ReportContext& context,
                                   std::size_t threads)
    : summary_(summary), context_(context), cases_(std::move(cases)) {
  std::erase_if(cases_, [](const Case& c) { return c.not_run; });
  drop_nameless(cases_, notes_);
  ids_.resize(cases_.size());
  for_each_index((cases_.size() + kDigestedAtOnce - 1) / kDigestedAtOnce, threads, [&](std::size_t piece) {
    TestIdDigester digest;
    const auto end = std::min(cases_.size(), (piece + 1) * kDigestedAtOnce);
    for (auto i = piece * kDigestedAtOnce; i < end; ++i) {
      ids_[i] = digest(cases_[i].suite, cases_[i].class_name, cases_[i].name);
    }
  });
  places_ = group_cases(cases_, ids_);
  starts_ = start_times(cases_, {context.modified, context.now, context.local_offset_minutes}, notes_);
  note_ambiguous(cases_, places_, notes_);
  count_tries();
}

void ReportConversion::count_tries() {
  first_tries_.resize(cases_.size());
  std::vector<TryCounters> running(cases_.size());
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    auto& counters = running[places_[i].group];
    first_tries_[i] = counters;
    const auto tries = static_cast<std::uint32_t>(1 + cases_[i].earlier.size() + cases_[i].later.size());
    counters.stored += tries;
    counters.attempts += tries;
  }
}

void ReportConversion::convert(std::size_t begin, std::size_t end, const ObservationSink& sink) {
  Converter converter(summary_, context_, sink);
  for (auto i = begin; i < end; ++i) {
    converter.convert(cases_[i], ids_[i], starts_[i], places_[i], first_tries_[i]);
  }
}

std::vector<std::string> each_observation(std::vector<Case> cases, const JunitSummary& summary,
                                          const ReportContext& context, const ObservationSink& sink) {
  ReportConversion conversion(std::move(cases), summary, context);
  conversion.convert(0, conversion.size(), sink);
  return conversion.notes();
}

ReportObservations to_observations(std::vector<Case> cases, const JunitSummary& summary, const ReportContext& context) {
  ReportObservations result;
  result.observations.reserve(cases.size());
  result.notes = each_observation(std::move(cases), summary, context,
                                  [&](const Observation& o) { result.observations.push_back(o); });
  return result;
}

}  // namespace flakestat::formats
