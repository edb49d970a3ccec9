#include "stats/timeline.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

#include "stats/bayes_state.hpp"
#include "stats/codes.hpp"

namespace flakestat::stats {
namespace {

// Identity of a job before it has a place. `run` only where there is no CI.
struct JobKey {
  std::uint32_t code;
  std::uint32_t environment;
  std::uint32_t ci_job;
  std::uint32_t run;
  // NOLINTNEXTLINE(modernize-use-nullptr): the check misreads comparison with the literal 0
  auto operator<=>(const JobKey&) const = default;
};

struct KeyedJob {
  JobKey key;
  Job job;
};

struct JobList {
  std::vector<KeyedJob> jobs;
  std::vector<std::uint32_t> of_group;
};

JobList collect_jobs(const ObservationStore& store, const Batches& batches, const Codes& codes) {
  JobList out;
  out.of_group.assign(store.groups.size(), kNone);
  std::map<JobKey, std::uint32_t> numbers;
  for (std::size_t g = 0; g < store.groups.size(); ++g) {
    const Batch& batch = batches.groups[g];
    if (batch.observations == 0) continue;
    const Group& group = store.groups[g];
    const auto& facts = batches.facts(group);
    const bool has_commit = !store.commits.text(group.code).empty();
    const JobKey key{codes.of_group[g], facts.environment, facts.ci_job, facts.has_ci_run ? kNone : group.run};
    const auto [slot, added] = numbers.try_emplace(key, static_cast<std::uint32_t>(out.jobs.size()));
    if (added) out.jobs.push_back({key, {key.code, key.environment, 0, group.run, has_commit, 0, 0, 0}});
    Job& job = out.jobs[slot->second].job;
    out.of_group[g] = slot->second;
    if (batch.first != 0 && (job.start == 0 || batch.first < job.start)) job.start = batch.first;
    if (store.runs.text(group.run) < store.runs.text(job.lead_run)) job.lead_run = group.run;
    job.end += batch.observations;
  }
  return out;
}

// Counts, per code and environment, how often a job started after the window of the cell before it.
void number_generations(std::vector<KeyedJob*>& jobs, std::int64_t window) {
  UnixMillis cell_start = 0;
  const Job* before = nullptr;
  for (KeyedJob* keyed : jobs) {
    Job& job = keyed->job;
    const bool same = before != nullptr && before->code == job.code && before->environment == job.environment;
    job.generation = same ? before->generation : 0;
    if (same && cell_start != 0 && job.start - cell_start > window) ++job.generation;
    if (!same || cell_start == 0 || job.generation != before->generation) cell_start = job.start;
    before = &job;
  }
}

// Positions of `list.jobs` in fold order.
std::vector<std::uint32_t> place_jobs(JobList& list, const ObservationStore& store, const Batches& batches,
                                      std::int64_t window) {
  std::vector<KeyedJob*> order;
  for (auto& keyed : list.jobs) order.push_back(&keyed);
  const auto sort_by = [&](auto head) {
    std::sort(order.begin(), order.end(), [&](const KeyedJob* a, const KeyedJob* b) {
      if (const auto x = head(a->job), y = head(b->job); x != y) return x < y;
      const auto rest = [&](const KeyedJob* k) {
        return std::tuple(k->job.start, std::string_view(batches.ci_jobs[k->key.ci_job]),
                          store.runs.text(k->job.lead_run));
      };
      return rest(a) < rest(b);
    });
  };
  sort_by([](const Job& j) { return std::tuple(j.code, j.environment, std::uint32_t{0}); });
  number_generations(order, std::max<std::int64_t>(window, 0));
  sort_by([](const Job& j) { return std::tuple(j.code, j.generation, j.environment); });
  std::vector<std::uint32_t> place(list.jobs.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i] - list.jobs.data())] = i;
  }
  return place;
}

void rank_tests(const ObservationStore& store, Timeline& out) {
  out.test_of_rank.resize(store.tests.size());
  std::iota(out.test_of_rank.begin(), out.test_of_rank.end(), std::uint32_t{0});
  std::sort(out.test_of_rank.begin(), out.test_of_rank.end(),
            [&store](std::uint32_t a, std::uint32_t b) { return store.tests.id(a) < store.tests.id(b); });
  out.rank_of_test.resize(store.tests.size());
  for (std::uint32_t rank = 0; rank < out.test_of_rank.size(); ++rank) out.rank_of_test[out.test_of_rank[rank]] = rank;
}

// Sorts records of one job by test rank; equal ranks stay in the order given.
class RankSorter {
 public:
  explicit RankSorter(std::size_t tests) : bits_(static_cast<int>(std::bit_width(tests))) {}

