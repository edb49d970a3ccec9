#include "sys/isolation.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include "base/strings.hpp"

namespace flakestat::sys {
namespace {

constexpr std::array<std::pair<std::string_view, bool Isolation::*>, 4> kNames{
    {{"fs", &Isolation::fs}, {"tmp", &Isolation::tmp}, {"pid", &Isolation::pid}, {"net", &Isolation::net}}};

bool set_by_name(Isolation& isolation, std::string_view name) {
  for (const auto& [known, member] : kNames) {
    if (known == name) return isolation.*member = true;
  }
  return false;
}

}  // namespace

Result<Isolation> parse_isolation(std::string_view text) {
  Isolation isolation;
  if (text == "none") return isolation;
  for (const auto name : split(text, ',')) {
    if (set_by_name(isolation, name)) continue;
    return Error{ErrorKind::usage,
                 "unknown isolation " + in_quotes(name) + ": none, or fs, tmp, pid and net with commas"};
  }
  return isolation;
}

std::string to_string(const Isolation& isolation) {
  std::string text;
  for (const auto& [name, member] : kNames) {
    if (!(isolation.*member)) continue;
    if (!text.empty()) text += ',';
    text += name;
  }
  return text.empty() ? "none" : text;
}

std::vector<std::string> sockets_of_environment() {
  std::vector<std::string> sockets{"/tmp/.X11-unix", "/tmp/.ICE-unix"};
  constexpr std::string_view kUnix = "unix://";
  if (const char* agent = std::getenv("SSH_AUTH_SOCK"); agent != nullptr && *agent == '/') sockets.emplace_back(agent);
  const char* docker = std::getenv("DOCKER_HOST");
  if (docker != nullptr && std::string_view(docker).starts_with(kUnix)) sockets.emplace_back(docker + kUnix.size());
  return sockets;
}

bool is_within(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace flakestat::sys
