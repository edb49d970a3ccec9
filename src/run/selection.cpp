#include "run/selection.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/strings.hpp"
#include "run/placeholders.hpp"
#include "run/runner_spelling.hpp"

namespace flakestat::run {
namespace {

using Command = std::vector<std::string>;

constexpr std::string_view kDefaultJoin = ",";
constexpr std::array<std::string_view, 4> kNameParts{"{suite}", "{class}", "{name}", "{file}"};

Error usage(std::string message) { return {ErrorKind::usage, std::move(message)}; }

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool runs_module(const Command& command, std::string_view module) {
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] == "-m" && command[i + 1] == module) return true;
  }
  return false;
}

// Which runner's spelling the command takes; empty when that cannot be read off it.
std::string_view runner_of(const Command& command) {
  const bool is_filter = std::any_of(command.begin(), command.end(), [](const auto& argument) {
    return argument.starts_with("--gtest_filter=") && holds(argument, kTestsPlaceholder);
  });
  if (is_filter) return "gtest";
  // Launchers (uv run, poetry run, xvfb-run) stand in front.
  const bool pytest = std::any_of(command.begin(), command.end(), [](const auto& argument) {
    const auto name = base_name(argument);
    return name == "pytest" || name == "py.test";
  });
  if (pytest || runs_module(command, "pytest")) return "pytest";
  if (runs_module(command, "unittest") || runs_module(command, "xmlrunner")) return "unittest";
  return {};
}

Result<std::string> id_of(const Command& command, const std::optional<std::string>& id) {
  if (!id) {
    const auto runner = runner_of(command);
    if (!runner.empty()) return std::string(runner);
    return usage(
        "the command takes {tests}, but how its runner spells a test is not known: add --id, such as "
        "--id '{class}#{name}' ({suite}, {class}, {name}, {file}) or --id " +
        spelled_runners());
  }
  const bool named =
      std::any_of(kNameParts.begin(), kNameParts.end(), [&](std::string_view part) { return holds(*id, part); });
  if (runner_spelling(*id) != nullptr || named) return *id;
  return usage("--id " + in_quotes(*id) + ": neither " + spelled_runners() +
               " nor a text with {suite}, {class}, {name} or {file} in it");
}

std::string join_of(const std::string& id, const std::optional<std::string>& join) {
  if (join) return *join;
  const auto* runner = runner_spelling(id);
  return std::string(runner == nullptr ? kDefaultJoin : runner->join);
}

Result<Command> selecting_command(const Command& command, const SelectionFlags& flags) {
  if (!flags.select) return command;
  if (uses_tests(command)) return usage("both the command and --select hold {tests}: one of them selects");
  auto words = split_command(*flags.select);
  if (!words) return words.error().with("--select");
  if (words->empty() || !uses_tests(*words)) {
    return usage("--select " + in_quotes(*flags.select) + ": there is no {tests} in it, where the tests go");
  }
  return words;
}

struct Spelling {
  std::string text;
  std::string problem;
};

Spelling from_template(const std::string& form, const TestNames& test) {
  const std::array fillings{Filling{kNameParts[0], test.suite}, Filling{kNameParts[1], test.class_name},
                            Filling{kNameParts[2], test.name}, Filling{kNameParts[3], test.file}};
  for (const auto& [part, value] : fillings) {
    if (value.empty() && holds(form, part)) return {{}, "its report gives it no " + std::string(part)};
  }
  return {fill(form, fillings), {}};
}

Spelling spell(const Selection& selection, const TestNames& test) {
  const auto* runner = runner_spelling(selection.id);
  if (runner == nullptr) return from_template(selection.id, test);
  auto name = runner->name(test);
  return {std::move(name.name), std::move(name.problem)};
}

std::string problem_of(const Spelling& spelling) {
  if (!spelling.problem.empty()) return spelling.problem;
  if (spelling.text.empty()) return "its name is empty";
  if (holds(spelling.text, std::string_view("\0", 1))) return "a NUL in its name";
  return {};
}

