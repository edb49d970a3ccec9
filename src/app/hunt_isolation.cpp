#include "app/hunt_isolation.hpp"

#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "env/git.hpp"

namespace flakestat::app {
namespace {

constexpr const char* kDefaultIsolation = "fs,tmp,pid";

// Best first: disks before memory, the user's own cache before what everybody shares.
std::vector<std::string> scratch_candidates(const World& world) {
  std::vector<std::string> folders;
  if (const auto cache = world.env("XDG_CACHE_HOME"); cache && cache->starts_with("/")) {
    folders.push_back(*cache + "/flakestat/copies");
  } else if (const auto home = world.env("HOME"); home && home->starts_with("/")) {
    folders.push_back(*home + "/.cache/flakestat/copies");
  }
  folders.push_back("/var/tmp/flakestat-copies-" + std::to_string(::geteuid()));
  return folders;
}

std::optional<std::string> git_folder(const std::string& tree) {
  auto folder = env::run_git(tree, {"rev-parse", "--path-format=absolute", "--git-common-dir"});
  if (!folder) return std::nullopt;
  while (folder->ends_with('\n')) folder->pop_back();
  return *folder;
}

std::string copies(int parallel) { return std::to_string(parallel) + " copies at a time"; }

}  // namespace

Result<void> isolate_copies(const World& world, const HuntRequest& request, const Provenance& provenance,
                            sys::InterruptSource& interrupts, run::HuntPlan& plan) {
  auto wanted = sys::parse_isolation(request.isolation.value_or(kDefaultIsolation));
  if (!wanted) return wanted.error().with("--isolate");
  if (plan.parallel <= 1) {
    if (request.isolation || !request.keep.empty()) {
      return Error{ErrorKind::usage, std::string(request.isolation ? "--isolate" : "--keep") +
                                         " is for parallel copies: add --parallel 2 or more"};
    }
    return {};
  }
  if (!request.keep.empty() && !wanted->fs) {
    return Error{ErrorKind::usage, "--keep hands files of isolated copies back: it needs fs in --isolate"};
  }
  if (!wanted->any()) {
    world.note("flakestat: " + copies(plan.parallel) + ", not isolated: they share the tree, /tmp, ports and all else");
    return {};
  }
  sys::IsolationRequest ask;
  ask.wanted = *wanted;
  ask.tree = provenance.root;
  ask.git_dir = git_folder(provenance.root);
  ask.scratch_candidates = scratch_candidates(world);
  ask.sockets = sys::sockets_of_environment();
  auto found = sys::plan_isolation(ask, &interrupts);
  for (const auto& note : found.notes) world.warn("flakestat: " + note);
  if (!found.isolation.any()) {
    world.warn(
        "flakestat: copies cannot be isolated here, so the runs are made one after the other; --isolate=none "
        "runs them side by side all the same");
    plan.parallel = 1;
    return {};
  }
  world.note("flakestat: " + copies(plan.parallel) + ", isolated: " + sys::to_string(found.isolation) +
             (found.isolation.fs && found.tree_copy == sys::TreeCopy::copied ? " (a copied tree each)" : "") +
             "; databases, containers and caches outside the tree are shared" +
             (found.isolation.net ? "" : ", and so is the network"));
  plan.isolation = std::move(found);
  plan.keep = request.keep;
  return {};
}

}  // namespace flakestat::app
