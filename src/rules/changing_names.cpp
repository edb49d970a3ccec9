#include "rules/changing_names.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "model/identity.hpp"

namespace flakestat::rules {
namespace {

constexpr std::size_t kRunsForOneShape = 4;

using Names = std::unordered_map<TestId, const TestScore*>;

std::string shape_of(const TestScore& test) {
  return name_shape(test.suite) + '\0' + name_shape(test.class_name) + '\0' + name_shape(test.name);
}

struct Seen {
  std::size_t tests = 0;
  std::map<std::string, const TestScore*> once;  ///< shape -> a test that only this run has
  std::map<std::string, std::size_t> count;      ///< of those tests, by shape
};

class Comparison {
 public:
  Comparison(const RunBook& book, std::span<const TestScore> tests) : book_(book) {
    for (const auto& test : tests) names_.emplace(test.test_id, &test);
  }

  [[nodiscard]] Seen look_at(const Run& run) const {
    Seen seen;
    const auto entries = book_.entries_of(run);
    seen.tests = entries.size();
    for (const auto& entry : entries) {
      const auto* test = once(entry.test);
      if (test == nullptr) continue;
      const auto shape = shape_of(*test);
      seen.once.emplace(shape, test);
      ++seen.count[shape];
    }
    return seen;
  }

  [[nodiscard]] std::uint64_t seen_once(const std::set<std::string>& shapes) const {
    std::uint64_t count = 0;
    for (std::uint32_t test = 0; test < book_.tests().size(); ++test) {
      const auto* found = once(test);
      if (found != nullptr && shapes.contains(shape_of(*found))) ++count;
    }
    return count;
  }

 private:
  [[nodiscard]] const TestScore* once(std::uint32_t test) const {
    const auto& past = book_.tests()[test];
    const auto found = names_.find(past.id);
    return past.several_runs || found == names_.end() ? nullptr : found->second;
  }

  const RunBook& book_;
  Names names_;
};

// Runs of one kind: hunts compare names by themselves, and a run in another place may have other tests.
std::vector<const Run*> comparable_runs(const RunBook& book, const std::string& branch) {
  std::vector<const Run*> runs;
  std::set<std::uint32_t> lanes;
  for (const auto number : book.newest_first(branch)) {
    const auto& run = book.runs()[number];
    bool fits = runs.empty();
    bool hunt = false;
    for (const auto part : run.parts) {
      hunt = hunt || book.parts()[part].hunt;
      fits = fits || lanes.contains(book.parts()[part].lane);
    }
    if (hunt || !fits) continue;
    if (runs.empty()) {
      for (const auto part : run.parts) lanes.insert(book.parts()[part].lane);
    }
    runs.push_back(&run);
    if (runs.size() == kRunsForOneShape) break;
  }
  return runs;
}

using Shapes = std::set<std::string>;

// Shapes with a test of their own in each of these runs, and how many tests of the newest have a partner in the next.
struct Paired {
  Shapes shapes;
  std::size_t tests = 0;
};

Paired pair_up(std::span<const Seen> runs) {
  Paired paired;
  for (const auto& one : runs.front().count) {
    const std::string& shape = one.first;
    const auto has_it = [&shape](const Seen& run) { return run.count.contains(shape); };
    if (!std::all_of(runs.begin(), runs.end(), has_it)) continue;
    paired.tests += std::min(one.second, runs[1].count.at(shape));
    paired.shapes.insert(shape);
  }
  return paired;
}

Shapes changing_shapes(const std::vector<Seen>& runs) {
  auto paired = pair_up(std::span(runs).first(2));
  if (paired.tests > 0 && 2 * paired.tests >= runs.front().tests) return std::move(paired.shapes);
  if (runs.size() < kRunsForOneShape) return {};
  return pair_up(runs).shapes;
}

}  // namespace

std::optional<ChangingNames> find_changing_names(const RunBook& book, const std::string& branch,
                                                 std::span<const TestScore> tests) {
  const auto runs = comparable_runs(book, branch);
  if (runs.size() < 2) return std::nullopt;
  const Comparison comparison(book, tests);
  std::vector<Seen> seen;
  for (const auto* run : runs) seen.push_back(comparison.look_at(*run));
  const auto shapes = changing_shapes(seen);
  if (shapes.empty()) return std::nullopt;
  const auto& after = *seen[0].once.at(*shapes.begin());
  const auto& before = *seen[1].once.at(*shapes.begin());
  ChangingNames found{comparison.seen_once(shapes), display_name(before), display_name(after)};
  if (after.suite != before.suite) {
    found.before = before.suite;
    found.after = after.suite;
  }
  return found;
}

}  // namespace flakestat::rules
