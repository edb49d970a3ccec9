// Is this command pytest, which Python runs it, and what does it ask for? Pure but for what `PythonSearch` looks up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace flakestat::adapters {

/// How an interpreter is looked for.
struct PythonSearch {
  std::optional<std::string> python;  ///< --python
  std::string directory;              ///< the working directory, absolute
  std::function<std::optional<std::string>(std::string_view)> env;
  std::function<bool(const std::string&)> is_program;         ///< a file that may be executed
  std::function<std::string(const std::string&)> first_line;  ///< of a file; empty when it is not to be read
};

/// pytest with the interpreter that runs it.
struct PytestCommand {
  std::vector<std::string> python;  ///< the interpreter and its own options
  std::vector<std::string> args;    ///< pytest's
  std::string argv0;                ///< the script, as sys.argv[0] has it; empty: `python -m pytest`
  std::string path0;                ///< sys.path[0]: the script's folder; empty: the working directory, as with -m
};

/// `pytest ...`, `py.test ...`, `python3.11 -X dev -m pytest ...`, each with or without a path; nothing for another
/// command. The interpreter: --python, what the command itself names, VIRTUAL_ENV, `.venv` upwards, PATH (design,
/// section 7). Errors: missing, when there is no Python at all.
[[nodiscard]] Result<std::optional<PytestCommand>> recognise_pytest(const std::vector<std::string>& command,
                                                                    const PythonSearch& search);

/// Why these arguments need one process with the terminal (`-s`, `--pdb`, `--collect-only` ...); empty: they do not.
[[nodiscard]] std::string needs_one_process(const std::vector<std::string>& args);

/// The worker count that pytest-xdist is asked for (`-n 4`, `--numprocesses=auto`); empty: none.
[[nodiscard]] std::string asked_workers(const std::vector<std::string>& args);

}  // namespace flakestat::adapters
