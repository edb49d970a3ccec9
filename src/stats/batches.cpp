#include "stats/batches.hpp"

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "stats/context.hpp"

namespace flakestat::stats {
namespace {

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

std::string_view value_of(const Pairs& pairs, std::string_view key) {
  std::string_view out;
  for (const auto& [k, v] : pairs) {
    if (k == key) out = v;
  }
  return out;
}

std::string ci_job(const Pairs& pairs) {
  std::string out;
  for (const auto key : {dim::kCiRunId, dim::kCiJobId, dim::kCiAttempt, dim::kCiShard}) {
    out.append(value_of(pairs, key)).append(1, '\0');
  }
  return out;
}

// Texts numbered in ascending order.
class Ranks {
 public:
  void add(const std::string& text) { ranks_.try_emplace(text, 0); }
  std::vector<std::string> number() {
    std::vector<std::string> out;
    for (auto& [text, rank] : ranks_) {
      rank = static_cast<std::uint32_t>(out.size());
      out.push_back(text);
    }
    return out;
  }
  [[nodiscard]] std::uint32_t of(const std::string& text) const { return ranks_.at(text); }

 private:
  std::map<std::string, std::uint32_t> ranks_;
};

void survey_dimensions(const ObservationStore& store, const ScoringOptions& options, Batches& out) {
  Ranks environments;
  Ranks jobs;
  std::vector<std::pair<std::string, std::string>> texts;
  for (std::uint32_t i = 0; i < store.dimensions.size(); ++i) {
    const auto pairs = store.dimensions.pairs(i);
    texts.emplace_back(environment_key(pairs, options), ci_job(pairs));
    environments.add(texts.back().first);
    jobs.add(texts.back().second);
    auto& facts = out.dimensions.emplace_back();
    facts.has_ci_run = !value_of(pairs, dim::kCiRunId).empty();
    facts.run_number = number_in<std::uint64_t>(value_of(pairs, dim::kCiRunNumber));
  }
  out.environments = environments.number();
  out.ci_jobs = jobs.number();
  for (std::uint32_t i = 0; i < store.dimensions.size(); ++i) {
    out.dimensions[i].environment = environments.of(texts[i].first);
    out.dimensions[i].ci_job = jobs.of(texts[i].second);
  }
}

void count(const ObservationStore& store, std::uint32_t record, Batches& out) {
  const Record& r = store.records[record];
  Batch& batch = out.groups[r.group];
  const UnixMillis time = time_of(r, store.groups[r.group]);
  ++batch.observations;
  if (time != 0 && (batch.first == 0 || time < batch.first)) batch.first = time;
  out.test_kinds[r.test] |= status_of(r) == Status::skip ? kHasSkip : kHasRun;
}

}  // namespace

Batches survey(const ObservationStore& store, const ScoringOptions& options,
               const std::vector<std::uint32_t>& duplicates) {
  Batches out;
  survey_dimensions(store, options, out);
  out.groups.resize(store.groups.size());
  out.test_kinds.resize(store.tests.size());
  if (!duplicates.empty()) {
    out.dropped.resize(store.size());
    for (const std::uint32_t record : duplicates) out.dropped[record] = true;
  }
  for (std::uint32_t record = 0; record < store.size(); ++record) {
    if (out.keeps(record)) count(store, record, out);
  }
  return out;
}

}  // namespace flakestat::stats
