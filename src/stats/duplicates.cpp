#include "stats/duplicates.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace flakestat::stats {
namespace {

// A set of keys that may also claim keys it does not hold: cheap enough to ask for every observation.
class KeySieve {
 public:
  explicit KeySieve(std::size_t expected)
      : bits_(std::bit_ceil(std::max<std::size_t>(expected, 64) * 16) / 64), mask_(bits_.size() - 1) {}

  /// Adds a key; true when it may have been there before.
  bool add(std::uint64_t key) {
    const auto [word, bits] = place(key);
    const bool before = (bits_[word] & bits) == bits;
    bits_[word] |= bits;
    return before;
  }
  [[nodiscard]] bool may_hold(std::uint64_t key) const {
    const auto [word, bits] = place(key);
    return (bits_[word] & bits) == bits;
  }

 private:
  // Three bits of one word a key: one memory access, and few claims that are wrong.
  [[nodiscard]] std::pair<std::size_t, std::uint64_t> place(std::uint64_t key) const {
    const std::uint64_t hash = (key ^ key >> 31) * 0x9E3779B97F4A7C15ULL;
    const std::uint64_t bits = std::uint64_t{1} << (hash >> 58) | std::uint64_t{1} << (hash >> 52 & 63) |
                               std::uint64_t{1} << (hash >> 46 & 63);
    return {(hash >> 12) & mask_, bits};
  }
  std::vector<std::uint64_t> bits_;
  std::size_t mask_;
};

struct Keyed {
  std::uint64_t key;
  std::uint32_t record;
};

// Records whose key may occur twice. The sieve sees a key's second occurrence, which names the key; a smaller sieve of
// the named keys then finds the first one too. What is claimed wrongly has a group of its own and falls out in the end.
std::vector<Keyed> candidates(const std::vector<std::uint64_t>& keys) {
  KeySieve seen(keys.size());
  std::vector<std::uint64_t> named;
  for (const std::uint64_t key : keys) {
    if (key != 0 && seen.add(key)) named.push_back(key);
  }
  std::vector<Keyed> out;
  if (named.empty()) return out;
  KeySieve repeated(named.size());
  for (const std::uint64_t key : named) repeated.add(key);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] != 0 && repeated.may_hold(keys[i])) out.push_back({keys[i], static_cast<std::uint32_t>(i)});
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> find_duplicates(const ObservationStore& store) {
  auto keyed = candidates(store.exec_keys);
  std::sort(keyed.begin(), keyed.end(),
            [](const Keyed& a, const Keyed& b) { return a.key != b.key ? a.key < b.key : a.record < b.record; });
  const auto counts_before = [&store](const Keyed& a, const Keyed& b) {
    const bool undated = store.records[a.record].undated;
    if (undated != store.records[b.record].undated) return !undated;
    return store.content_less(a.record, b.record);
  };
  std::vector<std::uint32_t> out;
  for (auto first = keyed.begin(); first != keyed.end();) {
    const auto last = std::find_if(first, keyed.end(), [first](const Keyed& k) { return k.key != first->key; });
    const auto counts = std::min_element(first, last, counts_before);
    for (auto other = first; other != last; ++other) {
      if (other != counts) out.push_back(other->record);
    }
    first = last;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace flakestat::stats
