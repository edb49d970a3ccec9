#include "cli/run.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/version.hpp"

namespace flakestat::cli {

int run(int argc, char** argv) {
  CLI::App app{"flakestat finds, measures, contains and tracks flaky tests, in any language."};
  app.set_version_flag("--version", version_line());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 64;
  }
  std::cout << app.help();
  return 0;
}

}  // namespace flakestat::cli
