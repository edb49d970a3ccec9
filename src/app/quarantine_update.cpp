#include "app/quarantine_update.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "app/code_owners.hpp"
#include "app/quarantine_file.hpp"
#include "app/quarantine_world.hpp"
#include "base/duration.hpp"
#include "base/strings.hpp"
#include "model/identity.hpp"
#include "report/quarantine_findings.hpp"
#include "report/words.hpp"
#include "rules/quarantine_review.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

constexpr std::chrono::days kDefaultQuarantine{90};
constexpr std::chrono::days kRetention{90};
constexpr std::chrono::days kNever{36'500};

using LastPasses = std::unordered_map<TestId, UnixMillis>;

Observer remember_passes(LastPasses& passes) {
  return [&passes](const ObservationView& observation) {
    if (observation.status != Status::pass) return;
    auto& last = passes[observation.test_id];
    last = std::max(last, observation.ts);
  };
}

std::vector<rules::KnownTest> known_tests(const stats::Scores& scores, const LastPasses& passes) {
  std::vector<rules::KnownTest> known;
  known.reserve(scores.tests.size());
  for (const auto& test : scores.tests) {
    const auto pass = passes.find(test.test_id);
    known.push_back(
        {listed_test(test), test.verdict, test.first_seen, pass == passes.end() ? 0 : pass->second, test.last_failure});
  }
  return known;
}

// FLAKESTAT_FLAKE_RETENTION_DAYS, as everywhere: whole days, 0 for never.
Result<std::chrono::milliseconds> retention_by_variable(const World& world) {
  constexpr std::string_view kName = "FLAKESTAT_FLAKE_RETENTION_DAYS";
  const auto text = world.env(kName);
  if (!text || text->empty()) return std::chrono::milliseconds(kRetention);
  const auto days = number_in<int>(*text);
  if (!days || *days < 0) {
    return Error{ErrorKind::config, std::string(kName) + ": " + in_quotes(*text) + " is no number of days"};
  }
  return std::chrono::milliseconds(*days == 0 ? kNever : std::chrono::days(*days));
}

Result<std::chrono::milliseconds> retention_of(const World& world, const QuarantineRequest& request) {
  if (!request.retention) return retention_by_variable(world);
  auto length = parse_duration(*request.retention);
  if (!length) return length.error().with("--retention");
  return *length;
}

Result<std::chrono::days> quarantine_length(const QuarantineRequest& request) {
  if (!request.expires) return kDefaultQuarantine;
  auto length = parse_duration(*request.expires);
  if (!length) return length.error().with("--expires");
  const auto days = std::chrono::ceil<std::chrono::days>(*length);
  if (days.count() < 1 || days > rules::kLongestQuarantine) {
    return Error{ErrorKind::usage, "--expires " + in_quotes(*request.expires) + ": from a day to a year, such as 30d"};
  }
  return days;
}

// A list that is not there yet is begun.
Result<rules::QuarantineDocument> read_list(const std::string& path) {
  if (is_yaml_list(path)) {
    return Error{ErrorKind::usage, path +
                                       ": a list in YAML is read, not edited: turn it into flakestat's own with "
                                       "'flakestat quarantine --from " +
                                       path + " --format flakestat --output FILE'"};
  }
  auto read = read_list_file(path);
  if (read || read.error().kind != ErrorKind::missing) return read;
  rules::QuarantineDocument document;
  document.append(
      "# Quarantined tests: a failure of these is reported, not fatal. flakestat quarantine --update adds to it.");
  return document;
}

std::string reason_of(const TestScore& test) {
  const bool broken = test.verdict == Verdict::consistently_failing;
  return std::string(broken ? "broken: " : "flaky: ") + std::to_string(test.fails) + " of " +
         report::counted(test.runs, "execution") + " failed";
}

struct Edit {
  rules::QuarantineDocument document;
  report::ListUpdate update;
};

void add_entries(const ScoredHistory& scored, const QuarantineRequest& request, const CodeOwnersOf& owners,
                 rules::Day today, std::chrono::days length, Edit& edit) {
  const auto list = rules::QuarantineList::of(edit.document);
  const EntryNames names(scored.scores);
  for (const auto* test : tests_to_list(scored, request)) {
    if (!list.entries_naming(listed_test(*test)).empty()) continue;
    rules::QuarantineEntry entry;
    entry.pattern = names.entry_of(*test);
    entry.owner = owners.of(*test);
    entry.added = today;
    entry.expires = today + length;
    entry.reason = reason_of(*test);
    if (const auto comment = names.comment_of(*test); !comment.empty()) edit.document.append(comment);
    edit.document.append(rules::entry_line(entry));
    edit.update.added.push_back({entry.pattern, to_hex(test->test_id), display_name(*test), entry.owner,
                                 rules::format_day(*entry.expires), entry.reason});
  }
}

// Removes the lines of recovered entries, each with the comment that `add_entries` put in front of a bare test_id.
void prune(const std::unordered_set<std::size_t>& recovered, const std::unordered_set<std::string>& own_comments,
           rules::QuarantineDocument& document) {
  std::vector<rules::ListLine> kept;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    if (recovered.contains(i + 1)) {
      const bool own = !kept.empty() && own_comments.contains(std::string(trim(kept.back().text)));
      if (own && parse_hex64(document.lines[i].entry->pattern)) kept.pop_back();
      continue;
    }
    kept.push_back(std::move(document.lines[i]));
  }
  document.lines = std::move(kept);
}

