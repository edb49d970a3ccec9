#include "formats/case_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace flakestat::formats {
namespace {

struct Entry {
  TestId id;
  std::uint32_t index;  // into cases
};

// A run of equal ids in the sorted entries; inside it document order.
using Group = std::span<const Entry>;

// Ids are digests, hence spread evenly: one counting pass over the leading bits leaves short stretches to sort.
std::vector<Entry> sorted_entries(std::span<const TestId> ids) {
  static constexpr unsigned kBits = 12;
  const auto bucket = [](TestId id) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(id) >> (64 - kBits));
  };
  std::vector<std::uint32_t> ends((std::size_t{1} << kBits) + 1);
  for (const auto id : ids) ++ends[bucket(id) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Entry> entries(ids.size());
  for (std::uint32_t i = 0; i < entries.size(); ++i) entries[ends[bucket(ids[i])]++] = {ids[i], i};
  auto begin = entries.begin();
  for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
    const auto end = entries.begin() + ends[b];
    std::sort(begin, end,
              [](const Entry& x, const Entry& y) { return x.id != y.id ? x.id < y.id : x.index < y.index; });
    begin = end;
  }
  return entries;
}

std::vector<Group> split_groups(std::span<const Entry> entries) {
  std::vector<Group> groups;
  for (std::size_t begin = 0; begin < entries.size();) {
    auto end = begin + 1;
    while (end < entries.size() && entries[end].id == entries[begin].id) ++end;
    groups.push_back(entries.subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

// Decides for groups with more than one case.
class Judge {
 public:
  Judge(std::span<const Case> cases, bool report_repeats) : cases_(cases), report_repeats_(report_repeats) {}

  // `equal`: every test of the group's suite, `tests` of them, occurs equally often.
  [[nodiscard]] Relation relation(Group group, bool equal, std::size_t tests) const {
    if (equal && (tests > 1 || report_repeats_ || agree(group))) return Relation::repetitions;
    if (all_but_last_failed(group)) return Relation::attempts;
    return names_are_unique(group) ? Relation::repetitions : Relation::ambiguous;
  }

 private:
  [[nodiscard]] Status status(const Entry& entry) const { return cases_[entry.index].status; }

  [[nodiscard]] bool agree(Group group) const {
    return std::all_of(group.begin(), group.end(), [&](const Entry& e) { return status(e) == status(group.front()); });
  }

  [[nodiscard]] bool all_but_last_failed(Group group) const {
    return std::all_of(group.begin(), group.end() - 1, [&](const Entry& e) { return is_failure(status(e)); });
  }

  // Go gives equal subtests a suffix (`#01`), so that an equal name is the same test again: `-count`.
  [[nodiscard]] bool names_are_unique(Group group) const {
    return cases_[group.front().index].properties.contains("go.version");
  }

  std::span<const Case> cases_;
  bool report_repeats_;
};

// A dense number for each suite name, case by case. Neighbours mostly share their suite.
class SuiteNumbers {
 public:
  std::uint32_t of(const std::string& suite) {
    if (last_ == nullptr || *last_ != suite) {
      last_ = &suite;
      number_ = numbers_.try_emplace(suite, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
    return number_;
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  const std::string* last_ = nullptr;
  std::uint32_t number_ = 0;
};

// How often the tests of one suite occur.
struct SuiteCounts {
  std::size_t tests = 0;
  std::size_t fewest = SIZE_MAX;
  std::size_t most = 0;

  void add(std::size_t cases) {
    ++tests;
    fewest = std::min(fewest, cases);
    most = std::max(most, cases);
  }
  [[nodiscard]] bool equally_often() const { return fewest == most; }
};

std::vector<Relation> judge_groups(std::span<const Case> cases, std::span<const Group> groups) {
  SuiteNumbers numbers;
  std::vector<std::uint32_t> suite_of(cases.size());
  std::transform(cases.begin(), cases.end(), suite_of.begin(), [&](const Case& c) { return numbers.of(c.suite); });
  std::vector<SuiteCounts> suites(numbers.size());
  SuiteCounts report;
  for (const auto& group : groups) {
    suites[suite_of[group.front().index]].add(group.size());
    report.add(group.size());
  }
  const Judge judge(cases, report.tests > 1 && report.equally_often());
  std::vector<Relation> relations(groups.size(), Relation::single);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].size() == 1) continue;
    const auto& suite = suites[suite_of[groups[i].front().index]];
    relations[i] = judge.relation(groups[i], suite.equally_often(), suite.tests);
  }
  return relations;
}

}  // namespace

std::vector<GroupPlace> group_cases(std::span<const Case> cases, std::span<const TestId> ids) {
  const auto entries = sorted_entries(ids);
  const auto groups = split_groups(entries);
  std::vector<Relation> relations(groups.size(), Relation::single);
  if (groups.size() < entries.size()) relations = judge_groups(cases, groups);
  std::vector<GroupPlace> places(cases.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    std::uint32_t ordinal = 0;
    for (const auto& entry : groups[g]) places[entry.index] = {relations[g], g, ordinal++};
  }
  return places;
}

}  // namespace flakestat::formats
