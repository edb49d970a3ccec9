#include "cli/version.hpp"

namespace flakestat::cli {

std::string version_line() {
  return std::string("flakestat ") + FLAKESTAT_VERSION + " (" + FLAKESTAT_COMMIT + ", " + FLAKESTAT_COMPILER + ")";
}

}  // namespace flakestat::cli
