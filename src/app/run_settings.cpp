#include "app/run_settings.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "dispatch/error_patterns.hpp"

namespace flakestat::app {
namespace {

template <class T>
void fill(std::optional<T>& said, const std::optional<T>& setting) {
  if (!said) said = setting;
}

void fill_path(std::optional<std::string>& said, const std::optional<std::string>& setting, const std::string& key,
               const Settings& settings) {
  if (!said && setting) said = path_in(settings, key, *setting);
}

// Flags replace the list: what a file says cannot be in the way of one run.
Result<void> fill_patterns(std::vector<std::string>& said, const std::vector<std::string>& setting, const char* key) {
  if (!said.empty() || setting.empty()) return {};
  if (const auto patterns = dispatch::ErrorPatterns::compile(setting); !patterns) {
    return Error{ErrorKind::config, std::string(key) + ": " + patterns.error().message};
  }
  said = setting;
  return {};
}

}  // namespace

std::string path_in(const Settings& settings, const std::string& key, const std::string& path) {
  const auto found = settings.config.said.find(key);
  if (found == settings.config.said.end() || found->second != env::SaidBy::file) return path;
  return (std::filesystem::path(settings.config_directory) / path).string();
}

Result<RunRequest> with_settings(RunRequest request, const Settings& settings) {
  const auto& run = settings.config.run;
  fill(request.reruns, run.reruns);
  fill(request.rerun_breaker, run.rerun_breaker);
  fill(request.max_suite_reruns, run.max_suite_reruns);
  fill(request.fail_on_flaky, run.fail_on_flaky);
  fill(request.output, run.output);
  fill_path(request.junitxml, run.junitxml, "run.junitxml", settings);
  fill_path(request.report_json, run.report_json, "run.report_json", settings);
  if (!request.rerun_delay && run.rerun_delay) request.rerun_delay = std::to_string(run.rerun_delay->count()) + "ms";
  FLAKESTAT_TRY(fill_patterns(request.only_rerun, run.only_rerun, "run.only_rerun"));
  FLAKESTAT_TRY(fill_patterns(request.rerun_except, run.rerun_except, "run.rerun_except"));
  return request;
}

}  // namespace flakestat::app
