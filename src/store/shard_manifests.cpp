#include "store/shard_manifests.hpp"

#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "base/strings.hpp"
#include "store/hunt_files.hpp"
#include "sys/file.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

constexpr std::int64_t kVersion = 1;
constexpr std::string_view kExtension = ".json";
constexpr std::size_t kMostBytes = std::size_t{512} << 20;
constexpr std::size_t kMostDepth = 8;
constexpr std::int64_t kMostShards = 10'000;
constexpr KeepRule kKeep{.most = 1000, .days = 90};

void write_names(text::JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const auto& name : names) json.value(name);
  json.end_array();
}

class Reader {
 public:
  Reader(const element& root, const std::string& path) : root_(root), path_(path) {}

  [[nodiscard]] Result<ShardManifest> read() const {
    std::int64_t version = 0;
    if (root_["version"].get(version) != simdjson::SUCCESS) return damaged("\"version\" is not there, or no number");
    if (version != kVersion) {
      return Error{ErrorKind::config, path_ + ": version " + std::to_string(version) +
                                          " of a shard's manifest is not known to this flakestat (it knows 1): use the "
                                          "flakestat that wrote it"};
    }
    ShardManifest out;
    FLAKESTAT_TRY(number("shard", 1, kMostShards, out.k));
    FLAKESTAT_TRY(number("of", out.k, kMostShards, out.n));
    FLAKESTAT_TRY(text("run_id", out.run_id));
    FLAKESTAT_TRY(time("started", out.started));
    FLAKESTAT_TRY(text("commit", out.commit));
    FLAKESTAT_TRY(text("ci_run", out.ci_run));
    FLAKESTAT_TRY(number("collected", 0, std::numeric_limits<std::int64_t>::max(), out.collected_count));
    FLAKESTAT_TRY(text("collected_hash", out.collected_hash));
    FLAKESTAT_TRY(text("partition_hash", out.partition_hash));
    if (root_["finished"].get(out.finished) != simdjson::SUCCESS) return no("finished");
    FLAKESTAT_TRY(number("exit_code", 0, 255, out.exit_code));
    FLAKESTAT_TRY(names("tests", out.ids));
    FLAKESTAT_TRY(names("not_run", out.not_run));
    FLAKESTAT_TRY(names("elsewhere", out.elsewhere));
    if (!std::includes(out.ids.begin(), out.ids.end(), out.not_run.begin(), out.not_run.end())) {
      return damaged("\"not_run\" names what is not in \"tests\"");
    }
    return out;
  }

  [[nodiscard]] Error damaged(const std::string& what) const {
    return {ErrorKind::damaged, path_ + ": " + what + ": this is no manifest of a shard, or a part of one"};
  }

 private:
  [[nodiscard]] Error no(std::string_view key) const {
    return damaged(in_quotes(key) + " is not there, or not as it should be");
  }

  template <class Number>
  [[nodiscard]] Result<void> number(std::string_view key, std::int64_t least, std::int64_t most, Number& out) const {
    std::int64_t found = 0;
    if (root_[key].get(found) != simdjson::SUCCESS || found < least || found > most) return no(key);
    out = static_cast<Number>(found);
    return {};
  }

  [[nodiscard]] Result<void> text(std::string_view key, std::string& out) const {
    std::string_view found;
    if (root_[key].get(found) != simdjson::SUCCESS) return no(key);
    out = found;
    return {};
  }

  [[nodiscard]] Result<void> time(std::string_view key, UnixMillis& out) const {
    std::string found;
    FLAKESTAT_TRY(text(key, found));
    const auto parsed = parse_rfc3339(found);
    if (!parsed) return no(key);
    out = *parsed;
    return {};
  }

  [[nodiscard]] Result<void> names(std::string_view key, std::vector<std::string>& out) const {
    simdjson::dom::array found;
    if (root_[key].get(found) != simdjson::SUCCESS) return no(key);
    for (const auto one : found) {
      std::string_view name;
      if (one.get(name) != simdjson::SUCCESS) return no(key);
      out.emplace_back(name);
    }
    std::sort(out.begin(), out.end());
    return {};
  }

  const element& root_;
  const std::string& path_;
};

std::string folder_of(const std::string& dir) { return dir + "/shards"; }

}  // namespace

std::string encode_shard(const ShardManifest& manifest) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("version", kVersion).field("shard", manifest.k).field("of", manifest.n);
  json.field("run_id", manifest.run_id).field("started", format_utc(manifest.started));
  json.field("commit", manifest.commit).field("ci_run", manifest.ci_run);
  json.field("finished", manifest.finished).field("exit_code", manifest.exit_code);
  json.field("collected", manifest.collected_count).field("collected_hash", manifest.collected_hash);
  json.field("partition_hash", manifest.partition_hash);
  write_names(json, "tests", manifest.ids);
  write_names(json, "not_run", manifest.not_run);
  write_names(json, "elsewhere", manifest.elsewhere);
  return json.end_object().finish();
}

Result<ShardManifest> parse_shard_manifest(std::string_view json, const std::string& path) {
  simdjson::dom::parser parser;
  element root;
  const Reader reader(root, path);
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return reader.damaged("too large to read");
  if (const auto code = parser.parse(json.data(), json.size()).get(root); code != simdjson::SUCCESS) {
    return reader.damaged(std::string("not valid JSON: ") + simdjson::error_message(code));
  }
  return reader.read();
}

Result<ShardManifest> read_shard(const std::string& path) {
  const auto json = sys::read_file(path, kMostBytes);
  if (!json) return json.error();
  return parse_shard_manifest(*json, path);
}

std::string shard_file(const std::string& dir, std::string_view run_id) {
  return folder_of(dir) + "/" + file_stem(run_id) + std::string(kExtension);
}

Result<void> write_shard(const std::string& dir, const ShardManifest& manifest, UnixMillis now) {
  FLAKESTAT_TRY(make_own_folder(folder_of(dir)));
  const auto path = shard_file(dir, manifest.run_id);
  FLAKESTAT_TRY(refuse_link(path));
  FLAKESTAT_TRY(sys::replace_file(path, encode_shard(manifest)));
  prune_oldest(folder_of(dir), kKeep, now, is_own_json);
  return {};
}

std::vector<std::string> find_shards(const std::string& folder) {
  std::error_code error;
  const auto inner = folder_of(folder);
  std::vector<std::string> found;
  const auto& place = fs::is_directory(inner, error) ? inner : folder;
  for (fs::directory_iterator next(place, error), end; !error && next != end; next.increment(error)) {
    const auto name = next->path().filename().string();
    std::error_code unreadable;
    if (name.ends_with(kExtension) && next->is_regular_file(unreadable)) found.push_back(next->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace flakestat::store
