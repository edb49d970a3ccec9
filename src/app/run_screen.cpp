#include "app/run_screen.hpp"

#include <utility>

namespace flakestat::app {

std::string output_name(const RunSetup& setup) {
  if (setup.request.output) return *setup.request.output;
  if (setup.request.common.format.value_or("text") == "json") return "json";
  const auto& env = setup.world.env;
  if (env("GITHUB_ACTIONS")) return "github";
  if (env("GITLAB_CI")) return "gitlab";
  if (env("TEAMCITY_VERSION")) return "teamcity";
  return setup.world.live_progress ? "bar" : "dots";
}

void RunScreen::open(bool framework_shows) {
  const auto& world = setup_.world;
  report::RunOutputOptions options;
  options.look = look_of(world);
  options.out = [this](std::string_view text) {
    if (written_) written_ = setup_.world.out(text);
  };
  if (world.live_progress) {
    options.live = world.progress;
    options.live_size = [&world] {
      const auto area = world.live_area();
      return report::LiveSize{area.columns, area.rows};
    };
  }
  options.ci_log = world.env("CI").has_value() || world.env("TEAMCITY_VERSION").has_value();
  if (setup_.request.durations) options.durations = static_cast<std::size_t>(*setup_.request.durations);
  output_ = framework_shows ? report::make_run_extras(gather_.record(), std::move(options))
                            : report::make_run_output(output_name(setup_), gather_.record(), std::move(options));
}

void RunScreen::take(const RunEvent& event) {
  gather_.take(event);
  if (const auto* started = std::get_if<RunStarted>(&event); started != nullptr && !output_)
    open(started->workers == 0);
  if (!output_) open(false);
  output_->take(event);
}

void RunScreen::tick() {
  if (output_) output_->tick(setup_.world.now());
}

}  // namespace flakestat::app
