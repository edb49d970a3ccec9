// What a run is asked for when no flag says it: the settings of the section `run`.
#pragma once

#include <string>

#include "app/requests.hpp"
#include "app/settings.hpp"
#include "base/result.hpp"

namespace flakestat::app {

/// `request` with the values of `run` in the settings where no flag was given. What only an adapter with workers can
/// do (`workers`, `dist`, `worker_timeout`) stays as it is: see prepare_run_setup. Paths of the file are relative to
/// the file. Errors: config for a pattern that cannot be read.
[[nodiscard]] Result<RunRequest> with_settings(RunRequest request, const Settings& settings);

/// A path that the setting `key` (`quarantine.file`) holds: relative to the file when the file said it, else to the
/// working directory.
[[nodiscard]] std::string path_in(const Settings& settings, const std::string& key, const std::string& path);

}  // namespace flakestat::app
