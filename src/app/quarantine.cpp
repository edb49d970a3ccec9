#include <filesystem>
#include <string>

#include "app/commands.hpp"
#include "app/quarantine_file.hpp"
#include "app/quarantine_update.hpp"
#include "app/quarantine_world.hpp"
#include "base/strings.hpp"
#include "env/platform.hpp"
#include "model/identity.hpp"
#include "report/quarantine_form.hpp"
#include "report/words.hpp"
#include "sys/file.hpp"
#include "text/escape.hpp"

namespace flakestat::app {
namespace {

// Enough to see what is wrong; the number says how much more there is.
constexpr std::size_t kMostNamed = 100;

Result<const report::QuarantineForm*> find_form(const std::string& name) {
  if (const auto* form = report::find_quarantine_form(name)) return form;
  std::string known;
  for (const auto& format : quarantine_formats()) known.append(known.empty() ? "" : ", ").append(format);
  return Error{ErrorKind::usage, "--format " + in_quotes(name) + ": one of " + known};
}

report::FormOutput own_list(const ScoredHistory& scored, const std::vector<const TestScore*>& listed) {
  const EntryNames names(scored.scores);
  rules::QuarantineDocument document;
  document.append("# Quarantined tests, worst first. Written by flakestat.");
  for (const auto* test : listed) {
    if (const auto comment = names.comment_of(*test); !comment.empty()) document.append(comment);
    document.append(names.entry_of(*test));
  }
  report::FormOutput out;
  out.document = document.text();
  out.entries = listed.size();
  return out;
}

// The tests that a committed list excuses today in this place.
Result<std::vector<const TestScore*>> tests_of_list(const World& world, const ScoredHistory& scored,
                                                    const QuarantineRequest& request) {
  auto path = list_path(world, scored.settings, *request.from);
  if (!path) return path.error();
  const auto today = rules::day_of(world.now());
  auto list = load_quarantine_list(*path, today);
  if (!list) return list.error();
  auto dimensions = env::parse_dimensions(request.dimensions);
  if (!dimensions) return dimensions.error();
  std::vector<const TestScore*> out;
  std::vector<bool> known(list->entries().size());
  for (const auto& test : scored.scores.tests) {
    const auto asked = listed_test(test);
    for (const auto index : list->entries_naming(asked)) known[index] = true;
    if (list->match(asked, *dimensions, today) != nullptr) out.push_back(&test);
  }
  // A runner that stops at an id it does not know must never see one of these.
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto& entry = list->entries()[i];
    if (!known[i])
      world.warn("flakestat: " + *path + ":" + std::to_string(entry.line) + ": " + entry.pattern +
                 ": names no known test");
    else if (entry.expired_on(today))
      world.warn("flakestat: " + *path + ":" + std::to_string(entry.line) + ": " + entry.pattern + ": expired");
  }
  return out;
}

void tell_left_out(const World& world, const report::FormOutput& made, const std::string& format) {
  for (std::size_t i = 0; i < made.left_out.size() && i < kMostNamed; ++i) {
    const auto& one = made.left_out[i];
    world.warn("flakestat: not in the list: " + display_name(*one.test) + ": " + one.why);
  }
  if (made.left_out.size() > kMostNamed) {
    world.warn("flakestat: not in the list: " + std::to_string(made.left_out.size() - kMostNamed) + " more");
  }
  if (!made.left_out.empty()) {
    world.warn("flakestat: " + report::counted(made.left_out.size(), "test") + " cannot be named in the form " +
               format);
  }
}

void tell_also_skipped(const World& world, const report::FormOutput& made) {
  for (std::size_t i = 0; i < made.also_skipped.size() && i < kMostNamed; ++i) {
    const auto& one = made.also_skipped[i];
    world.warn("flakestat: would be skipped too: " + display_name(*one.test) + " (by the entry of " +
               display_name(*one.because) + ")");
  }
  if (made.also_skipped.size() > kMostNamed) {
    world.warn("flakestat: would be skipped too: " + std::to_string(made.also_skipped.size() - kMostNamed) + " more");
  }
}

Result<void> check_argument(const report::FormOutput& made) {
  if (!made.refused.empty()) return Error{ErrorKind::usage, made.refused};
  if (made.longest_argument <= report::kLongestArgument) return {};
  return Error{ErrorKind::usage,
               "the list needs an argument of " + std::to_string(made.longest_argument) +
                   " bytes, and Linux hands over " + std::to_string(report::kLongestArgument) +
                   ": list fewer tests (--threshold, --filter), or use a form with a file (docs/quarantine.md)"};
}

// On a terminal nobody but an eye reads the list, and what a name hides must not steer it.
std::string for_stdout(const World& world, const std::string& document) {
  if (!world.out_is_terminal) return document;
  std::string shown;
  for (const auto& line : text::terminal_lines(document)) shown += line + "\n";
  return shown;
}

Result<void> write_list(const World& world, const QuarantineRequest& request, const report::FormOutput& made) {
  if (!request.output) return world.out(for_stdout(world, made.document));
  const std::filesystem::path path(*request.output);
  for (const auto& file : made.companions) {
    FLAKESTAT_TRY(sys::write_file((path.parent_path() / file.name).string(), file.content));
  }
  return sys::write_file(path.string(), made.document);
}

void tell_use(const World& world, const QuarantineRequest& request, const report::FormOutput& made,
              const std::string& format) {
  world.note("flakestat: " + report::counted(made.entries, "test") + " quarantined in the form " + format +
             (request.output ? " in " + *request.output : std::string{}));
  for (const auto& note : made.notes) world.note("flakestat: " + note);
  if (!made.usage.empty()) world.note("flakestat: use it: " + made.usage);
}

Result<Ending> emit(const World& world, const QuarantineRequest& request) {
  auto scored = quarantine_history(world, request);
  if (!scored) return scored.error();
  const auto format = request.common.format.value_or(scored->settings.config.quarantine_format.value_or("flakestat"));
  auto listed = request.from ? tests_of_list(world, *scored, request)
                             : Result<std::vector<const TestScore*>>(tests_to_list(*scored, request));
  if (!listed) return listed.error();
  report::FormOutput made;
  if (format == "flakestat") {
    made = own_list(*scored, *listed);
  } else {
    auto form = find_form(format);
    if (!form) return form.error();
    made = (*form)->render({*listed, scored->scores.tests, request.output.value_or("")});
  }
  tell_left_out(world, made, format);
  tell_also_skipped(world, made);
  if (!made.also_skipped.empty() && !request.allow_broad) {
    world.warn("flakestat: no list: the form " + format + " would skip " +
               report::counted(made.also_skipped.size(), "test") +
               " that nobody listed; --allow-broad accepts that, docs/quarantine.md names the exact forms");
    return Ending::failed;
  }
  FLAKESTAT_TRY(check_argument(made));
  FLAKESTAT_TRY(write_list(world, request, made));
  tell_use(world, request, made, format);
  return Ending::done;
}

}  // namespace

std::vector<std::string> quarantine_formats() {
  std::vector<std::string> names{"flakestat"};
  for (const auto& form : report::quarantine_forms()) names.emplace_back(form.name);
  return names;
}

Result<Ending> quarantine(const World& world, const QuarantineRequest& request) {
  const auto& format = request.common.format;
  if ((request.update || request.validate) && format && *format != "json" && *format != "flakestat") {
    return Error{ErrorKind::usage,
                 "a committed list is in flakestat's own format: --format json describes what was found"};
  }
  if (request.update) return update_quarantine(world, request);
  if (request.validate) return validate_quarantine(world, request);
  return emit(world, request);
}

}  // namespace flakestat::app
