#include "store/shard_round.hpp"

#include <simdjson.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "store/hunt_files.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr UnixMillis kRoundTime = UnixMillis{24} * 3'600'000;
constexpr std::size_t kMostBytes = std::size_t{512} << 20;
constexpr std::size_t kMostDepth = 8;
constexpr KeepRule kKeep{50, 90};  // rounds of suites that have changed since stay behind

struct Round {
  UnixMillis begun = 0;
  std::set<int> shards;
  Durations durations;
};

std::string folder_in(const std::string& dir) { return dir + "/shard_rounds"; }

std::optional<Round> parse(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return std::nullopt;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  Round round;
  array shards;
  object tests;
  if (root["begun"].get(round.begun) != simdjson::SUCCESS || root["shards"].get(shards) != simdjson::SUCCESS ||
      root["seconds"].get(tests) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  for (const auto each : shards) {
    std::int64_t k = 0;
    if (each.get(k) != simdjson::SUCCESS || !std::in_range<int>(k)) return std::nullopt;
    round.shards.insert(static_cast<int>(k));
  }
  for (const auto field : tests) {
    TestDuration test;
    if (field.value.get(test.seconds) != simdjson::SUCCESS) return std::nullopt;
    round.durations.emplace_hint(round.durations.end(), field.key, test);
  }
  return round;
}

std::string encode(const Round& round) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("begun", round.begun).key("shards").begin_array();
  for (const int k : round.shards) json.value(k);
  json.end_array().key("seconds").begin_object();
  for (const auto& [id, test] : round.durations) json.field(id, test.seconds);
  return json.end_object().end_object().finish();
}

bool under_way(const Round& round, int k, UnixMillis now) {
  return now - round.begun < kRoundTime && round.begun <= now && !round.shards.contains(k);
}

}  // namespace

Result<Durations> join_shard_round(const std::string& dir, const ShardRoundKey& key, const Durations& known,
                                   UnixMillis now) {
  const auto folder = folder_in(dir);
  FLAKESTAT_TRY(make_own_folder(folder));
  auto lock = sys::Lock::exclusive(lock_path(dir));
  if (!lock) return lock.error();
  const auto path = folder + "/" + key.collected_hash.substr(0, 16) + "-" + std::to_string(key.n) + ".json";
  FLAKESTAT_TRY(refuse_link(path));
  const auto json = sys::read_file(path, kMostBytes);
  auto round = json ? parse(*json) : std::nullopt;
  if (!round || !under_way(*round, key.k, now)) round = Round{now, {}, known};
  round->shards.insert(key.k);
  FLAKESTAT_TRY(sys::replace_file(path, encode(*round)));
  prune_oldest(folder, kKeep, now, is_own_json);
  return std::move(round->durations);
}

}  // namespace flakestat::store
