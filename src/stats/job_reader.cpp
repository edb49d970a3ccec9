#include "stats/job_reader.hpp"

namespace flakestat::stats {

void read_job(const ObservationStore& store, const Timeline& timeline, const Job& job, Tallies& tallies,
              std::vector<Execution>& out) {
  out.clear();
  const std::span<const std::uint32_t> all(timeline.records);
  for (std::uint32_t first = job.begin; first < job.end;) {
    const std::uint32_t test = store.records[all[first]].test;
    std::uint32_t last = first + 1;
    while (last < job.end && store.records[all[last]].test == test) ++last;
    const auto records = all.subspan(first, last - first);
    const std::size_t before = out.size();
    read_executions(store, timeline.rank_of_test[test], records, out);
    tallies.add(job, records, std::span<const Execution>(out).subspan(before));
    first = last;
  }
}

}  // namespace flakestat::stats
