#include "store/last_failed.hpp"

#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "sys/file.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::size_t kMostDepth = 64;
constexpr std::size_t kMostClasses = 64;  ///< inside each other
constexpr std::string_view kReadMe =
    "# pytest's cache\n\n"
    "pytest remembers here which tests failed last (`--lf`, `--ff`) and which there are (`--nf`). flakestat made the\n"
    "folder for a run with workers. It is no part of the project: keep it out of version control.\n";
constexpr std::string_view kIgnore = "# Nothing here is part of the project.\n*\n";
constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# A cache folder, as https://bford.info/cachedir/ has it: pytest's.\n";

bool parse(simdjson::dom::parser& parser, std::string_view json, element& root) {
  return parser.allocate(json.size() + 1, kMostDepth) == simdjson::SUCCESS &&
         parser.parse(json.data(), json.size()).get(root) == simdjson::SUCCESS;
}

// The entries in the order of the file; what is taken out and put in again stands at the end.
class Entries {
 public:
  explicit Entries(std::string_view json) {
    simdjson::dom::parser parser;
    element root;
    simdjson::dom::object fields;
    if (!parse(parser, json, root) || root.get(fields) != simdjson::SUCCESS) return;
    for (const auto field : fields) put(std::string(field.key), simdjson::minify(field.value));
    changed_ = false;
  }

  [[nodiscard]] bool has(const std::string& id) const { return places_.contains(id); }

  void put(const std::string& id, std::string value = "true") {
    const auto [at, is_new] = places_.try_emplace(id, entries_.size());
    if (is_new) entries_.emplace_back(id, std::move(value));
    else if (entries_[at->second].second != value) entries_[at->second].second = std::move(value);
    else return;
    changed_ = true;
  }

  void remove(const std::string& id) {
    const auto at = places_.find(id);
    if (at == places_.end()) return;
    entries_[at->second].second.clear();
    places_.erase(at);
    changed_ = true;
  }

  [[nodiscard]] bool changed() const { return changed_; }

  [[nodiscard]] std::string text() const {
    text::JsonWriter json;
    json.begin_object();
    for (const auto& [id, value] : entries_) {
      if (!value.empty()) json.key(id).raw(value);
    }
    return json.end_object().take();
  }

  /// What is there, for comparison: the order does not matter.
  [[nodiscard]] std::set<std::pair<std::string, std::string>> content() const {
    std::set<std::pair<std::string, std::string>> found;
    for (const auto& entry : entries_) {
      if (!entry.second.empty()) found.insert(entry);
    }
    return found;
  }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;  ///< an empty value: removed
  std::unordered_map<std::string, std::size_t> places_;
  bool changed_ = false;
};

// Files and classes that could not be collected the last time: their tests take their place.
void replace_collectors(Entries& entries, const std::vector<std::string>& collected) {
  std::unordered_set<std::string> gone;
  for (const auto& id : collected) {
    bool belongs = false;
    const auto parameters = id.find('[');
    std::size_t classes = 0;
    for (auto at = id.find("::"); at < parameters && classes < kMostClasses; at = id.find("::", at + 2), ++classes) {
      auto collector = id.substr(0, at);
      if (gone.contains(collector)) belongs = true;
      else if (entries.has(collector)) {
        entries.remove(collector);
        gone.insert(std::move(collector));
        belongs = true;
      }
    }
    if (belongs) entries.put(id);
  }
}

bool is_failing(RunFate fate) {
  return fate == RunFate::failed || fate == RunFate::error || fate == RunFate::quarantined;
}

Result<std::string> read_cached(const std::string& path) {
  auto text = sys::read_file(path, kMostBytes);
  if (text || text.error().kind != ErrorKind::missing) return text;
  return std::string();
}

// Beside its place and then renamed, so that a pytest that starts meanwhile sees none or a whole one.
Result<void> make_cache_folder(const std::string& cachedir) {
  struct stat info {};
  if (::stat(cachedir.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return {};
  auto target = fs::path(cachedir);
  if (!target.has_filename()) target = target.parent_path();
  const auto parent = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  FLAKESTAT_TRY(sys::make_directories(parent.string()));
  std::string made = (parent / "pytest-cache-files-XXXXXX").string();
  if (::mkdtemp(made.data()) == nullptr) return sys::errno_error("create " + made, errno);
  const auto mask = ::umask(022);
  ::umask(mask);
  Result<void> done;
  if (::chmod(made.c_str(), 0777 & ~mask) != 0) done = sys::errno_error("chmod " + made, errno);
  if (done) done = sys::write_file(made + "/README.md", kReadMe);
  if (done) done = sys::write_file(made + "/.gitignore", kIgnore);
  if (done) done = sys::write_file(made + "/CACHEDIR.TAG", kTag);
  if (done && ::rename(made.c_str(), target.c_str()) == 0) return {};
  const int refused = errno;
  std::error_code ignored;
  fs::remove_all(made, ignored);
  if (!done) return done;
  // Another process was faster.
  if (refused == ENOTEMPTY || refused == EEXIST) return {};
  return sys::errno_error("create " + cachedir, refused);
}

}  // namespace

std::optional<std::string> merge_last_failed(std::string_view before, const LastFailedNews& news) {
  const Entries old(before);
  auto entries = old;
  replace_collectors(entries, news.collected);
  for (const auto& problem : news.problems) entries.put(problem);
  for (const auto& [id, fate] : news.settled) {
    if (is_failing(fate)) entries.put(id);
    else entries.remove(id);
  }
  if (!entries.changed() || entries.content() == old.content()) return std::nullopt;
  return entries.text();
}

std::optional<std::string> merge_node_ids(std::string_view before, const std::vector<std::string>& collected) {
  std::set<std::string> ids;
  simdjson::dom::parser parser;
  element root;
  simdjson::dom::array known;
  if (parse(parser, before, root) && root.get(known) == simdjson::SUCCESS) {
    for (const auto id : known) {
      if (std::string_view text; id.get(text) == simdjson::SUCCESS) ids.emplace(text);
    }
  }
  const auto size = ids.size();
  ids.insert(collected.begin(), collected.end());
  if (ids.size() == size) return std::nullopt;
  text::JsonWriter json;
  json.begin_array();
  for (const auto& id : ids) json.value(id);
  return json.end_array().take();
}

std::vector<std::string> read_last_failed(const std::string& cachedir) {
  std::vector<std::string> ids;
  const auto text =
      cachedir.empty() ? Result<std::string>(std::string()) : read_cached(cachedir + "/v/cache/lastfailed");
  simdjson::dom::parser parser;
  element root;
  simdjson::dom::object fields;
  if (!text || !parse(parser, *text, root) || root.get(fields) != simdjson::SUCCESS) return ids;
  for (const auto field : fields) ids.emplace_back(field.key);
  return ids;
}

Result<bool> update_pytest_cache(const std::string& cachedir, const LastFailedNews& news) {
  const auto folder = cachedir + "/v/cache";
  const auto failed_before = read_cached(folder + "/lastfailed");
  if (!failed_before) return failed_before.error();
  const auto ids_before = read_cached(folder + "/nodeids");
  if (!ids_before) return ids_before.error();
  const auto failed = merge_last_failed(*failed_before, news);
  const auto ids = merge_node_ids(*ids_before, news.collected);
  if (!failed && !ids) return false;
  FLAKESTAT_TRY(make_cache_folder(cachedir));
  if (failed) FLAKESTAT_TRY(sys::write_file(folder + "/lastfailed", *failed));
  if (ids) FLAKESTAT_TRY(sys::write_file(folder + "/nodeids", *ids));
  return true;
}

}  // namespace flakestat::store
