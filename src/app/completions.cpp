#include "text/completions.hpp"

#include "app/commands.hpp"

namespace flakestat::app {

Result<Ending> completions(const World& world, const CompletionsRequest& request) {
  const auto script = request.shell == "zsh"    ? text::zsh_completions(request.program)
                      : request.shell == "fish" ? text::fish_completions(request.program)
                                                : text::bash_completions(request.program);
  FLAKESTAT_TRY(world.out(script));
  return Ending::done;
}

}  // namespace flakestat::app
