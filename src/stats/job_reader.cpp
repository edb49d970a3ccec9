#include "stats/job_reader.hpp"

#include <algorithm>

namespace flakestat::stats {

void read_job(const ObservationStore& store, const Timeline& timeline, const Job& job, std::uint32_t begin,
              std::uint32_t end, Tallies& tallies, std::vector<Execution>& out) {
  const std::span<const std::uint32_t> all(timeline.records.data() + job.begin, job.end - job.begin);
  const auto rank = [&](std::uint32_t record) { return timeline.rank_of_test[store.records[record].test]; };
  const auto from = std::partition_point(all.begin(), all.end(), [&](std::uint32_t r) { return rank(r) < begin; });
  for (auto first = from; first != all.end();) {
    const std::uint32_t test = rank(*first);
    if (test >= end) return;
    const auto last = std::find_if(first + 1, all.end(), [&](std::uint32_t r) { return rank(r) != test; });
    const std::span records(first, last);
    const std::size_t before = out.size();
    read_executions(store, test, records, out);
    tallies.add(job, test, records, std::span<const Execution>(out).subspan(before));
    first = last;
  }
}

}  // namespace flakestat::stats
