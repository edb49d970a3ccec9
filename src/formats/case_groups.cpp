#include "formats/case_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

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

bool equally_often(std::span<const Group> groups) {
  return std::all_of(groups.begin(), groups.end(), [&](Group g) { return g.size() == groups.front().size(); });
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

const std::string& suite_of(std::span<const Case> cases, Group group) { return cases[group.front().index].suite; }

std::vector<Relation> judge_groups(std::span<const Case> cases, std::vector<Group>& groups) {
  std::stable_sort(groups.begin(), groups.end(),
                   [&](Group a, Group b) { return suite_of(cases, a) < suite_of(cases, b); });
  const Judge judge(cases, groups.size() > 1 && equally_often(groups));
  std::vector<Relation> relations(groups.size(), Relation::single);
  for (std::size_t begin = 0; begin < groups.size();) {
    auto end = begin + 1;
    while (end < groups.size() && suite_of(cases, groups[end]) == suite_of(cases, groups[begin])) ++end;
    const auto suite = std::span<const Group>(groups).subspan(begin, end - begin);
    const bool equal = equally_often(suite);
    for (auto i = begin; i < end; ++i) {
      if (groups[i].size() > 1) relations[i] = judge.relation(groups[i], equal, suite.size());
    }
    begin = end;
  }
  return relations;
}

}  // namespace

std::vector<GroupPlace> group_cases(std::span<const Case> cases, std::span<const TestId> ids) {
  const auto entries = sorted_entries(ids);
  auto groups = split_groups(entries);
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
