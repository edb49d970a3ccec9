// What the newest run says.
#include <algorithm>
#include <set>

#include "rules/gate_items.hpp"
#include "rules/shortfall.hpp"

namespace flakestat::rules {
namespace {

// The present run when it is known and recorded: clocks may put it anywhere. A hunt beside the suite's runs is no run
// of the suite, so it stands in only where there is nothing else.
std::uint32_t newest_run(const RunBook& book, const GateOptions& options, bool& branch_unseen) {
  auto order = book.newest_first(options.branch);
  branch_unseen = order.empty() && !options.branch.empty();
  if (order.empty()) order = book.newest_first();
  const auto hunts =
      std::stable_partition(order.begin(), order.end(), [&](std::uint32_t run) { return !book.is_hunt(run); });
  if (hunts != order.begin()) order.erase(hunts, order.end());
  const auto present = std::find_if(order.begin(), order.end(), [&](std::uint32_t run) {
    return !options.run.empty() && book.runs()[run].id == options.run;
  });
  return present == order.end() ? order.front() : *present;
}

class Newest {
 public:
  Newest(const stats::Scores& scores, const ScoreIndex& index, const RunBook& book, const GateOptions& options,
         GateResult& result)
      : scores_(scores),
        index_(index),
        book_(book),
        options_(options),
        result_(result),
        number_(newest_run(book, options, result.branch_unseen)),
        run_(book.runs()[number_]),
        current_(book.current_parts(run_)),
        entries_(book.entries_of(run_)) {}

  void read() {
    name_run();
    result_.selected = true;
    for (const auto number : current_) read_part(book_.parts()[number]);
    count_tests();
    for (const auto test : find_shortfall(book_, number_)) add(result_.missing, test, std::nullopt);
    if (options_.new_tests) find_unproven(*options_.new_tests);
    if (options_.sanitised) find_sanitised(*options_.sanitised);
  }

 private:
  void name_run() {
    result_.newest.run_id = run_.id;
    result_.newest.branch = run_.branch;
    result_.newest.started = run_.newest;
    result_.newest.tests = entries_.size();
  }

  void read_part(const Part& part) {
    result_.damaged = result_.damaged || part.damaged;
    // A damaged report's cases are marked like selected ones: that is said in its own words.
    result_.selected = result_.selected && part.selected && !part.damaged;
    if (!part.outage) return;
    for (const auto& outage : scores_.outages) {
      if (outage.run_id == part.run_id && outage.started == part.started) result_.outages.push_back(outage);
    }
  }

  void count_tests() {
    std::vector<std::uint32_t> failing;
    for (const auto number : current_) {
      for (const auto& entry : book_.parts()[number].entries) {
        if (entry.failing() && (entry.marks & mark::kQuarantined) == 0) failing.push_back(entry.test);
      }
    }
    std::sort(failing.begin(), failing.end());
    failing.erase(std::unique(failing.begin(), failing.end()), failing.end());
    result_.newest.failing = failing.size();
    for (const auto test : failing) add(result_.failing, test, std::nullopt);
    for (const auto& entry : entries_) {
      result_.newest.sanitised += (entry.marks & mark::kSanitised) != 0;
      result_.newest.quarantined += (entry.marks & mark::kQuarantined) != 0;
    }
  }

  // First seen here, and not with the history itself: then every test would be new.
  void find_unproven(std::uint32_t needed) {
    const auto first_code = first_code_of_history();
    std::set<TestId> told;
    for (const auto& item : result_.quarantined) told.insert(item.test_id);
    for (const auto& entry : entries_) {
      const auto& past = book_.tests()[entry.test];
      const bool here = book_.runs()[past.first_run].branch == run_.branch && past.first_code != first_code;
      const bool tried = entry.executed() || (entry.marks & mark::kSanitised) != 0;
      if (!here || !tried || past.most_clean >= needed) continue;
      const bool excused = options_.excused.contains(past.id);
      if (excused && !told.insert(past.id).second) continue;
      add(excused ? result_.quarantined : result_.unproven, entry.test, past.most_clean);
    }
  }

  [[nodiscard]] std::uint32_t first_code_of_history() const {
    std::uint32_t first = book_.tests().front().first_code;
    for (const auto& past : book_.tests()) first = std::min(first, past.first_code);
    return first;
  }

  // In each of the test's last runs sanitised and in none of them really run.
  void find_sanitised(std::uint32_t runs) {
    std::unordered_map<std::uint32_t, std::uint32_t> in_a_row;
    for (const auto& entry : entries_) {
      if ((entry.marks & mark::kSanitised) != 0 && !entry.executed()) in_a_row.emplace(entry.test, 0);
    }
    auto open = in_a_row;
    for (const auto number : book_.newest_first()) {
      if (open.empty()) break;
      for (const auto& entry : book_.entries_of(book_.runs()[number])) {
        if (!open.contains(entry.test)) continue;
        const bool only_sanitised = (entry.marks & mark::kSanitised) != 0 && !entry.executed();
        if (!only_sanitised || ++in_a_row[entry.test] >= runs) open.erase(entry.test);
      }
    }
    for (const auto& entry : entries_) {
      const auto found = in_a_row.find(entry.test);
      if (found != in_a_row.end() && found->second >= runs) add(result_.sanitised, entry.test, found->second);
    }
  }

  void add(std::vector<GateItem>& items, std::uint32_t test, std::optional<std::uint64_t> count) {
    const auto* score = index_.find(book_.tests()[test].id);
    if (score == nullptr) return;  // --filter leaves it out
    auto item = item_of(*score);
    item.count = count;
    items.push_back(std::move(item));
  }

  const stats::Scores& scores_;
  const ScoreIndex& index_;
  const RunBook& book_;
  const GateOptions& options_;
  GateResult& result_;
  std::uint32_t number_;
  const Run& run_;
  std::vector<std::uint32_t> current_;  ///< parts that were not run again
  std::vector<Entry> entries_;
};

}  // namespace

void look_at_newest_run(const stats::Scores& scores, const ScoreIndex& index, const RunBook& book,
                        const GateOptions& options, GateResult& result) {
  if (book.runs().empty()) return;
  Newest(scores, index, book, options, result).read();
}

}  // namespace flakestat::rules
