#include <CLI/CLI.hpp>
#include <memory>

#include "cli/invocation.hpp"
#include "cli/options.hpp"

namespace flakestat::cli {

void add_shard_verify(CLI::App& app, Invocation& invocation) {
  auto request = std::make_shared<app::ShardVerifyRequest>();
  auto* command = add_command(app, "shard-verify", "Check that the shards of a run together ran every test, each once",
                              "flakestat shard-verify --expect 4 artifacts/*");
  command->add_option("inputs", request->inputs,
                      "Manifests that 'run --shard K/N' wrote, or folders of them (default: the state directory)");
  command->add_option("--expect", request->expect, "How many shards there must be (default: what they say)")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000));
  command->add_flag("--all", request->all, "Show every name of a long list");
  add_basics(*command, request->common, invocation, {"table", "json"});
  command->callback([request, &invocation] {
    invocation.action = [request](const app::World& world) { return app::shard_verify(world, *request); };
  });
}

}  // namespace flakestat::cli
