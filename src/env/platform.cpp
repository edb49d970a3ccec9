#include "env/platform.hpp"

#include <sys/utsname.h>

#include <array>
#include <utility>

#include "base/strings.hpp"

namespace flakestat::env {
namespace {

using Word = std::pair<std::string_view, std::string_view>;

constexpr std::array<Word, 10> kMachines = {{{"x86_64", "amd64"},
                                             {"aarch64", "arm64"},
                                             {"i386", "386"},
                                             {"i486", "386"},
                                             {"i586", "386"},
                                             {"i686", "386"},
                                             {"armv6l", "arm"},
                                             {"armv7l", "arm"},
                                             {"armv8l", "arm"},
                                             {"loongarch64", "loong64"}}};

}  // namespace

Dimensions platform_dimensions(std::string_view system, std::string_view machine) {
  auto arch = ascii_lower(trim(machine));
  for (const auto& [kernel, go] : kMachines) {
    if (arch == kernel) arch = go;
  }
  Dimensions out;
  if (auto os = ascii_lower(trim(system)); !os.empty()) out.emplace(dim::kOs, std::move(os));
  if (!arch.empty()) out.emplace(dim::kArch, std::move(arch));
  return out;
}

Dimensions host_platform() {
  utsname names{};
  if (::uname(&names) != 0) return {};
  return platform_dimensions(names.sysname, names.machine);
}

Dimensions detected_dimensions(const DetectedInput& input, const std::optional<CiRun>& ci, const Dimensions& host) {
  const bool ran_here = input.origin == Origin::launched_here || ci.has_value();
  const Dimensions platform = ran_here && !input.no_host ? host : Dimensions{};
  return merge(platform, ci ? ci->dimensions : Dimensions{});
}

Result<Dimensions> parse_dimensions(std::span<const std::string> pairs) {
  Dimensions out;
  for (const auto& pair : pairs) {
    auto parsed = parse_dimension(pair);
    if (!parsed) return parsed.error();
    out[parsed->first] = std::move(parsed->second);
  }
  return out;
}

}  // namespace flakestat::env