std::unordered_set<std::string> comments_of_ids(const ScoredHistory& scored) {
  const EntryNames names(scored.scores);
  std::unordered_set<std::string> comments;
  for (const auto& test : scored.scores.tests) {
    if (auto comment = names.comment_of(test); !comment.empty()) comments.insert(std::move(comment));
  }
  return comments;
}

void take_findings(const std::vector<rules::Finding>& findings, bool pruned, report::ListUpdate& update) {
  for (const auto& one : findings) {
    update.findings.push_back({one.line, std::string(to_string(one.kind)), one.entry, one.message,
                               pruned && one.kind == rules::FindingKind::recovered});
  }
}

void tell(const World& world, const report::ListUpdate& update, bool pruned) {
  for (const auto& one : update.added)
    world.note("flakestat: " + update.file + ": added " + one.test + " (" + one.reason + ")");
  bool removable = false;
  for (const auto& one : update.findings) {
    world.warn("flakestat: " + report::finding_line(update.file, one));
    removable |= one.kind == "recovered" && !one.removed;
  }
  if (removable && !pruned) world.note("flakestat: --prune removes the recovered entries");
  if (!update.changed) world.note("flakestat: " + update.file + ": nothing to add" + (pruned ? " or to remove" : ""));
}

}  // namespace

Result<Ending> update_quarantine(const World& world, const QuarantineRequest& request) {
  auto length = quarantine_length(request);
  if (!length) return length.error();
  auto retention = retention_of(world, request);
  if (!retention) return retention.error();
  LastPasses passes;
  auto scored = quarantine_history(world, request, remember_passes(passes));
  if (!scored) return scored.error();
  auto path = list_path(world, scored->settings, *request.update);
  if (!path) return path.error();
  auto document = read_list(*path);
  if (!document) return document.error();
  Edit edit{std::move(*document), {}};
  edit.update.file = *path;
  const auto before = edit.document.text();
  const auto unreadable = edit.document.problems;
  for (const auto& one : unreadable) edit.update.findings.push_back({one.line, "unreadable", {}, one.message, false});
  const auto known = known_tests(scored->scores, passes);
  const auto findings = rules::review_entries(edit.document, known, world.now(), *retention);
  take_findings(findings, request.prune, edit.update);
  if (request.prune) {
    std::unordered_set<std::size_t> recovered;
    for (const auto& one : findings) {
      if (one.kind == rules::FindingKind::recovered) recovered.insert(one.line);
    }
    prune(recovered, comments_of_ids(*scored), edit.document);
  }
  add_entries(*scored, request, CodeOwnersOf(world), rules::day_of(world.now()), *length, edit);
  const auto after = edit.document.text();
  edit.update.changed = after != before;
  if (edit.update.changed) FLAKESTAT_TRY(sys::replace_file(*path, after));
  tell(world, edit.update, request.prune);
  if (request.common.format == "json") FLAKESTAT_TRY(world.out(report::list_update_json(edit.update)));
  return unreadable.empty() ? Ending::done : Ending::damaged;
}

Result<Ending> validate_quarantine(const World& world, const QuarantineRequest& request) {
  auto filter = ObservationFilter::make({}, world.now());
  if (!filter) return filter.error();
  auto scored = score_history(world, request.common, &request.scoring, *filter);
  if (!scored) return scored.error();
  auto path = list_path(world, scored->settings, *request.validate);
  if (!path) return path.error();
  const auto read = read_list_file(*path);
  if (!read) return read.error();
  const auto& document = *read;
  report::ListCheck check;
  check.file = *path;
  check.history_known = scored->lines > 0;
  for (const auto& line : document.lines) check.entries += line.entry ? std::size_t{1} : 0;
  for (const auto& one : rules::find_mistakes(document, known_tests(scored->scores, {}), rules::day_of(world.now()))) {
    check.problems.push_back({one.line, std::string(to_string(one.kind)), one.entry, one.message, false});
    world.warn("flakestat: " + report::finding_line(*path, check.problems.back()));
  }
  if (!check.history_known) world.note("flakestat: without a history, whether entries name a test was not checked");
  if (request.common.format == "json") FLAKESTAT_TRY(world.out(report::list_check_json(check)));
  if (check.problems.empty())
    world.note("flakestat: " + *path + ": " + report::counted(check.entries, "entry", "entries") + ", nothing wrong");
  return check.problems.empty() ? Ending::done : Ending::failed;
}

}  // namespace flakestat::app
