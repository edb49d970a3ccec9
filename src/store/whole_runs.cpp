#include "store/whole_runs.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/sha256.hpp"
#include "store/hunt_files.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

using simdjson::dom::object;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kMostDepth = 8;
constexpr std::size_t kMostCommands = 200;
constexpr std::size_t kKeyLength = 32;

using Runs = std::map<std::string, WholeRun, std::less<>>;

std::string path_in(const std::string& dir) { return dir + "/whole_runs.json"; }

// Length-prefixed, so that no two commands have one text; only its digest is kept, since commands may hold secrets.
std::string name_of(const WholeRunKey& key) {
  std::string text = std::to_string(key.folder.size()) + ":" + key.folder;
  for (const auto& word : key.command) text += std::to_string(word.size()) + ":" + word;
  return hex_prefix(sha256(text), kKeyLength / 2);
}

Runs read_runs(const std::string& dir) {
  Runs runs;
  const auto json = sys::read_file(path_in(dir), kMostBytes);
  simdjson::dom::parser parser;
  object all;
  if (!json || parser.allocate(json->size() + 1, kMostDepth) != simdjson::SUCCESS) return runs;
  if (parser.parse(json->data(), json->size())["runs"].get(all) != simdjson::SUCCESS) return runs;
  for (const auto field : all) {
    std::uint64_t tests = 0;
    std::string_view code;
    std::int64_t ended = 0;
    const bool good = field.key.size() == kKeyLength && field.value["tests"].get(tests) == simdjson::SUCCESS &&
                      field.value["code"].get(code) == simdjson::SUCCESS &&
                      field.value["ended"].get(ended) == simdjson::SUCCESS;
    if (good) runs.emplace(std::string(field.key), WholeRun{tests, std::string(code), ended});
  }
  return runs;
}

std::string encode(const Runs& runs) {
  text::JsonWriter json;
  json.begin_object().field("version", 1).key("runs").begin_object();
  for (const auto& [name, run] : runs) {
    json.key(name).begin_object();
    json.field("tests", run.tests).field("code", run.code).field("ended", run.ended).end_object();
  }
  json.end_object().end_object();
  return json.finish();
}

void drop_oldest(Runs& runs) {
  while (runs.size() > kMostCommands) {
    runs.erase(std::min_element(runs.begin(), runs.end(),
                                [](const auto& a, const auto& b) { return a.second.ended < b.second.ended; }));
  }
}

}  // namespace

std::optional<WholeRun> last_whole_run(const std::string& dir, const WholeRunKey& key) {
  const auto runs = read_runs(dir);
  const auto found = runs.find(name_of(key));
  return found == runs.end() ? std::nullopt : std::optional(found->second);
}

Result<void> remember_whole_run(const std::string& dir, const WholeRunKey& key, const WholeRun& run) {
  FLAKESTAT_TRY(sys::make_directories_durably(dir));
  FLAKESTAT_TRY(refuse_link(path_in(dir)));
  auto lock = sys::Lock::exclusive(lock_path(dir));
  if (!lock) return lock.error();
  auto runs = read_runs(dir);
  runs.insert_or_assign(name_of(key), run);
  drop_oldest(runs);
  return sys::replace_file(path_in(dir), encode(runs));
}

}  // namespace flakestat::store
