#include "report/config.hpp"

#include <algorithm>

#include "app/commands.hpp"
#include "app/scoring_flags.hpp"
#include "app/settings.hpp"
#include "dispatch/lifecycle.hpp"
#include "env/ci.hpp"
#include "env/config_keys.hpp"
#include "run/hunt.hpp"

namespace flakestat::app {
namespace {

using report::ConfigOrigin;

bool was_said(const env::Config& config, const std::string& path) { return config.said.contains(path); }

// The configuration as if all that is in force had been written down, defaults too.
env::Config in_force(const World& world, const ConfigRequest& request, const Settings& settings) {
  auto config = settings.config;
  const auto threshold = settings.severity;
  config.dir = settings.dir;
  config.runs = config.runs.value_or(run::HuntPlan{}.runs);
  config.scoring = in_words_of_the_config(settings.scoring);
  if (threshold) config.scoring.threshold = threshold;
  config.context_keys = settings.scoring.context_keys;
  config.context_ignore = settings.scoring.context_ignore;
  const dispatch::RerunPolicy usual;
  config.run.reruns = config.run.reruns.value_or(usual.reruns);
  config.run.rerun_delay = config.run.rerun_delay.value_or(std::chrono::milliseconds{0});
  config.run.rerun_breaker = config.run.rerun_breaker.value_or(usual.breaker);
  config.run.dist = config.run.dist.value_or("load");
  config.run.fail_on_flaky = config.run.fail_on_flaky.value_or(false);
  const auto branch = default_branch(world, request.common, settings, env::read_ci(world.env));
  if (!branch.empty()) config.default_branch = branch;
  return config;
}

report::ConfigRow row_of(const env::Setting& setting, const env::Config& config, const ConfigRequest& request,
                         const std::string& file) {
  report::ConfigRow row;
  row.key = setting_path(setting);
  row.value = setting.get(config);
  const auto flag = setting_flag(setting);
  if (std::find(request.given.begin(), request.given.end(), flag) != request.given.end()) {
    row.origin = ConfigOrigin::flag;
    row.from = flag;
  } else if (was_said(config, row.key)) {
    const bool by_variable = config.said.at(row.key) == env::SaidBy::variable;
    row.origin = by_variable ? ConfigOrigin::variable : ConfigOrigin::file;
    row.from = by_variable ? std::string(setting.variable) : file;
  } else if (row.key == "default_branch" && config.default_branch) {
    row.origin = ConfigOrigin::detected;
  }
  return row;
}

}  // namespace

Result<Ending> config(const World& world, const ConfigRequest& request) {
  auto settings = resolve_settings(world, request.common, &request.scoring);
  if (!settings) return settings.error();
  const auto config = in_force(world, request, *settings);
  report::ConfigDocument document;
  document.file = settings->config_path;
  for (const auto& setting : env::settings()) {
    if (setting.same_as.empty()) document.rows.push_back(row_of(setting, config, request, settings->config_path));
  }
  if (document.file.empty()) {
    world.note("flakestat: no " + std::string(env::kConfigName) + " in " + world.directory +
               " or above: everything not said by a flag or a variable is a default");
  }
  const bool json = request.common.format.value_or("table") == "json";
  FLAKESTAT_TRY(world.out(json ? report::config_json(document) : report::config_table(document, look_of(world))));
  return Ending::done;
}

}  // namespace flakestat::app
