#include "formats/observations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>

#include "formats/case_groups.hpp"
#include "formats/start_times.hpp"
#include "model/exec_key.hpp"
#include "model/identity.hpp"

namespace flakestat::formats {
namespace {

// What the cases with equal properties share.
struct Environment {
  Dimensions properties;
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
    const auto known = std::find_if(all_.begin(), all_.end(),
                                    [&](const Environment& e) { return e.properties == c.properties; });
    if (known != all_.end()) return *(last_ = &*known);
    // Bounded: hostile properties that differ in every case are not searched for again and again.
    if (all_.size() >= kMostRemembered) all_.clear();
    SharedDimensions dimensions(
        merge(merge(context_.detected, from_properties(c.properties)), context_.explicit_ones));
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

// Counters that run over the observations of one identity.
struct GroupCounters {
  std::uint32_t stored = 0;    // ordinal of the next observation in the report
  std::uint32_t attempts = 0;  // next attempt, for cases that are attempts
};

class Converter {
 public:
  Converter(const JunitSummary& summary, const ReportContext& context)
      : context_(context),
        environments_(context, summary.has_timestamps),
        partial_(context.partial || summary.damage.has_value()) {}

  void convert(Case&& c, TestId id, UnixMillis start, const GroupPlace& place, GroupCounters& counters,
               std::vector<Observation>& out) {
    const auto& environment = environments_.of(c);
    auto base = make_base(c, id, start, place, environment);
    std::int32_t attempt = place.relation == Relation::attempts ? static_cast<std::int32_t>(counters.attempts) : 0;
    const auto tries = static_cast<std::int32_t>(c.earlier.size() + c.later.size()) + 1;
    const auto final_try = attempt + static_cast<std::int32_t>(c.earlier.size());
    const OwnKeys own(c, id, base.repetition, final_try);
    const auto add = [&](Observation&& o) {
      o.attempt = attempt++;
      o.exec_key = c.exec_key.empty() ? environment.keys.exec_key(id, counters.stored) : own.key(o.attempt);
      ++counters.stored;
      out.push_back(std::move(o));
    };
    for (auto& earlier : c.earlier) add(failed_try(base, earlier));
    const Observation template_for_later = c.later.empty() ? Observation{} : base;
    add(final_observation(std::move(base), c));
    for (auto& later : c.later) add(failed_try(template_for_later, later));
    counters.attempts += static_cast<std::uint32_t>(tries);
  }

 private:
  // Keys of a case that our own writer wrote: its last try carries one, the failed tries before it have those that the
  // run gave them.
  class OwnKeys {
   public:
    OwnKeys(const Case& c, TestId id, std::int32_t repetition, std::int32_t final_try)
        : case_(c), id_(id), repetition_(repetition), final_(final_try) {}

    [[nodiscard]] std::string key(std::int32_t attempt) const {
      if (attempt == final_) return case_.exec_key;
      const bool made_by_run = run_exec_key(case_.run_id, repetition_, final_, id_) == case_.exec_key;
      if (made_by_run) return run_exec_key(case_.run_id, repetition_, attempt, id_);
      return run_exec_key(case_.exec_key, 0, attempt, id_);
    }

   private:
    const Case& case_;
    TestId id_;
    std::int32_t repetition_;
    std::int32_t final_;
  };

  [[nodiscard]] Observation make_base(Case& c, TestId id, UnixMillis start, const GroupPlace& place,
                                      const Environment& environment) const {
    Observation o;
    o.ts = start;
    o.run_id = c.run_id.empty() ? context_.run_id : c.run_id;
    o.commit = context_.commit;
    if (context_.code != context_.commit) o.code = context_.code;
    o.branch = context_.branch;
    o.source = context_.source;
    o.repetition = place.relation == Relation::repetitions ? static_cast<std::int32_t>(place.ordinal) : 0;
    o.test_id = id;
    o.suite = std::move(c.suite);
    o.class_name = std::move(c.class_name);
    o.name = std::move(c.name);
    o.file = std::move(c.file);
    o.partial = partial_;
    o.ambiguous = place.relation == Relation::ambiguous;
    o.dimensions = environment.dimensions;
    if (c.exec_key.empty()) o.artifact = environment.keys.artifact();
    return o;
  }

  static Observation failed_try(const Observation& base, Attempt& attempt) {
    Observation o = base;
    o.status = attempt.status;
    o.message = std::move(attempt.message);
    return o;
  }

  static Observation final_observation(Observation&& o, Case& c) {
    o.status = c.status;
    o.message = std::move(c.message);
    o.duration_ms = whole_millis(c.duration_ms);
    o.known_flaky = c.known_flaky;
    return std::move(o);
  }

  const ReportContext& context_;
  Environments environments_;
  bool partial_;
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

ReportObservations to_observations(std::vector<Case> cases, const JunitSummary& summary,
                                   const ReportContext& context) {
  ReportObservations result;
  drop_nameless(cases, result.notes);
  std::vector<TestId> ids(cases.size());
  TestIdDigester digest;
  std::transform(cases.begin(), cases.end(), ids.begin(),
                 [&](const Case& c) { return digest(c.suite, c.class_name, c.name); });
  const auto places = group_cases(cases, ids);
  const auto starts = start_times(cases, {context.modified, context.now, context.local_offset_minutes}, result.notes);
  note_ambiguous(cases, places, result.notes);
  std::vector<GroupCounters> counters(cases.size());
  Converter converter(summary, context);
  result.observations.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    converter.convert(std::move(cases[i]), ids[i], starts[i], places[i], counters[places[i].group],
                      result.observations);
  }
  return result;
}

}  // namespace flakestat::formats
