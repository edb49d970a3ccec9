// On what code and where executions happened: flags, CI variables and git brought together once per invocation.
#pragma once

#include <optional>
#include <string>

#include "app/requests.hpp"
#include "app/settings.hpp"
#include "app/world.hpp"
#include "base/result.hpp"
#include "env/code_identity.hpp"
#include "env/platform.hpp"
#include "formats/observations.hpp"

namespace flakestat::app {

struct Provenance {
  std::string run_id;
  env::CodeIdentity code;
  Dimensions detected;       ///< CI and, where allowed, the host
  Dimensions explicit_ones;  ///< --dimension
  /// All of them; what was said goes before what was found.
  [[nodiscard]] Dimensions dimensions() const;
  std::string root;     ///< the repository's, or the working directory
  std::string tracked;  ///< commit and digest of the tracked files: equal before and after means the code stood still
};

struct ProvenanceInput {
  env::Origin origin = env::Origin::read_here;
  std::vector<std::string> own_files;  ///< reports that lie in the tree: no part of the code
};

/// Errors: usage for a bad --dimension or --run-id.
[[nodiscard]] Result<Provenance> find_provenance(const World& world, const CommonFlags& common,
                                                 const ProvenanceFlags& flags, const Settings& settings,
                                                 const ProvenanceInput& input);

/// `20260817T100000-9f2ac1`: sortable, and unlike any other.
[[nodiscard]] std::string new_run_id(UnixMillis now);

/// The context of one report under this provenance; path, digest and times are the caller's.
[[nodiscard]] formats::ReportContext report_context(const Provenance& provenance, Source source);

}  // namespace flakestat::app
