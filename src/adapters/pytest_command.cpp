#include "adapters/pytest_command.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace flakestat::adapters {
namespace {

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

bool is_pytest_name(std::string_view name) { return name == "pytest" || name == "py.test"; }

// python, python3, python3.11, pypy3
bool is_python_name(std::string_view name) {
  for (const std::string_view stem : {"python", "pypy"}) {
    if (!name.starts_with(stem)) continue;
    const auto rest = name.substr(stem.size());
    return std::all_of(rest.begin(), rest.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  }
  return false;
}

std::optional<std::string> in_path(std::string_view program, const PythonSearch& search) {
  const auto path = search.env("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (std::size_t start = 0; start <= path.size();) {
    const auto end = std::min(path.find(':', start), path.size());
    const auto entry = path.substr(start, end - start);
    const auto candidate = (entry.empty() ? "." : entry) + "/" + std::string(program);
    if (search.is_program(candidate)) return candidate;
    start = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> in_virtual_env(const PythonSearch& search) {
  const auto active = search.env("VIRTUAL_ENV");
  if (active && !active->empty() && search.is_program(*active + "/bin/python")) return *active + "/bin/python";
  for (std::string folder = search.directory; !folder.empty(); folder.resize(folder.rfind('/'))) {
    if (search.is_program(folder + "/.venv/bin/python")) return folder + "/.venv/bin/python";
    if (folder.rfind('/') == std::string::npos) break;
  }
  return std::nullopt;
}

// The interpreter of a script's first line, when that is a Python.
std::vector<std::string> interpreter_of(const std::string& script, const PythonSearch& search) {
  const auto line = search.first_line(script);
  if (!line.starts_with("#!")) return {};
  std::vector<std::string> words;
  for (std::size_t at = 2; at < line.size();) {
    const auto start = line.find_first_not_of(" \t\r", at);
    if (start == std::string::npos) break;
    const auto end = std::min(line.find_first_of(" \t\r", start), line.size());
    words.push_back(line.substr(start, end - start));
    at = end;
  }
  if (words.empty()) return {};
  if (base_name(words.front()) == "env" && words.size() == 2 && is_python_name(base_name(words.back()))) {
    const auto found = in_path(words.back(), search);
    return found ? std::vector<std::string>{*found} : std::vector<std::string>{};
  }
  if (!is_python_name(base_name(words.front())) || !search.is_program(words.front())) return {};
  return words;
}

Result<std::string> any_python(const PythonSearch& search) {
  if (auto found = in_virtual_env(search)) return *found;
  for (const auto* name : {"python3", "python"}) {
    if (auto found = in_path(name, search)) return *found;
  }
  return Error{ErrorKind::missing, "no Python in VIRTUAL_ENV, in .venv or in PATH: name one with --python"};
}

// The script beside an interpreter, which is what the user would have started.
void take_script(PytestCommand& out, const PythonSearch& search) {
  const auto script = folder_of(out.python.front()) + "/pytest";
  out.path0 = folder_of(out.python.front());
  out.argv0 = search.is_program(script) ? script : out.path0 + "/pytest";
}

Result<std::optional<PytestCommand>> from_script(const std::vector<std::string>& command, const PythonSearch& search) {
  PytestCommand out;
  out.args.assign(command.begin() + 1, command.end());
  const auto& script = command.front();
  const bool has_path = script.find('/') != std::string::npos;
  if (search.python) {
    out.python = {*search.python};
  } else if (has_path) {
    out.python = interpreter_of(script, search);
  } else if (auto active = in_virtual_env(search)) {
    out.python = {*active};
  } else if (const auto found = in_path(script, search)) {
    out.python = interpreter_of(*found, search);
    if (!out.python.empty()) {
      out.argv0 = *found;
      out.path0 = folder_of(*found);
      return std::optional(std::move(out));
    }
  }
  if (out.python.empty()) {
    auto python = any_python(search);
    if (!python) return python.error();
    out.python = {*std::move(python)};
  }
  if (has_path) {
    out.argv0 = script;
    out.path0 = folder_of(script);
  } else {
    take_script(out, search);
  }
  return std::optional(std::move(out));
}

// Where `-m pytest` stands among an interpreter's options; nothing when it runs something else.
std::optional<std::size_t> module_place(const std::vector<std::string>& command) {
  for (std::size_t i = 1; i < command.size(); ++i) {
    const auto& word = command[i];
    if (word == "-m") {
      return i + 1 < command.size() && is_pytest_name(command[i + 1]) ? std::optional(i) : std::nullopt;
    }
    if (word == "-X" || word == "-W") ++i;
    else if (word.size() < 2 || word.front() != '-' || word == "-c" || word.starts_with("--")) return std::nullopt;
  }
  return std::nullopt;
}

struct ShortOption {
  char letter;
  bool takes_value;
};

// pytest's own one-letter options, and xdist's.
constexpr std::array<ShortOption, 17> kShort{{{'k', true},
                                              {'m', true},
                                              {'r', true},
                                              {'p', true},
                                              {'c', true},
                                              {'n', true},
                                              {'o', true},
                                              {'W', true},
                                              {'x', false},
                                              {'v', false},
                                              {'q', false},
                                              {'s', false},
                                              {'l', false},
                                              {'h', false},
                                              {'V', false},
                                              {'d', false},
                                              {'f', false}}};

bool takes_value(char letter) {
  return std::any_of(kShort.begin(), kShort.end(),
                     [&](const auto& option) { return option.letter == letter && option.takes_value; });
}

// Calls `take(letter, value)` for the letters of a cluster (`-xs`, `-k expr`); returns how many further arguments it
// used.
template <class Take>
std::size_t walk_cluster(const std::vector<std::string>& args, std::size_t at, const Take& take) {
  const auto& word = args[at];
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (!takes_value(word[i])) {
      take(word[i], std::string());
      continue;
    }
    const bool inside = i + 1 < word.size();
    const bool behind = !inside && at + 1 < args.size();
    take(word[i], inside ? word.substr(i + 1) : behind ? args[at + 1] : std::string());
    return behind ? 1 : 0;
  }
  return 0;
}

bool is_cluster(const std::string& word) { return word.size() > 1 && word[0] == '-' && word[1] != '-'; }

constexpr std::array kOneProcess{"--pdb",          "--trace",          "--co",
                                 "--collect-only", "--collectonly",    "--sw",
                                 "--stepwise",     "--sw-skip",        "--stepwise-skip",
                                 "--fixtures",     "--funcargs",       "--fixtures-per-test",
                                 "--markers",      "--help",           "--version",
                                 "--cache-show",

                                 "--setup-plan",   "--setup-only",     "--setup-show",
                                 "--sw-reset",     "--stepwise-reset", "--debug"};

}  // namespace

Result<std::optional<PytestCommand>> recognise_pytest(const std::vector<std::string>& command,
                                                      const PythonSearch& search) {
  if (command.empty()) return std::optional<PytestCommand>();
  const auto name = base_name(command.front());
  if (is_pytest_name(name)) return from_script(command, search);
  if (!is_python_name(name)) return std::optional<PytestCommand>();
  const auto place = module_place(command);
  if (!place) return std::optional<PytestCommand>();
  PytestCommand out;
  out.python.assign(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(*place));
  if (search.python) out.python.front() = *search.python;
  out.args.assign(command.begin() + static_cast<std::ptrdiff_t>(*place) + 2, command.end());
  return std::optional(std::move(out));
}

std::string needs_one_process(const std::vector<std::string>& args) {
  std::string why;
  for (std::size_t i = 0; i < args.size() && why.empty(); ++i) {
    const auto& word = args[i];
    if (word == "--capture=no" || (word == "--capture" && i + 1 < args.size() && args[i + 1] == "no"))
      return "--capture=no";
    auto name = word.substr(0, word.find('='));
    if (std::find(kOneProcess.begin(), kOneProcess.end(), name) != kOneProcess.end()) return name;
    if (!is_cluster(word)) continue;
    i += walk_cluster(args, i, [&](char letter, const std::string&) {
      if (letter == 's' || letter == 'h' || letter == 'V') why = std::string("-") + letter;
    });
  }
  return why;
}

std::string asked_workers(const std::vector<std::string>& args) {
  std::string workers;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto& word = args[i];
    if (word.starts_with("--numprocesses=")) workers = word.substr(15);
    else if (word == "--numprocesses" && i + 1 < args.size()) workers = args[++i];
    else if (is_cluster(word)) {
      i += walk_cluster(args, i, [&](char letter, const std::string& value) {
        if (letter == 'n') workers = value;
      });
    }
  }
  return workers;
}

}  // namespace flakestat::adapters