// The arguments that one argument of the command becomes.
class Expansion {
 public:
  Expansion(const Selection& selection, std::vector<std::string> tests, int run, const std::string& junit)
      : join_(selection.join),
        one_argument_(takes_one_argument(selection)),
        joins_anything_(one_argument_ && runner_spelling(selection.id)->join == selection.join),
        tests_(std::move(tests)),
        number_(std::to_string(run)),
        junit_(junit) {
    for (const auto& test : tests_) joined_ += (joined_.empty() ? "" : join_) + test;
  }

  NarrowedCommand expand(const Command& command) {
    for (const auto& argument : command) {
      if (argument == kTestsPlaceholder && !one_argument_) {
        for (const auto& test : tests_) add(argument, test);
      } else {
        note_join(argument);
        add(argument, filled(argument));
      }
    }
    if (out_.problem.empty() && bytes_ > kMostArgumentBytes) out_.problem = "they are too many for one command line";
    if (!out_.problem.empty()) out_.argv.clear();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string filled(const std::string& argument) const {
    return fill(argument, std::array{Filling{kRunPlaceholder, number_}, Filling{kJunitPlaceholder, junit_},
                                     Filling{kTestsPlaceholder, joined_}});
  }

  void note(std::string problem) {
    if (out_.problem.empty()) out_.problem = std::move(problem);
  }

  static bool takes_one_argument(const Selection& selection) {
    const auto* runner = runner_spelling(selection.id);
    return runner != nullptr && runner->one_argument;
  }

  void note_join(const std::string& argument) {
    if (!holds(argument, kTestsPlaceholder) || join_.empty() || joins_anything_ || tests_.size() < 2) return;
    for (const auto& test : tests_) {
      if (holds(test, join_))
        return note(in_quotes(test) + " holds " + in_quotes(join_) + ", which stands between tests");
    }
  }

  void add(const std::string& argument, std::string text) {
    const bool named = argument.starts_with(kTestsPlaceholder);
    if (named && text.starts_with('-')) note(in_quotes(text) + " would be taken for an option");
    if (named && text.starts_with('@')) note(in_quotes(text) + " would be taken for a file of arguments");
    if (text.size() > kLongestArgument) note("they are too many for one argument");
    bytes_ += text.size() + 1 + sizeof(char*);
    out_.argv.push_back(std::move(text));
  }

  std::string join_;
  bool one_argument_;
  bool joins_anything_;
  std::vector<std::string> tests_;
  std::string joined_;
  std::string number_;
  std::string junit_;
  std::size_t bytes_ = 0;
  NarrowedCommand out_;
};

}  // namespace

bool uses_tests(const Command& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const auto& argument) { return holds(argument, kTestsPlaceholder); });
}

Command whole_command(const Command& command) {
  Command whole;
  std::copy_if(command.begin(), command.end(), std::back_inserter(whole),
               [](const auto& argument) { return !holds(argument, kTestsPlaceholder); });
  return whole;
}

Result<std::optional<Selection>> selection_of(const Command& command, const SelectionFlags& flags) {
  if (!flags.select && !uses_tests(command)) {
    if (!flags.id && !flags.join) return std::optional<Selection>();
    return usage(std::string(flags.id ? "--id" : "--join") +
                 " says how tests are spelled, but nothing takes them: put {tests} into the command or add --select");
  }
  auto selecting = selecting_command(command, flags);
  if (!selecting) return selecting.error();
  if (selecting->front() == kTestsPlaceholder) return usage("{tests} cannot be the command itself");
  auto id = id_of(*selecting, flags.id);
  if (!id) return id.error();
  auto join = join_of(*id, flags.join);
  return std::optional(Selection{std::move(*selecting), std::move(*id), std::move(join)});
}

NarrowedCommand narrowed_command(const Selection& selection, std::span<const TestNames> tests, int run,
                                 const std::string& junit) {
  std::vector<std::string> spelled;
  for (const auto& test : tests) {
    auto spelling = spell(selection, test);
    const auto problem = problem_of(spelling);
    if (!problem.empty()) return {{}, in_quotes(test.name) + " cannot be named to the runner: " + problem};
    if (std::find(spelled.begin(), spelled.end(), spelling.text) == spelled.end()) {
      spelled.push_back(std::move(spelling.text));
    }
  }
  if (spelled.empty()) return {{}, "there is no test to name"};
  return Expansion(selection, std::move(spelled), run, junit).expand(selection.command);
}

}  // namespace flakestat::run
