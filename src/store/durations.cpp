#include "store/durations.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "store/hunt_files.hpp"
#include "store/observation_codec.hpp"
#include "sys/file.hpp"
#include "sys/lock.hpp"
#include "text/json_writer.hpp"

namespace flakestat::store {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostBytes = std::size_t{512} << 20;
constexpr std::size_t kMostDepth = 8;
constexpr std::size_t kMostTests = 2'000'000;
constexpr std::size_t kLongestName = 4096;
constexpr std::int64_t kKeepSeconds = std::int64_t{90} * 86'400;
constexpr double kNewWeight = 0.3;
constexpr double kMostSeconds = 1e9;

std::string path_in(const std::string& dir) { return dir + "/" + std::string(kDurationsName); }

bool is_duration(double seconds) { return seconds >= 0 && seconds <= kMostSeconds; }

// Tenths of a millisecond: more digits would only be noise that differs from run to run.
double rounded(double seconds) { return std::round(seconds * 1e4) / 1e4; }

struct Parsed {
  Durations tests;
  std::string complaint;  // why nothing could be used
  bool newer = false;     // of a version that must not be overwritten
};

Parsed useless(std::string complaint, bool newer = false) { return {{}, std::move(complaint), newer}; }

// Entries that are none are left out: the others are as good as before.
void take_tests(const object& tests, Durations& out) {
  for (const auto field : tests) {
    TestDuration test;
    if (field.key.size() > kLongestName || field.value["seconds"].get(test.seconds) != simdjson::SUCCESS) continue;
    if (field.value["last_epoch"].get(test.last_epoch) != simdjson::SUCCESS || !is_duration(test.seconds)) continue;
    out.insert_or_assign(out.end(), std::string(field.key), test);
  }
}

Parsed parse(std::string_view json) {
  simdjson::dom::parser parser;
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS) return useless("too large to read");
  element root;
  if (const auto code = parser.parse(json.data(), json.size()).get(root); code != simdjson::SUCCESS) {
    return useless(std::string("not valid JSON: ") + simdjson::error_message(code));
  }
  std::int64_t version = 0;
  if (root["version"].get(version) != simdjson::SUCCESS) return useless("it has no version");
  if (version != kVersion)
    return useless("its version " + std::to_string(version) + " is not known", version > kVersion);
  object tests;
  if (root["tests"].get(tests) != simdjson::SUCCESS) return useless("it has no tests");
  Parsed parsed;
  take_tests(tests, parsed.tests);
  return parsed;
}

Parsed load(const std::string& path) {
  const auto json = sys::read_file(path, kMostBytes);
  if (!json && json.error().kind == ErrorKind::missing) return {};
  if (!json) return useless(json.error().message);
  return parse(*json);
}

std::string note_on(const std::string& path, const Parsed& parsed) {
  return path + " is ignored: " + parsed.complaint +
         (parsed.newer ? " to this flakestat, which leaves it as it is" : "; the next run replaces it");
}

void drop_old(Durations& known, std::int64_t now) {
  for (auto& [id, test] : known) test.last_epoch = std::min(test.last_epoch, now);  // of a clock that was wrong
  std::erase_if(known, [&](const auto& entry) { return entry.second.last_epoch < now - kKeepSeconds; });
  if (known.size() <= kMostTests) return;
  std::vector<std::int64_t> ages;
  ages.reserve(known.size());
  for (const auto& [id, test] : known) ages.push_back(test.last_epoch);
  const auto limit = ages.begin() + static_cast<std::ptrdiff_t>(known.size() - kMostTests);
  std::nth_element(ages.begin(), limit, ages.end());
  auto equal = static_cast<std::size_t>(std::count(ages.begin(), limit, *limit));
  std::erase_if(known, [&](const auto& entry) {
    if (entry.second.last_epoch == *limit && equal > 0) return equal-- > 0;
    return entry.second.last_epoch < *limit;
  });
}

}  // namespace

ReadDurations read_durations(const std::string& dir) {
  auto parsed = load(path_in(dir));
  ReadDurations read{std::move(parsed.tests), {}};
  if (!parsed.complaint.empty()) read.notes.push_back(note_on(path_in(dir), parsed));
  return read;
}

void merge_into(Durations& known, const std::vector<PassedExecution>& passed, UnixMillis now) {
  struct Sum {
    double seconds = 0;
    std::size_t times = 0;
  };
  std::unordered_map<std::string_view, Sum> run;
  for (const auto& [id, seconds] : passed) {
    if (!is_duration(seconds) || id.size() > kLongestName) continue;
    auto& sum = run[id];
    sum.seconds += seconds;
    ++sum.times;
  }
  for (const auto& [id, sum] : run) {
    const double mean = sum.seconds / static_cast<double>(sum.times);
    const auto old = known.find(id);
    const double seconds = old == known.end() ? mean : old->second.seconds + kNewWeight * (mean - old->second.seconds);
    const TestDuration merged{rounded(seconds), now / 1000};
    if (old == known.end()) known.emplace(id, merged);
    else old->second = merged;
  }
  drop_old(known, now / 1000);
}

Result<std::vector<std::string>> merge_durations(const std::string& dir, const std::vector<PassedExecution>& passed,
                                                 UnixMillis now) {
  if (passed.empty()) return std::vector<std::string>{};
  FLAKESTAT_TRY(sys::make_directories_durably(dir));
  const auto path = path_in(dir);
  FLAKESTAT_TRY(refuse_link(path));
  auto lock = sys::Lock::exclusive(lock_path(dir));
  if (!lock) return lock.error();
  auto notes = lock->notes();
  auto parsed = load(path);
  if (!parsed.complaint.empty()) notes.push_back(note_on(path, parsed));
  if (parsed.newer) return notes;
  merge_into(parsed.tests, passed, now);
  FLAKESTAT_TRY(sys::replace_file(path, encode_durations(parsed.tests)));
  return notes;
}

std::string encode_durations(const Durations& durations) {
  text::JsonWriter json(text::JsonStyle::compact);
  json.begin_object().field("version", kVersion).key("tests").begin_object();
  for (const auto& [id, test] : durations) {
    json.key(id).begin_object().field("seconds", test.seconds).field("last_epoch", test.last_epoch).end_object();
  }
  return json.end_object().end_object().finish();
}

}  // namespace flakestat::store
