#include <filesystem>
#include <system_error>
#include <utility>

#include "app/commands.hpp"
#include "app/settings.hpp"
#include "report/shard_check.hpp"
#include "rules/shard_check.hpp"
#include "store/shard_manifests.hpp"

namespace flakestat::app {
namespace {

// What was found, and what could not be used.
struct Found {
  std::vector<rules::ShardEvidence> evidence;
  bool missing = false;
  bool damaged = false;
};

Result<void> take(const World& world, const std::string& path, Found& found) {
  auto manifest = store::read_shard(path);
  if (manifest) {
    found.evidence.push_back({path, std::move(*manifest)});
    return {};
  }
  const auto& error = manifest.error();
  if (error.kind != ErrorKind::missing && error.kind != ErrorKind::damaged) return error;
  world.warn("flakestat: " + error.message);
  (error.kind == ErrorKind::missing ? found.missing : found.damaged) = true;
  return {};
}

Result<Found> read_all(const World& world, const std::vector<std::string>& inputs) {
  Found found;
  for (const auto& input : inputs) {
    std::error_code error;
    const bool folder = std::filesystem::is_directory(input, error);
    const auto files = folder ? store::find_shards(input) : std::vector<std::string>{input};
    if (files.empty()) {
      world.warn("flakestat: " + input +
                 ": no manifest of a shard; 'flakestat run --shard K/N' writes them to its state directory");
      found.missing = true;
    }
    for (const auto& file : files) FLAKESTAT_TRY(take(world, file, found));
  }
  return found;
}

}  // namespace

Result<Ending> shard_verify(const World& world, const ShardVerifyRequest& request) {
  auto inputs = request.inputs;
  if (inputs.empty()) {
    const auto settings = resolve_settings(world, request.common);
    if (!settings) return settings.error();
    inputs.push_back(settings->dir);
    std::error_code error;
    if (!std::filesystem::is_directory(settings->dir + "/shards", error)) {
      return Error{ErrorKind::missing, "no manifest of a shard in " + settings->dir +
                                           "/shards; 'flakestat run --shard K/N' writes them there"};
    }
  }
  auto found = read_all(world, inputs);
  if (!found) return found.error();
  const auto check = rules::check_shards(std::move(found->evidence), request.expect);
  const bool json = request.common.format.value_or("table") == "json";
  FLAKESTAT_TRY(world.out(json ? report::shard_check_json(check)
                               : report::shard_check_table(check, request.all, look_of(world))));
  // What could not be read may be why the rest is not whole: that is to be mended first.
  if (found->missing) return Ending::missing;
  if (found->damaged) return Ending::damaged;
  return check.ok() ? Ending::done : Ending::failed;
}

}  // namespace flakestat::app
