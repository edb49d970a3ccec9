#include "stats/codes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "stats/bayes_state.hpp"

namespace flakestat::stats {
namespace {

// A code's first appearance on one branch; the order is that of time, ties by run_id.
struct Sighting {
  UnixMillis first = 0;
  std::string_view run;
  std::string_view branch;
  std::optional<std::uint64_t> run_number;  ///< smallest

  [[nodiscard]] auto when() const { return std::tie(first, run, branch); }
};

struct Code {
  std::string_view text;
  std::string_view run;  ///< only for a code without commit
  std::map<std::uint32_t, Sighting> branches;
  const Sighting* home = nullptr;
  std::uint32_t home_branch = 0;

  [[nodiscard]] auto when() const { return std::tuple(home->when(), text, run); }
};

// A code in its branch's sequence: ordered by the latest "when" up to it, so that a branch never overtakes itself.
struct Place {
  std::uint32_t code = 0;
  std::uint32_t latest = 0;  ///< the code whose first appearance counts
  std::size_t position = 0;
};

void see(Code& code, std::uint32_t branch, const Sighting& sighting) {
  const auto [slot, added] = code.branches.try_emplace(branch, sighting);
  Sighting& kept = slot->second;
  if (added) return;
  const auto number = kept.run_number && sighting.run_number ? std::min(kept.run_number, sighting.run_number)
                      : kept.run_number                      ? kept.run_number
                                                             : sighting.run_number;
  if (sighting.when() < kept.when()) kept = sighting;
  kept.run_number = number;
}

void settle_home(Code& code) {
  for (const auto& [branch, sighting] : code.branches) {
    if (code.home != nullptr && !(sighting.when() < code.home->when())) continue;
    code.home = &sighting;
    code.home_branch = branch;
  }
}

void order_branch(const std::vector<Code>& codes, std::vector<std::uint32_t>& branch) {
  const bool numbered =
      std::all_of(branch.begin(), branch.end(), [&](std::uint32_t c) { return codes[c].home->run_number.has_value(); });
  std::sort(branch.begin(), branch.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (numbered && codes[a].home->run_number != codes[b].home->run_number) {
      return codes[a].home->run_number < codes[b].home->run_number;
    }
    return codes[a].when() < codes[b].when();
  });
}

std::vector<Place> places(const std::vector<Code>& codes) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> branches;
  for (std::uint32_t c = 0; c < codes.size(); ++c) branches[codes[c].home_branch].push_back(c);
  std::vector<Place> out;
  for (auto& [branch, sequence] : branches) {
    order_branch(codes, sequence);
    std::uint32_t latest = sequence.front();
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (codes[latest].when() < codes[sequence[i]].when()) latest = sequence[i];
      out.push_back({sequence[i], latest, i});
    }
  }
  return out;
}

}  // namespace

Codes order_codes(const ObservationStore& store, const Batches& batches) {
  Codes out;
  out.of_group.assign(store.groups.size(), kNone);
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<Code> codes;
  for (std::size_t g = 0; g < store.groups.size(); ++g) {
    if (batches.groups[g].observations == 0) continue;
    const Group& group = store.groups[g];
    const std::string_view text = store.commits.text(group.code);
    const std::string_view run = store.runs.text(group.run);
    const std::uint64_t key = text.empty() ? std::uint64_t{1} << 32 | group.run : group.code;
    const auto [slot, added] = numbers.try_emplace(key, static_cast<std::uint32_t>(codes.size()));
    if (added) codes.push_back({text, text.empty() ? run : std::string_view{}, {}});
    see(codes[slot->second], group.branch,
        {batches.groups[g].first, run, store.branches.text(group.branch), batches.facts(group).run_number});
    out.of_group[g] = slot->second;
  }
  for (auto& code : codes) settle_home(code);
  auto sequence = places(codes);
  std::sort(sequence.begin(), sequence.end(), [&codes](const Place& a, const Place& b) {
    if (a.latest != b.latest) return codes[a.latest].when() < codes[b.latest].when();
    return a.position < b.position;
  });
  std::vector<std::uint32_t> rank(codes.size());
  for (std::uint32_t i = 0; i < sequence.size(); ++i) rank[sequence[i].code] = i;
  for (auto& code : out.of_group) {
    if (code != kNone) code = rank[code];
  }
  out.count = static_cast<std::uint32_t>(codes.size());
  return out;
}

}  // namespace flakestat::stats
