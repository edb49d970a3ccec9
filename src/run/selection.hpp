// How a narrowed run names the tests that are still open to their runner: `{tests}` in the command, or `--select`.
// Names come from reports and are hostile: what cannot be handed over exactly is not handed over. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/runner_names.hpp"

namespace flakestat::run {

inline constexpr std::string_view kTestsPlaceholder = "{tests}";

/// Kept well below what Linux takes (131,072 bytes for one argument, 2 MiB for all of them and the environment).
inline constexpr std::size_t kLongestArgument = 120'000;
inline constexpr std::size_t kMostArgumentBytes = 256 * 1024;

/// What the user said of it.
struct SelectionFlags {
  std::optional<std::string> select;  ///< a command line, split by blanks and quotes
  std::optional<std::string> id;
  std::optional<std::string> join;
};

struct Selection {
  std::vector<std::string> command;  ///< holds `{tests}`; `{run}` and `{junit}` as in the hunted command
  std::string id;    ///< how a test is spelled: a word of runner_spelling.hpp, or a text with {class}...
  std::string join;  ///< between tests inside one argument
};

/// True when some argument holds `{tests}`.
[[nodiscard]] bool uses_tests(const std::vector<std::string>& command);

/// The hunted command for every test: arguments that hold `{tests}` are left out.
[[nodiscard]] std::vector<std::string> whole_command(const std::vector<std::string>& command);

/// Nothing when neither the command nor the flags select tests. Without `--id` the runner is read off the command:
/// pytest, unittest and GoogleTest have spellings that were found exact; others must be told. Errors are of kind usage.
[[nodiscard]] Result<std::optional<Selection>> selection_of(const std::vector<std::string>& command,
                                                            const SelectionFlags& flags);

/// A command for some tests alone, or why there is none.
struct NarrowedCommand {
  std::vector<std::string> argv;  ///< as it is executed; empty: see `problem`
  std::string problem;            ///< raw: names of tests are in it
};

/// `{tests}` alone in an argument becomes an argument a test, unless the runner takes all tests in one; inside an
/// argument, the tests joined; every test is spelled once. `{run}` and `{junit}` are filled in as expand_command does,
/// in the same pass, so that a name which holds such a text stays as it is. No command when a name cannot be spelled,
/// would be taken for an option (`-`) or a file of arguments (`@`), holds the joining text or a NUL, or when the
/// arguments grow too long.
[[nodiscard]] NarrowedCommand narrowed_command(const Selection& selection, std::span<const TestNames> tests, int run,
                                               const std::string& junit);

}  // namespace flakestat::run
