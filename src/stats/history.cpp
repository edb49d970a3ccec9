#include <algorithm>
#include <string>
#include <utility>

#include "stats/bayes_model.hpp"
#include "stats/duplicates.hpp"
#include "stats/flip_rate_model.hpp"
#include "stats/history_impl.hpp"
#include "stats/observation_store.hpp"
#include "stats/scoring.hpp"
#include "stats/walk.hpp"

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

// What the order of rows looks at, so that sorting does not touch the rows themselves.
struct Row {
  double score;
  std::uint32_t index;
  Verdict verdict;
};

// Moves tests[rows[i].index] to position i, for all i, without a second vector of rows.
void arrange(std::vector<TestScore>& tests, std::vector<Row>& rows) {
  for (std::uint32_t start = 0; start < rows.size(); ++start) {
    if (rows[start].index == start) continue;
    TestScore first = std::move(tests[start]);
    std::uint32_t at = start;
    for (;;) {
      const std::uint32_t from = std::exchange(rows[at].index, at);
      if (from == start) break;
      tests[at] = std::move(tests[from]);
      at = from;
    }
    tests[at] = std::move(first);
  }
}

void sort_worst_first(std::vector<TestScore>& tests) {
  std::vector<std::string> names;
  std::vector<Row> rows;
  names.reserve(tests.size());
  rows.reserve(tests.size());
  for (const auto& test : tests) {
    rows.push_back({test.score, static_cast<std::uint32_t>(names.size()), test.verdict});
    names.push_back(display_name(test.suite, test.class_name, test.name));
  }
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    if (a.verdict != b.verdict) return a.verdict < b.verdict;
    if (a.score != b.score) return a.score > b.score;
    if (const int order = names[a.index].compare(names[b.index]); order != 0) return order < 0;
    return tests[a.index].test_id < tests[b.index].test_id;
  });
  arrange(tests, rows);
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

History::History() : impl_(std::make_unique<Impl>()) {}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

void History::add(const Observation& o) {
  std::vector<std::pair<std::string_view, std::string_view>> dimensions(o.dimensions.begin(), o.dimensions.end());
  const std::string raw = canonical(o.dimensions);
  ObservationView view;
  view.ts = o.ts;
  view.has_ts = o.ts != 0;
  view.run_id = o.run_id;
  view.commit = o.commit;
  view.code = o.code.empty() ? std::string_view(o.commit) : std::string_view(o.code);
  view.branch = o.branch;
  view.source = o.source;
  view.attempt = o.attempt;
  view.repetition = o.repetition;
  view.test_id = o.test_id;
  view.suite = o.suite;
  view.class_name = o.class_name;
  view.name = o.name;
  view.status = o.status;
  view.file = o.file;
  view.duration_ms = o.duration_ms;
  view.message = o.message;
  view.known_flaky = o.known_flaky;
  view.quarantined = o.quarantined;
  view.would_sanitise = o.would_sanitise;
  view.sanitised = !o.sanitised_assumption.empty();
  view.partial = o.partial;
  view.ambiguous = o.ambiguous;
  view.contended = o.contended;
  view.isolation = o.isolation;
  view.dimensions = dimensions;
  view.dimensions_raw = raw;
  view.artifact = o.artifact;
  view.exec_key = o.exec_key;
  add(view);
}

void History::add(const ObservationView& observation) { impl_->store.add(observation); }

Scores History::score(const ScoringOptions& options) const {
  const ObservationStore& store = impl_->store;
  Team team(static_cast<std::size_t>(std::clamp(options.threads, 1, kMostThreads)));
  const auto duplicates = find_duplicates(store);
  const Batches batches = survey(store, options, duplicates);
  const Timeline timeline = order_records(store, batches, options, team);
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

void History::walk(const ScoringOptions& options, JobVisitor& visitor) const {
  const ObservationStore& store = impl_->store;
  Team team(static_cast<std::size_t>(std::clamp(options.threads, 1, kMostThreads)));
  const Batches batches = survey(store, options, find_duplicates(store));
  const Timeline timeline = order_records(store, batches, options, team);
  walk_jobs({store, batches, timeline, options}, visitor);
}

}  // namespace flakestat::stats
