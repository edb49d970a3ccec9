// The command line: arguments in, exit code out.
#pragma once

namespace flakestat::cli {

/// Parses and performs one invocation. Returns the process's exit code (docs/exit-codes.md); never throws.
int run(int argc, char** argv);

}  // namespace flakestat::cli
