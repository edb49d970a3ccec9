#include "dispatch/work_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace flakestat::dispatch {
namespace {

constexpr double kLeastSeconds = 1e-3;       // what a runner needs for a test that does nothing
constexpr double kMostSeconds = 1e9;         // sums stay finite
constexpr double kLeastChunkSeconds = 0.05;  // below this balance is invisible, and a fixture may cost more
// Parts of a worker's share of the whole.
constexpr double kSlowPart = 1.0 / 20;   // such a test decides when the run ends
constexpr double kWholePart = 1.0 / 10;  // files up to that are not cut beforehand
constexpr double kLeastPart = 1.0 / 40;  // chunks never get smaller than that

// Neighbours that were collected from one file, or tests that must meet.
struct Segment {
  std::vector<std::size_t> tests{};
  bool divisible = true;
  bool slow = false;   // holds a slow test, or is slow as a whole
  double seconds = 0;  // sum
  double slowest = 0;  // of one test; of bound tests their sum
};

// What binds a test to others; empty: nothing.
std::string_view bond_of(const ScheduledTest& test, Dist dist) {
  switch (dist) {
    case Dist::loadfile: return file_of(test.id);
    case Dist::loadscope: return scope_of(test.id);
    case Dist::loadgroup: return test.group;
    case Dist::load:
    case Dist::each: break;
  }
  return {};
}

class Planner {
 public:
  Planner(const std::vector<ScheduledTest>& tests, const Costs& costs, Dist dist, int workers, Start start)
      : tests_(tests), costs_(costs), dist_(dist), workers_(std::max(workers, 1)), start_(start) {}

  void plan(const std::vector<std::size_t>& chosen, std::vector<WorkUnit>& out) const {
    double total = 0;
    for (const auto test : chosen) total += costs_.of[test];
    const double share = total / workers_;
    auto segments = segments_of(chosen);
    if (reorders()) segments = split_at_slow_tests(std::move(segments), share);
    sort(segments);
    cut(segments, total, out);
  }

 private:
  [[nodiscard]] bool reorders() const { return start_ == Start::slow_first && costs_.known && workers_ > 1; }

  [[nodiscard]] std::vector<Segment> segments_of(const std::vector<std::size_t>& chosen) const {
    std::vector<Segment> segments;
    std::unordered_map<std::string_view, std::size_t> bound;
    std::string_view file;
    bool open = false;  // the last segment is of `file` and takes more
    for (const auto test : chosen) {
      const auto key = bond_of(tests_[test], dist_);
      if (!key.empty()) {
        const auto [place, is_new] = bound.try_emplace(key, segments.size());
        if (is_new) segments.push_back({.divisible = false});
        add(segments[place->second], test);
        open = false;
        continue;
      }
      if (!open || file_of(tests_[test].id) != file) segments.emplace_back();
      file = file_of(tests_[test].id);
      open = true;
      add(segments.back(), test);
    }
    return segments;
  }

  // Slow tests must begin early, but taking one out of its file costs the file's fixtures once more: only of large
  // files.
  [[nodiscard]] std::vector<Segment> split_at_slow_tests(std::vector<Segment> segments, double share) const {
    std::vector<Segment> out;
    for (auto& segment : segments) {
      if (!segment.divisible) segment.slowest = segment.seconds;
      segment.slow = segment.slowest >= kSlowPart * share;
      if (!segment.slow || !segment.divisible || segment.seconds <= kWholePart * share) {
        out.push_back(std::move(segment));
        continue;
      }
      out.emplace_back();
      for (const auto test : segment.tests) {
        const bool slow = costs_.of[test] >= kSlowPart * share;
        if (slow && !out.back().tests.empty()) out.emplace_back();
        out.back().slow = out.back().slow || slow;
        add(out.back(), test);
      }
    }
    return out;
  }

  void add(Segment& segment, std::size_t test) const {
    segment.tests.push_back(test);
    segment.seconds += costs_.of[test];
    segment.slowest = std::max(segment.slowest, costs_.of[test]);
  }

  // Durations waver: magnitudes keep neighbours together, and one run's order like the last one's.
  static int magnitude(const Segment& segment) { return std::ilogb(std::max(segment.slowest, kLeastChunkSeconds)); }

  void sort(std::vector<Segment>& segments) const {
    if (start_ == Start::as_given || workers_ == 1) return;
    const auto key = [this](const Segment& segment) {
      const bool exact = segment.slow || !segment.divisible;
      if (!reorders()) return std::tuple(!segment.divisible, segment.divisible ? 0.0 : segment.seconds);
      return std::tuple(segment.slow, exact ? segment.slowest : std::ldexp(1.0, magnitude(segment)));
    };
    std::stable_sort(segments.begin(), segments.end(),
                     [&key](const Segment& a, const Segment& b) { return key(a) > key(b); });
  }

