#include "stats/observation_store.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>

namespace flakestat::stats {
namespace {

constexpr UnixMillis kFarthest = std::int64_t{1} << 60;  // keeps the high bits of a time within 32

constexpr std::uint8_t kNoDigit = 0x80;

constexpr std::array<std::uint8_t, 256> hex_values() {
  std::array<std::uint8_t, 256> out{};
  out.fill(kNoDigit);
  for (std::uint8_t digit = 0; digit < 16; ++digit) {
    out[static_cast<std::uint8_t>("0123456789abcdef"[digit])] = digit;
    out[static_cast<std::uint8_t>("0123456789ABCDEF"[digit])] = digit;
  }
  return out;
}

// As parse_hex64, but without a branch a digit: keys are random, and every line has one.
std::optional<std::uint64_t> hex_number(std::string_view key) {
  static constexpr auto kValues = hex_values();
  if (key.size() != 16) return std::nullopt;
  std::uint64_t number = 0;
  std::uint8_t seen = 0;
  for (const char c : key) {
    const std::uint8_t value = kValues[static_cast<std::uint8_t>(c)];
    seen |= value;
    number = number << 4 | (value & 15U);
  }
  if ((seen & kNoDigit) != 0) return std::nullopt;
  return number;
}

// 0 stands for "no key", so a key whose digits are all 0 gets another number.
std::uint64_t key_number(std::string_view key) {
  if (key.empty()) return 0;
  const auto digits = hex_number(key);
  const std::uint64_t number = digits ? *digits : std::hash<std::string_view>{}(key);
  return number != 0 ? number : 1;
}

// Copies that share a host but not their own network can make each other fail (design, section 7, hunt).
bool shares_host(std::string_view isolation) {
  while (!isolation.empty()) {
    const auto comma = isolation.find(',');
    if (isolation.substr(0, comma) == "net") return false;
    if (comma == std::string_view::npos) return true;
    isolation.remove_prefix(comma + 1);
  }
  return false;
}

std::uint32_t at_least_zero(std::int32_t value) { return static_cast<std::uint32_t>(std::max(value, 0)); }

std::uint32_t marks(const Record& r) {
  const std::array<std::uint32_t, 9> parts{r.status,    r.known_flaky, r.quarantined, r.sanitised, r.partial,
                                           r.ambiguous, r.contended,   r.shared_host, r.undated};
  std::uint32_t out = 0;
  for (const std::uint32_t part : parts) out = out << 2 | part;
  return out;
}

Record record_of(const ObservationView& o, UnixMillis time) {
  Record out;
  out.time_low = static_cast<std::uint32_t>(time & ((std::int64_t{1} << kTimeBits) - 1)) & 0x7FFFFFFFU;
  out.attempt_low = at_least_zero(o.attempt) & ((1U << kAttemptBits) - 1);
  out.repetition_low = at_least_zero(o.repetition) & ((1U << kRepetitionBits) - 1);
  out.status = static_cast<std::uint32_t>(o.sanitised ? Status::skip : o.status) & 3U;
  out.known_flaky = o.known_flaky;
  out.quarantined = o.quarantined;
  out.sanitised = o.sanitised;
  out.partial = o.partial;
  out.ambiguous = o.ambiguous;
  out.contended = o.contended;
  out.shared_host = shares_host(o.isolation);
  out.undated = !o.has_ts;
  return out;
}

}  // namespace

std::uint32_t DimensionTable::intern(const ObservationView& observation) {
  std::string spelled;
  std::string_view text = observation.dimensions_raw;
  if (text.empty()) {
    for (const auto& [key, value] : observation.dimensions) {
      spelled.append(key).append(1, '\0').append(value).append(1, '\0');
    }
    text = spelled;
  }
  const std::uint32_t number = texts_.intern(text);
  if (number < pairs_.size()) return number;
  auto& pairs = pairs_.emplace_back();
  for (const auto& [key, value] : observation.dimensions) pairs.emplace_back(key, value);
  return number;
}

std::vector<std::pair<std::string_view, std::string_view>> DimensionTable::pairs(std::uint32_t number) const {
  return {pairs_[number].begin(), pairs_[number].end()};
}

void ObservationStore::add(const ObservationView& o) {
  const UnixMillis time = o.has_ts ? std::clamp(o.ts, -kFarthest, kFarthest) : 0;
  Group group;
  group.run = runs.intern(o.run_id);
  group.commit = commits.intern(o.commit);
  const bool same_text = o.code.data() == o.commit.data() && o.code.size() == o.commit.size();
  group.code = same_text || o.code.empty() ? group.commit : commits.intern(o.code);
  group.branch = branches.intern(o.branch);
  group.dimensions = dimensions.intern(o);
  group.time_high = static_cast<std::int32_t>(time >> kTimeBits);
  group.attempt_high = at_least_zero(o.attempt) >> kAttemptBits;
  group.repetition_high = at_least_zero(o.repetition) >> kRepetitionBits;
  group.hunt = o.source == Source::hunt;
  Record record = record_of(o, time);
  record.test = tests.intern(o.test_id, time, {o.suite, o.class_name, o.name, o.file});
  record.group = intern_group(group);
  records.push_back(record);
  exec_keys.push_back(key_number(o.exec_key));
}

std::size_t ObservationStore::GroupHash::operator()(const Group& g) const {
  std::uint64_t h = g.hunt ? 1 : 0;
  for (const std::uint32_t part : {g.run, g.commit, g.code, g.branch, g.dimensions,
                                   static_cast<std::uint32_t>(g.time_high), g.attempt_high, g.repetition_high}) {
    h = (h ^ part) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 32;
  }
  return h;
}

std::uint32_t ObservationStore::intern_group(const Group& group) {
  if (!groups.empty()) {
    for (const std::uint32_t number : recent_groups_) {
      if (groups[number] == group) return number;
    }
  }
  const auto [slot, added] = group_numbers_.try_emplace(group, static_cast<std::uint32_t>(groups.size()));
  if (added) groups.push_back(group);
  recent_groups_[next_recent_++ % kRecent] = slot->second;
  return slot->second;
}

bool ObservationStore::content_less(std::uint32_t a, std::uint32_t b) const {
  const Record& x = records[a];
  const Record& y = records[b];
  const Group& g = groups[x.group];
  const Group& h = groups[y.group];
  if (const auto s = time_of(x, g), t = time_of(y, h); s != t) return s < t;
  if (x.group != y.group) {
    const auto texts = [this](const Group& of) {
      return std::tuple(runs.text(of.run), commits.text(of.commit), commits.text(of.code), branches.text(of.branch),
                        dimensions.text(of.dimensions), of.hunt);
    };
    if (const auto s = texts(g), t = texts(h); s != t) return s < t;
  }
  const auto place = [](const Record& record, const Group& group, std::uint64_t id) {
    return std::tuple(repetition_of(record, group), attempt_of(record, group), id, marks(record));
  };
  return place(x, g, static_cast<std::uint64_t>(tests.id(x.test))) <
         place(y, h, static_cast<std::uint64_t>(tests.id(y.test)));
}

}  // namespace flakestat::stats
