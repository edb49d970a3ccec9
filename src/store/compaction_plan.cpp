#include "store/compaction_plan.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "store/block_pipeline.hpp"
#include "store/line_blocks.hpp"
#include "store/log_scanner.hpp"
#include "store/superseded.hpp"
#include "sys/file.hpp"

namespace flakestat::store {
namespace {

LineBlocks blocks_of(const LogBytes& log) {
  return LineBlocks([&log, offset = std::uint64_t{0}](char* buffer, std::size_t size) mutable {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, log.size - offset));
    auto count = sys::read_at(log.fd, buffer, wanted, offset, log.path);
    if (count) offset += *count;
    return count;
  });
}

class Planner {
 public:
  Planner(const LogBytes& log, ExecutionRule& rule) : log_(log), rule_(rule) {}

  Result<CompactionPlan> plan() {
    FLAKESTAT_TRY(survey());
    if (!fingerprints_.empty()) FLAKESTAT_TRY(look_at_damaged_reports());
    for (const auto number : rule_.duplicates()) cut(keyed_[number]);
    plan_.duplicates = plan_.cuts.size() - plan_.superseded;
    plan_.rejected = plan_.damaged.size();
    plan_.cuts.insert(plan_.cuts.end(), plan_.damaged.begin(), plan_.damaged.end());
    std::sort(plan_.cuts.begin(), plan_.cuts.end(),
              [](const LogRange& a, const LogRange& b) { return a.offset < b.offset; });
    return std::move(plan_);
  }

 private:
  void cut(const LogRange& range) { plan_.cuts.push_back(range); }

  template <class Visit>
  Result<void> each_record(const Visit& visit) {
    auto blocks = blocks_of(log_);
    ScannedBlock scanned;
    scanned.keeps_parts = true;
    LogScanner scanner;
    for (;;) {
      auto more = blocks.next(scanned.block);
      if (!more) return more.error();
      if (!*more) return {};
      scanner.scan(scanned);
      std::size_t record = 0;
      for (const auto& part : scanned.parts) {
        if (part.is_record) visit(scanned.records[record++], LogRange{part.offset, part.size});
      }
      on_block(scanned);
    }
  }

  // The account and the damaged pieces are taken in the first pass only.
  void on_block(ScannedBlock& scanned) {
    if (!first_pass_) return;
    for (const auto& part : scanned.parts) {
      if (!part.is_record) plan_.damaged.push_back({part.offset, part.size});
    }
    add(plan_.stats, std::move(scanned.stats));
    if (log_.on_block) log_.on_block();
  }

  void offer(const ObservationView& view, const LogRange& range) {
    if (view.exec_key.empty()) return;  // always counts
    keyed_.push_back(range);
    rule_.add(view);
  }

  Result<void> survey() {
    auto done = each_record([&](const ObservationView& view, const LogRange& range) {
      if (is_of_damaged_report(view)) fingerprints_.emplace(case_fingerprint(view), false);
      else offer(view, range);
    });
    first_pass_ = false;
    return done;
  }

  // As read_history does it, and before duplicates are looked for: a line of a whole report that is itself a duplicate
  // still supersedes, so what it supersedes must go with it.
  Result<void> look_at_damaged_reports() {
    FLAKESTAT_TRY(each_record([&](const ObservationView& view, const LogRange&) {
      if (is_of_damaged_report(view)) return;
      if (const auto found = fingerprints_.find(case_fingerprint(view)); found != fingerprints_.end())
        found->second = true;
    }));
    return each_record([&](const ObservationView& view, const LogRange& range) {
      if (!is_of_damaged_report(view)) return;
      if (!fingerprints_[case_fingerprint(view)]) return offer(view, range);
      ++plan_.superseded;
      cut(range);
    });
  }

  const LogBytes& log_;
  ExecutionRule& rule_;
  CompactionPlan plan_;
  std::vector<LogRange> keyed_;                           // by the rule's numbers
  std::unordered_map<std::uint64_t, bool> fingerprints_;  // of damaged reports; to: superseded
  bool first_pass_ = true;
};

}  // namespace

Result<CompactionPlan> plan_compaction(const LogBytes& log, ExecutionRule& rule) { return Planner(log, rule).plan(); }

Result<void> for_each_kept(const CompactionPlan& plan, std::uint64_t size,
                           const std::function<Result<void>(const LogRange&)>& visit) {
  std::uint64_t from = 0;
  for (const auto& cut : plan.cuts) {
    if (cut.offset > from) FLAKESTAT_TRY(visit({from, cut.offset - from}));
    from = cut.offset + cut.size;
  }
  if (size > from) FLAKESTAT_TRY(visit({from, size - from}));
  return {};
}

}  // namespace flakestat::store
