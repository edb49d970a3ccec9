#include "sys/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/strings.hpp"

namespace flakestat::sys {
namespace {

constexpr int kDefaultColumns = 80;
constexpr int kLeastColumns = 20;
constexpr int kMostColumns = 10'000;

bool non_empty(const EnvLookup& lookup, const char* name) {
  const auto value = lookup(name);
  return value && !value->empty();
}

bool dumb(const EnvLookup& lookup) { return lookup("TERM") == "dumb"; }

std::optional<int> number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto value = number_in<int>(*text);
  return value && *value > 0 ? value : std::nullopt;
}

}  // namespace

std::optional<std::string> env_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

std::optional<int> terminal_columns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::optional<int> terminal_rows(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return std::nullopt;
  return size.ws_row;
}

bool wants_colour(bool terminal, bool no_color_flag, const EnvLookup& lookup) {
  return terminal && !no_color_flag && !non_empty(lookup, "NO_COLOR") && !dumb(lookup);
}

bool wants_live_progress(bool terminal, const EnvLookup& lookup) { return wants_colour(terminal, false, lookup); }

int layout_columns(std::optional<int> terminal, const EnvLookup& lookup) {
  if (!terminal) terminal = number(lookup("COLUMNS"));
  return std::clamp(terminal.value_or(kDefaultColumns), kLeastColumns, kMostColumns);
}

}  // namespace flakestat::sys
