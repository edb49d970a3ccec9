// Any bytes as a config file, a package.json, the value of a variable, a pattern and a command: no crash, bounded work.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "env/ci.hpp"
#include "env/config.hpp"
#include "env/git.hpp"
#include "env/package_json.hpp"

namespace {

// What must hold for every input; aborting is how libFuzzer learns of it.
void require(bool condition) {
  if (!condition) std::abort();
}

void fuzz_config(std::string_view text) {
  const auto loaded = flakestat::env::parse_config(text, "fuzz");
  if (!loaded) {
    require(loaded.error().kind == flakestat::ErrorKind::config);
    require(loaded.error().message.find('\x1b') == std::string::npos);
    return;
  }
  const auto& config = loaded->config;
  require(!config.runs || *config.runs >= 1);
  require(!config.command || !config.command->empty());
  require(!config.timeout || config.timeout->count() >= 0);
}

void fuzz_variables(std::string_view text) {
  flakestat::env::Config config;
  const std::vector<std::string> names = {std::string(text)};
  const auto value = [&](std::string_view) { return std::optional<std::string>(text); };
  const auto warnings = flakestat::env::overlay_environment(names, value, config);
  require(warnings.ok() || warnings.error().kind == flakestat::ErrorKind::config);
}

void fuzz_patterns(std::string_view text) {
  if (text.size() > 4096) return;
  const auto middle = text.size() / 2;
  (void)flakestat::glob_match(text.substr(0, middle), text.substr(middle));
  (void)flakestat::glob_match_path(text.substr(0, middle), text.substr(middle));
  (void)flakestat::expand_braces(text);
  require(flakestat::glob_match(flakestat::glob_escape(text), text));
  require(flakestat::glob_unescape(flakestat::glob_escape(text)) == text);
}

void fuzz_small_parsers(std::string_view text) {
  (void)flakestat::parse_duration(text);
  (void)flakestat::split_command(text);
  flakestat::env::GitState state;
  flakestat::env::parse_git_status(text, state);
  const auto package = flakestat::env::parse_package_json(text);
  if (package) (void)flakestat::env::script_runs(package->test_script(), "jest");
  (void)flakestat::env::script_runs(text, "jest");
  flakestat::env::CiRun run;
  flakestat::env::apply_github_event(text, run);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  fuzz_config(text);
  fuzz_variables(text);
  fuzz_patterns(text);
  fuzz_small_parsers(text);
  return 0;
}
