#include <algorithm>
#include <numeric>
#include <utility>

#include "stats/bayes_model.hpp"
#include "stats/duplicates.hpp"
#include "stats/flip_rate_model.hpp"
#include "stats/observation_store.hpp"
#include "stats/scoring.hpp"

namespace flakestat::stats {
namespace {

constexpr int kMostThreads = 16;

void write_names(const ObservationStore& store, std::uint32_t test, TestScore& out) {
  const auto names = store.tests.names(test);
  out.test_id = store.tests.id(test);
  out.suite = names.suite;
  out.class_name = names.class_name;
  out.name = names.name;
  out.file = names.file;
  const bool is_family = family_name(names.name).size() == names.name.size();
  out.family_id = is_family ? out.test_id : family_id(names.suite, names.class_name, names.name);
}

void sort_worst_first(std::vector<TestScore>& tests) {
  std::vector<std::string> names;
  for (const auto& test : tests) names.push_back(display_name(test.suite, test.class_name, test.name));
  std::vector<std::size_t> order(tests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const TestScore& x = tests[a];
    const TestScore& y = tests[b];
    if (x.verdict != y.verdict) return x.verdict < y.verdict;
    if (x.score != y.score) return x.score > y.score;
    if (names[a] != names[b]) return names[a] < names[b];
    return x.test_id < y.test_id;
  });
  std::vector<TestScore> sorted;
  sorted.reserve(tests.size());
  for (const std::size_t i : order) sorted.push_back(std::move(tests[i]));
  tests = std::move(sorted);
}

template <class Model>
std::vector<TestScore> score_tests(const Prepared& prepared, Model& model) {
  model.fold();
  std::vector<TestScore> out(prepared.timeline.test_of_rank.size());
  for (std::uint32_t rank = 0; rank < out.size(); ++rank) {
    TestScore& score = out[rank];
    write_names(prepared.store, prepared.timeline.test_of_rank[rank], score);
    model.write(rank, score);
    if (score.transitions > 0) {
      score.flip_rate = static_cast<double>(score.same_commit_flips + score.cross_commit_flips) / score.transitions;
    }
  }
  return out;
}

void write_proof_runs(const Prepared& prepared, const BayesModel& model, std::vector<TestScore>& tests) {
  const auto runs = model.proof_runs();
  std::vector<std::size_t> shown(prepared.store.runs.size(), runs.size());
  for (std::size_t rank = 0; rank < runs.size(); ++rank) {
    for (const std::uint32_t run : runs[rank]) {
      if (std::exchange(shown[run], rank) == rank) continue;
      tests[rank].proof_run_ids.emplace_back(prepared.store.runs.text(run));
    }
  }
}

}  // namespace

struct History::Impl {
  ObservationStore store;
};

History::History() : impl_(std::make_unique<Impl>()) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

void History::add(const ObservationView& observation) { impl_->store.add(observation); }

Scores History::score(const ScoringOptions& options) const {
  const ObservationStore& store = impl_->store;
  Team team(static_cast<std::size_t>(std::clamp(options.threads, 1, kMostThreads)));
  const auto duplicates = find_duplicates(store);
  const Batches batches = survey(store, options, duplicates);
  const Timeline timeline = order_records(store, batches, options);
  const Prepared prepared{store, batches, timeline, options};
  Scores out;
  out.duplicates = duplicates.size();
  out.observations = store.size() - duplicates.size();
  if (options.model == Model::bayes) {
    BayesModel model(prepared, team);
    out.tests = score_tests(prepared, model);
    write_proof_runs(prepared, model, out.tests);
    out.outages = model.outages();
    out.break_rate = model.break_rate();
  } else {
    FlipRateModel model(prepared);
    out.tests = score_tests(prepared, model);
  }
  // A test whose every line lost to an equal exec_key of another test was not seen at all.
  std::erase_if(out.tests, [](const TestScore& test) { return test.runs + test.skips == 0; });
  sort_worst_first(out.tests);
  return out;
}

}  // namespace flakestat::stats