  void sort(std::vector<std::uint64_t>& keyed) {
    if (keyed.size() < kRadixFrom) {
      std::sort(keyed.begin(), keyed.end());
      return;
    }
    for (int shift = 0; shift < bits_; shift += kDigitBits) pass(keyed, 32 + shift);
  }

 private:
  static constexpr std::size_t kRadixFrom = 256;
  static constexpr int kDigitBits = 8;
  static constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

  void pass(std::vector<std::uint64_t>& keyed, int shift) {
    std::array<std::uint32_t, kDigits> at{};
    for (const std::uint64_t key : keyed) ++at[key >> shift & (kDigits - 1)];
    std::uint32_t sum = 0;
    for (auto& count : at) sum += std::exchange(count, sum);
    other_.resize(keyed.size());
    for (const std::uint64_t key : keyed) other_[at[key >> shift & (kDigits - 1)]++] = key;
    keyed.swap(other_);
  }

  int bits_;
  std::vector<std::uint64_t> other_;
};

// Executions of one test in one job: repetition, attempt, exec_key, then content.
void sort_executions(const ObservationStore& store, std::span<std::uint32_t> records) {
  const auto less = [&store](std::uint32_t a, std::uint32_t b) {
    const Record& x = store.records[a];
    const Record& y = store.records[b];
    const auto place = [&store](const Record& r, std::uint32_t record) {
      const Group& group = store.groups[r.group];
      return std::tuple(repetition_of(r, group), attempt_of(r, group), store.exec_keys[record]);
    };
    const auto s = place(x, a);
    const auto t = place(y, b);
    return s != t ? s < t : store.content_less(a, b);
  };
  if (!std::is_sorted(records.begin(), records.end(), less)) std::sort(records.begin(), records.end(), less);
}

void sort_job(const ObservationStore& store, Timeline& timeline, const Job& job, RankSorter& sorter,
              std::vector<std::uint64_t>& keyed) {
  keyed.clear();
  for (std::uint32_t i = job.begin; i < job.end; ++i) {
    const std::uint32_t record = timeline.records[i];
    keyed.push_back(std::uint64_t{timeline.rank_of_test[store.records[record].test]} << 32 | record);
  }
  sorter.sort(keyed);
  std::uint32_t* const out = timeline.records.data() + job.begin;
  for (std::size_t i = 0; i < keyed.size(); ++i) out[i] = static_cast<std::uint32_t>(keyed[i]);
  for (std::size_t first = 0; first < keyed.size();) {
    std::size_t last = first + 1;
    while (last < keyed.size() && keyed[last] >> 32 == keyed[first] >> 32) ++last;
    if (last - first > 1) sort_executions(store, {out + first, last - first});
    first = last;
  }
}

// Jobs are dealt to the team as members become free: they differ in size, and none touches another.
void sort_jobs(const ObservationStore& store, Timeline& timeline, Team& team) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t) {
    RankSorter sorter(timeline.rank_of_test.size());
    std::vector<std::uint64_t> keyed;
    for (std::size_t j = next++; j < timeline.jobs.size(); j = next++) {
      sort_job(store, timeline, timeline.jobs[j], sorter, keyed);
    }
  };
  team.run(work);
}

// Deals the kept records out to their jobs.
void deal(const ObservationStore& store, const Batches& batches, const JobList& list,
          const std::vector<std::uint32_t>& place, Timeline& out) {
  out.jobs.resize(list.jobs.size());
  for (std::size_t j = 0; j < list.jobs.size(); ++j) out.jobs[place[j]] = list.jobs[j].job;
  std::uint32_t total = 0;
  for (Job& job : out.jobs) {
    job.begin = total;
    total += std::exchange(job.end, total);  // `end` held the count; now it is the next free place
  }
  out.records.resize(total);
  for (std::uint32_t record = 0; record < store.size(); ++record) {
    if (!batches.keeps(record)) continue;
    out.records[out.jobs[place[list.of_group[store.records[record].group]]].end++] = record;
  }
}

}  // namespace

Timeline order_records(const ObservationStore& store, const Batches& batches, const ScoringOptions& options,
                       Team& team) {
  Timeline out;
  const Codes codes = order_codes(store, batches);
  JobList list = collect_jobs(store, batches, codes);
  const auto place = place_jobs(list, store, batches, options.same_code_window_ms);
  rank_tests(store, out);
  deal(store, batches, list, place, out);
  sort_jobs(store, out, team);
  out.codes = codes.count;
  return out;
}

}  // namespace flakestat::stats
