#include "app/provenance.hpp"

#include <random>

#include "base/strings.hpp"
#include "env/code_digest.hpp"
#include "env/git.hpp"
#include "model/identity.hpp"

namespace flakestat::app {
namespace {

constexpr std::size_t kLongestRunId = 200;

using Digest = Result<std::optional<std::string>>;

Digest digest_of(const env::GitState& git, const env::CodeDigestOptions& options) {
  return git.repository ? env::code_digest(git, options) : Digest(std::nullopt);
}

std::string tracked_code(const env::GitState& git, env::CodeDigestOptions options) {
  options.untracked = false;
  const auto digest = digest_of(git, options);
  return git.commit + "+" + (digest ? digest->value_or("") : "?");
}

Result<std::string> chosen_run_id(const ProvenanceFlags& flags, UnixMillis now) {
  if (!flags.run_id) return new_run_id(now);
  const auto run_id = trim(*flags.run_id);
  if (run_id.empty() || run_id.size() > kLongestRunId) {
    return Error{ErrorKind::usage, "--run-id " + in_quotes(*flags.run_id) + ": 1 to 200 bytes that are not blank"};
  }
  return std::string(run_id);
}

}  // namespace

Dimensions Provenance::dimensions() const {
  auto all = detected;
  for (const auto& [key, value] : explicit_ones) all[key] = value;
  return all;
}

std::string new_run_id(UnixMillis now) {
  // 2026-08-17T10:00:00.123Z -> 20260817T100000
  std::string id;
  for (const char c : format_utc(now).substr(0, 19)) {
    if (c != '-' && c != ':') id.push_back(c);
  }
  std::random_device chance;
  const auto number = std::uint64_t{chance()} << 32 | chance();
  return id + "-" + to_hex(number).substr(0, 12);
}

Result<Provenance> find_provenance(const World& world, const CommonFlags& common, const ProvenanceFlags& flags,
                                   const Settings& settings, const ProvenanceInput& input) {
  Provenance found;
  auto run_id = chosen_run_id(flags, world.now());
  if (!run_id) return run_id.error();
  found.run_id = std::move(*run_id);
  auto dimensions = env::parse_dimensions(flags.dimensions);
  if (!dimensions) return dimensions.error();
  found.explicit_ones = std::move(*dimensions);

  const auto ci = env::read_ci(world.env);
  found.detected = env::detected_dimensions({input.origin, flags.no_host}, ci, env::host_platform());
  const auto git = env::read_git(world.directory);
  found.root = git.repository ? git.root : world.directory;
  // A CI checkout is fresh: what is untracked there was made by the build, not by somebody who changes the code.
  const bool made_by_ci = ci.has_value() && input.origin == env::Origin::read_here;
  env::CodeDigestOptions digested{input.own_files, !made_by_ci, world.directory};
  digested.exclude.push_back(settings.dir);
  const auto digest = digest_of(git, digested);
  found.tracked = tracked_code(git, digested);
  const env::CodeFlags said{flags.commit.value_or(""), flags.branch.value_or(""), common.default_branch.value_or(""),
                            settings.config.default_branch.value_or("")};
  found.code = env::identify_code(said, input.origin, ci, git, digest, found.run_id);
  for (const auto& note : git.notes) world.note("flakestat: " + note);
  for (const auto& note : found.code.notes) world.note("flakestat: " + note);
  return found;
}

formats::ReportContext report_context(const Provenance& provenance, Source source) {
  formats::ReportContext context;
  context.run_id = provenance.run_id;
  context.commit = provenance.code.commit;
  context.code = provenance.code.code;
  context.branch = provenance.code.branch;
  context.source = source;
  context.detected = provenance.detected;
  context.explicit_ones = provenance.explicit_ones;
  return context;
}

}  // namespace flakestat::app
