// The real world of this process, as the use cases see it.
#pragma once

#include "app/world.hpp"
#include "cli/invocation.hpp"

namespace flakestat::cli {

/// stdout, stderr, the clock, single environment variables. Talk is escaped for terminals here, in one place.
[[nodiscard]] app::World process_world(const Invocation& invocation);

/// One line on stderr, escaped, after clearing live lines.
void say(std::string_view line);

}  // namespace flakestat::cli
