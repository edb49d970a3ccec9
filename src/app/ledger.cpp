#include "store/ledger.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/commands.hpp"
#include "app/ledger_age.hpp"
#include "app/settings.hpp"
#include "base/glob.hpp"
#include "base/sha256.hpp"
#include "report/ledger.hpp"
#include "rules/ledger_history.hpp"
#include "store/ledger_codec.hpp"
#include "store/log_snapshot.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/glob.hpp"

namespace flakestat::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPredecessor = ".rstest_cache/flakes.json";
constexpr std::size_t kNameDigest = 16;
constexpr std::int64_t kDay = 86'400;

bool wants_json(const LedgerRequest& request) { return request.common.format.value_or("") == "json"; }

// What every subcommand needs: where the ledger is, and how long it remembers.
struct Place {
  std::string dir;
  store::LedgerOptions options;
};

Result<Place> place_of(const World& world, const LedgerRequest& request) {
  auto settings = resolve_settings(world, request.common);
  if (!settings) return settings.error();
  auto age = ledger_age(world);
  if (!age) return age.error();
  Place place;
  place.dir = std::move(settings->dir);
  place.options.age = *age;
  return place;
}

void note_all(const World& world, const std::vector<std::string>& notes) {
  for (const auto& note : notes) world.warn("flakestat: " + note);
}

Result<Ending> show(const World& world, const LedgerRequest& request, const Place& place) {
  const auto ledger = store::read_ledger(place.dir, place.options.age);
  if (!ledger) return ledger.error();
  note_all(world, ledger->notes());
  const auto& filter = request.common.filter;
  std::vector<report::LedgerRow> rows;
  for (const auto& [id, entry] : ledger->tests()) {
    if (!filter || filter_match(*filter, id)) rows.push_back({id, entry});
  }
  if (ledger->tests().empty())
    world.note("flakestat: the ledger in " + place.dir + " is empty: no run had flaky or failed tests");
  else if (rows.empty()) world.note("flakestat: --filter selects none of " + std::to_string(ledger->tests().size()));
  const auto table = report::rank_ledger(std::move(rows), request.top, place.options.age.retention / kDay);
  FLAKESTAT_TRY(
      world.out(wants_json(request) ? report::ledger_json(table) : report::ledger_table(table, look_of(world))));
  return Ending::done;
}

// Other ledgers, read one by one: one bad file never discards the others.
class LedgerFiles {
 public:
  LedgerFiles(const World& world, report::LedgerChange& change) : world_(world), change_(change) {}

  /// A file, a pattern, a folder `flakes.d`, or a state folder that has one.
  void take(const std::string& argument) {
    std::error_code unknown;
    if (fs::is_directory(argument, unknown)) return take_folder(argument);
    const auto found = sys::expand_glob(argument);
    if (!found) return reject(argument, found.error());
    for (const auto& note : found->notes) world_.note("flakestat: " + note);
    for (const auto& path : found->paths) take_file(path, {});
  }

  /// `name`: of the one run that a plain ledger becomes; empty: named by its content.
  void take_file(const std::string& path, const std::string& name) {
    const auto json = sys::read_file(path, store::kMostLedgerBytes);
    if (!json) return reject(path, json.error());
    const auto own = name.empty() ? "ledger:" + hex_prefix(sha256(*json), kNameDigest) : name;
    auto read = store::runs_of_ledger(*json, path, own);
    if (!read) return reject(path, read.error());
    take_runs(path, read->runs, read->plain);
  }

  [[nodiscard]] const LedgerRuns& runs() const { return runs_; }

  [[nodiscard]] Ending ending() const {
    if (!change_.missing.empty()) return Ending::missing;
    return change_.rejected.empty() ? Ending::done : Ending::damaged;
  }

 private:
  void take_folder(const std::string& path) {
    std::error_code unknown;
    const bool is_state = fs::is_directory(store::ledger_folder(path), unknown);
    if (!is_state && fs::exists(store::ledger_path(path), unknown)) return take_file(store::ledger_path(path), {});
    auto folder = store::read_ledger_folder(is_state ? store::ledger_folder(path) : path);
    if (!folder) return reject(path, folder.error());
    for (const auto& note : folder->notes) reject(path, {ErrorKind::damaged, note});
    if (folder->files.empty() && folder->notes.empty())
      return reject(path, {ErrorKind::missing, path + ": no file of a ledger in this folder"});
    take_runs(path, folder->runs, false);
  }

