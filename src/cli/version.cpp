#include "cli/version.hpp"

namespace flakestat::cli {

std::string version() { return FLAKESTAT_VERSION; }

std::string version_date() { return FLAKESTAT_DATE; }

std::string version_line() {
  return std::string("flakestat ") + FLAKESTAT_VERSION + " (" + FLAKESTAT_COMMIT + ", " + FLAKESTAT_COMPILER + ")";
}

}  // namespace flakestat::cli
