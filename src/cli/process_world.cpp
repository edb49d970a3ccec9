#include "cli/process_world.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "sys/clock.hpp"
#include "sys/file.hpp"
#include "sys/terminal.hpp"
#include "text/escape.hpp"

extern char** environ;

namespace flakestat::cli {
namespace {

constexpr int kDefaultRows = 24;

// How many live lines stand on stderr. One terminal, one process: the state belongs to the terminal.
std::size_t& live_lines() {
  static std::size_t shown = 0;
  return shown;
}

// The bytes that clear the live lines, with the cursor on the first of them.
std::string take_live_lines() {
  const auto lines = std::exchange(live_lines(), 0);
  if (lines == 0) return {};
  return lines == 1 ? "\r\x1b[K" : "\r\x1b[" + std::to_string(lines - 1) + "A\x1b[J";
}

void to_stderr(std::string_view bytes) {
  static_cast<void>(sys::write_all(STDERR_FILENO, bytes, "standard error").ok());
}

void show_progress(std::string_view lines) {
  auto bytes = take_live_lines();
  bytes += lines;
  if (!lines.empty()) live_lines() = 1 + static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  if (!bytes.empty()) to_stderr(bytes);
}

// Names only, and only ours: the environment is otherwise never walked (design, section 9).
std::vector<std::string> own_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (variable.starts_with("FLAKESTAT_")) names.emplace_back(variable.substr(0, variable.find('=')));
  }
  return names;
}

}  // namespace

void say(std::string_view line) {
  auto bytes = take_live_lines();
  bytes += text::escape_terminal(line);
  bytes += '\n';
  to_stderr(bytes);
}

app::World process_world(const Invocation& invocation) {
  app::World world;
  world.env = [](std::string_view name) { return sys::env_value(std::string(name).c_str()); };
  world.own_variables = own_variables();
  std::error_code unreadable;
  world.directory = std::filesystem::current_path(unreadable).string();
  world.now = [] { return sys::SystemClock{}.unix_millis(); };
  world.out = [](std::string_view bytes) { return sys::write_all(STDOUT_FILENO, bytes, "standard output"); };
  world.warn = say;
  world.note = invocation.quiet ? std::function<void(std::string_view)>([](std::string_view) {}) : say;
  const bool live = !invocation.quiet && sys::wants_live_progress(sys::is_terminal(STDERR_FILENO), sys::env_value);
  world.progress = live ? std::function<void(std::string_view)>(show_progress) : [](std::string_view) {};
  world.live_progress = live;
  world.live_area = [] {
    const auto columns = sys::layout_columns(sys::terminal_columns(STDERR_FILENO), sys::env_value);
    const auto rows = sys::terminal_rows(STDERR_FILENO).value_or(kDefaultRows);
    return app::LiveArea{static_cast<std::size_t>(columns), static_cast<std::size_t>(rows)};
  };
  world.out_is_terminal = sys::is_terminal(STDOUT_FILENO);
  world.color = sys::wants_colour(world.out_is_terminal, invocation.no_color, sys::env_value);
  if (world.out_is_terminal) world.width = sys::layout_columns(sys::terminal_columns(STDOUT_FILENO), sys::env_value);
  world.verbose = invocation.verbose;
  return world;
}

}  // namespace flakestat::cli