  void cut(std::vector<Segment>& segments, double left, std::vector<WorkUnit>& out) const {
    const double share = left / workers_;
    const double least = std::max(costs_.known ? kLeastChunkSeconds : 0, kLeastPart * share);
    WorkUnit unit{.tests = {}, .divisible = true};
    double held = 0;
    const auto close = [&] {
      if (unit.tests.empty()) return;
      out.push_back(std::exchange(unit, {.tests = {}, .divisible = true}));
      left -= std::exchange(held, 0);
    };
    for (auto& segment : segments) {
      if (!segment.divisible || segment.slow) close();
      if (!segment.divisible) {
        left -= segment.seconds;
        out.push_back({std::move(segment.tests), false});
        continue;
      }
      const bool whole = segment.seconds <= kWholePart * share;
      double rest = segment.seconds;
      for (const auto test : segment.tests) {
        const double target = std::max(left / (2.0 * workers_), least);
        const bool at_border = test == segment.tests.front();
        if (at_border ? ends_at_border(held, rest, target) : !whole && ends_inside(held, costs_.of[test], rest, target))
          close();
        unit.tests.push_back(test);
        held += costs_.of[test];
        rest -= costs_.of[test];
      }
    }
    close();
  }

  // Whether a chunk that holds `held` seconds ends before a segment of `rest` seconds; before a test of one, of which
  // `rest` are left.
  static bool ends_at_border(double held, double rest, double target) {
    return held + rest > (held >= 0.5 * target ? 1.0 : 1.5) * target;
  }
  static bool ends_inside(double held, double cost, double rest, double target) {
    if (held + cost > 1.5 * target && held >= 0.5 * target) return true;
    return held >= target && held + rest > 1.5 * target;
  }

  const std::vector<ScheduledTest>& tests_;
  const Costs& costs_;
  Dist dist_;
  int workers_;
  Start start_;
};

bool is_known(const std::optional<double>& seconds) { return seconds && std::isfinite(*seconds) && *seconds >= 0; }

}  // namespace

std::optional<Dist> parse_dist(std::string_view word) {
  if (word == "load" || word == "worksteal") return Dist::load;
  if (word == "loadfile") return Dist::loadfile;
  if (word == "loadscope") return Dist::loadscope;
  if (word == "loadgroup") return Dist::loadgroup;
  if (word == "each") return Dist::each;
  return std::nullopt;
}

std::string_view file_of(std::string_view node_id) { return node_id.substr(0, node_id.find("::")); }

std::string_view scope_of(std::string_view node_id) {
  const auto file = file_of(node_id);
  if (file.size() == node_id.size()) return node_id;
  const auto names = node_id.substr(0, node_id.find('[', file.size()));
  return names.substr(0, names.rfind("::"));
}

Costs expected_costs(const std::vector<ScheduledTest>& tests) {
  std::vector<double> known;
  for (const auto& test : tests) {
    if (is_known(test.seconds)) known.push_back(std::clamp(*test.seconds, kLeastSeconds, kMostSeconds));
  }
  Costs costs{std::vector<double>(tests.size(), 1.0), !known.empty()};
  if (known.empty()) return costs;
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    costs.of[i] = is_known(tests[i].seconds) ? std::clamp(*tests[i].seconds, kLeastSeconds, kMostSeconds) : *middle;
  }
  return costs;
}

std::vector<WorkUnit> plan_units(const std::vector<ScheduledTest>& tests, const Costs& costs, Dist dist, int workers,
                                 Start start) {
  // What binds an urgent test to others draws those with it.
  std::unordered_set<std::string_view> urgent;
  for (const auto& test : tests) {
    if (test.urgent && !test.serial) urgent.insert(bond_of(test, dist));
  }
  urgent.erase(std::string_view{});
  std::vector<std::size_t> first;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (tests[i].serial) continue;
    const bool goes_first = tests[i].urgent || (!urgent.empty() && urgent.contains(bond_of(tests[i], dist)));
    (goes_first ? first : rest).push_back(i);
  }
  std::vector<WorkUnit> units;
  // Alone each, so that all workers begin with them; what is bound stays together.
  if (dist == Dist::load) {
    for (const auto test : first) units.push_back({.tests = {test}});
  } else {
    Planner(tests, costs, dist, workers, Start::as_given).plan(first, units);
  }
  Planner(tests, costs, dist, workers, start).plan(rest, units);
  return units;
}

}  // namespace flakestat::dispatch
