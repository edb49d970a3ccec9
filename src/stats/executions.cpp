#include "stats/executions.hpp"

#include <map>
#include <optional>

namespace flakestat::stats {
namespace {

int badness(const Execution& e) {
  if (e.skipped) return 0;
  return e.failed ? 2 : 1;
}

Execution execution_of(const ObservationStore& store, std::uint32_t test, std::uint32_t record) {
  const Record& r = store.records[record];
  const Group& group = store.groups[r.group];
  const Status status = status_of(r);
  Execution out;
  out.test = test;
  out.record = record;
  out.branch = group.branch;
  out.skipped = status == Status::skip;
  out.failed = is_failure(status);
  out.first_try = (attempt_of(r, group) == 0 || group.hunt) && !r.partial;
  out.can_prove = !r.ambiguous && !r.contended && !r.shared_host;
  out.contended = r.contended;
  out.partial = r.partial;
  return out;
}

class Reader {
 public:
  Reader(const ObservationStore& store, std::uint32_t test, std::vector<Execution>& out)
      : store_(store), test_(test), out_(out), begin_(out.size()) {}

  void read(std::uint32_t record) {
    const Record& r = store_.records[record];
    Execution execution = execution_of(store_, test_, record);
    if (r.ambiguous && merged_into_earlier(execution)) return;
    if (r.known_flaky && !r.ambiguous && !execution.skipped && !execution.failed && !failed_before_) {
      add_unrecorded_failure(execution);
    }
    out_.push_back(execution);
    failed_before_ = failed_before_ || execution.failed;
  }

  void mark_first() {
    for (std::size_t i = begin_; i < out_.size(); ++i) {
      if (out_[i].skipped) continue;
      out_[i].first = true;
      return;
    }
  }

 private:
  // In a hunt every run is a report of its own, so only its own cases are ambiguous among themselves.
  bool merged_into_earlier(const Execution& execution) {
    const Record& r = store_.records[execution.record];
    const Group& group = store_.groups[r.group];
    const std::uint64_t report = group.hunt ? std::uint64_t{attempt_of(r, group)} + 1 : 0;
    const auto [slot, added] = ambiguous_.try_emplace(report, out_.size());
    if (added) return false;
    Execution& kept = out_[slot->second];
    if (badness(execution) > badness(kept)) kept = execution;
    failed_before_ = failed_before_ || execution.failed;
    return true;
  }

  void add_unrecorded_failure(Execution& pass) {
    Execution failure = pass;
    failure.failed = true;
    failure.unrecorded = true;
    pass.first_try = false;
    out_.push_back(failure);
    failed_before_ = true;
  }

  const ObservationStore& store_;
  std::uint32_t test_;
  std::vector<Execution>& out_;
  std::size_t begin_;
  std::map<std::uint64_t, std::size_t> ambiguous_;  ///< report -> its execution in out_
  bool failed_before_ = false;
};

// An outage of a burst is told from its first run: what a test did in it is no reason to think that the test disagrees
// with itself whatever befell the others. That it passed and failed in later runs is.
class Disagreements {
 public:
  Disagreements(const ObservationStore& store, std::span<Execution> executions)
      : store_(store), executions_(executions) {}

  void mark() {
    for (const auto& each : executions_) {
      if (!burst(each) || each.first || each.skipped || !each.can_prove) continue;
      auto& seen = seen_[*burst(each)];
      (each.failed ? seen.failed : seen.passed) = true;
    }
    for (auto& each : executions_) {
      const auto found = burst(each) ? seen_.find(*burst(each)) : seen_.end();
      each.disagrees = found != seen_.end() && found->second.passed && found->second.failed;
    }
  }

 private:
  struct Seen {
    bool passed = false;
    bool failed = false;
  };

  [[nodiscard]] std::optional<std::uint32_t> burst(const Execution& execution) const {
    const Group& group = store_.groups[store_.records[execution.record].group];
    return group.hunt ? std::optional(group.run) : std::nullopt;
  }

  const ObservationStore& store_;
  std::span<Execution> executions_;
  std::map<std::uint32_t, Seen> seen_;  ///< by the store's number of the run
};

}  // namespace

void read_executions(const ObservationStore& store, std::uint32_t test, std::span<const std::uint32_t> records,
                     std::vector<Execution>& out) {
  // Nearly always: one plain record.
  const Record& only = store.records[records.front()];
  if (records.size() == 1 && !only.known_flaky) {
    Execution& execution = out.emplace_back(execution_of(store, test, records.front()));
    execution.first = !execution.skipped;
    return;
  }
  const std::size_t begin = out.size();
  Reader reader(store, test, out);
  for (const std::uint32_t record : records) reader.read(record);
  reader.mark_first();
  Disagreements(store, std::span(out).subspan(begin)).mark();
}

}  // namespace flakestat::stats
