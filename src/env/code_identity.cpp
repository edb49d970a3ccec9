#include "env/code_identity.hpp"

#include <initializer_list>

namespace flakestat::env {
namespace {

std::string first_of(std::initializer_list<std::string> candidates) {
  for (const auto& candidate : candidates) {
    if (!candidate.empty()) return candidate;
  }
  return {};
}

}  // namespace

CodeIdentity identify_code(const CodeFlags& flags, Origin origin, const std::optional<CiRun>& ci, const GitState& git,
                           const Result<std::optional<std::string>>& digest, const std::string& run_id) {
  const auto said = ci.value_or(CiRun{});
  CodeIdentity out;
  out.notes = git.notes;
  out.commit = first_of({flags.commit, git.commit, said.commit});
  out.branch = first_of({flags.branch, said.branch, git.branch});
  out.default_branch =
      first_of({flags.default_branch, flags.config_default_branch, said.default_branch, git.default_branch});
  out.code = out.commit;
  const bool made_elsewhere = origin == Origin::read_here && !flags.commit.empty();
  if (out.commit.empty() || made_elsewhere) return out;
  if (!digest) {
    out.code += '+' + run_id;
    out.notes.push_back(digest.error().message + ": this run counts as code of its own");
  } else if (*digest) {
    out.code += '+' + **digest;
  }
  return out;
}

}  // namespace flakestat::env