  void take_runs(const std::string& path, const LedgerRuns& runs, bool plain) {
    change_.files.push_back({path, plain, runs.size()});
    store::unite(runs_, runs);
  }

  void reject(const std::string& path, const Error& error) {
    world_.warn("flakestat: " + error.message);
    auto& list = error.kind == ErrorKind::missing ? change_.missing : change_.rejected;
    if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
  }

  const World& world_;
  report::LedgerChange& change_;
  LedgerRuns runs_;
};

Result<Ending> finish(const World& world, const LedgerRequest& request, const Place& place,
                      report::LedgerChange& change, const store::LedgerWrite& done, Ending ending) {
  note_all(world, done.notes);
  const auto ledger = store::read_ledger(place.dir, place.options.age);
  if (!ledger) return ledger.error();
  change.new_runs = done.new_runs;
  change.changed = done.changed;
  change.moved_away = done.moved_away;
  change.tests = ledger->tests().size();
  FLAKESTAT_TRY(
      world.out(wants_json(request) ? report::ledger_change_json(change) : report::ledger_change_text(change)));
  return ending;
}

// Also without a file: what was copied into flakes.d is counted in flakes.json.
Result<Ending> merge(const World& world, const LedgerRequest& request, const Place& place) {
  report::LedgerChange change;
  change.action = "merge";
  LedgerFiles files(world, change);
  for (const auto& argument : request.files) files.take(argument);
  change.runs = files.runs().size();
  const auto done = store::unite_runs(place.dir, files.runs(), place.options);
  if (!done) return done.error();
  return finish(world, request, place, change, *done, files.ending());
}

Result<Ending> import(const World& world, const LedgerRequest& request, const Place& place) {
  report::LedgerChange change;
  change.action = "import";
  LedgerFiles files(world, change);
  const auto path = request.files.empty() ? std::string(kPredecessor) : request.files.front();
  // Named by its place: it grows, and the larger counts are the later ones of the same runs.
  files.take_file(path, "import:" + fs::path(path).lexically_normal().string());
  if (files.ending() != Ending::done) return files.ending();
  // Where it came from is known, so that a later copy adds only what is new.
  for (auto& file : change.files) file.plain = false;
  change.runs = files.runs().size();
  const auto done = store::unite_runs(place.dir, files.runs(), place.options);
  if (!done) return done.error();
  return finish(world, request, place, change, *done, Ending::done);
}

Result<Ending> rebuild(const World& world, const LedgerRequest& request, const Place& place) {
  const auto log = store::LogSnapshot::open(place.dir);
  if (!log) return log.error();
  rules::LedgerHistory history;
  auto stats = log->read([&](const ObservationView& observation) { history.notice(observation); });
  if (!stats) return stats.error();
  for (const auto& line : store::describe(*stats, store::log_path(place.dir))) world.warn("flakestat: " + line);
  stats = log->read([&](const ObservationView& observation) { history.take(observation); });
  if (!stats) return stats.error();
  const auto runs = history.finish();
  report::LedgerChange change;
  change.action = "rebuild";
  change.runs = runs.size();
  if (history.runs() == 0)
    world.note("flakestat: no observation of a run in " + store::log_path(place.dir) + ": only 'run' fills the ledger");
  const auto done = store::rebuild_ledger(place.dir, runs, place.options);
  if (!done) return done.error();
  return finish(world, request, place, change, *done, Ending::done);
}

}  // namespace

Result<Ending> ledger(const World& world, const LedgerRequest& request) {
  const auto place = place_of(world, request);
  if (!place) return place.error();
  switch (request.action) {
    case LedgerRequest::Action::show: return show(world, request, *place);
    case LedgerRequest::Action::merge: return merge(world, request, *place);
    case LedgerRequest::Action::rebuild: return rebuild(world, request, *place);
    case LedgerRequest::Action::import: return import(world, request, *place);
  }
  return Error{ErrorKind::internal, "no such action"};
}

}  // namespace flakestat::app
