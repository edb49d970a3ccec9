#include "store/duplicates.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "store/log_scanner.hpp"
#include "store/observation_codec.hpp"

namespace flakestat::store {
namespace {

constexpr std::size_t kKeyDigits = 16;

// The exec_key where our own lines have it, at the end; nothing when it is not there.
std::string_view key_at_end(std::string_view line) {
  constexpr std::size_t kTail = kExecKeyField.size() + kKeyDigits + 2;
  if (line.size() < kTail || !line.ends_with("\"}")) return {};
  const auto tail = line.substr(line.size() - kTail);
  return tail.starts_with(kExecKeyField) ? tail.substr(kExecKeyField.size(), kKeyDigits) : std::string_view{};
}

bool mentions_key(std::string_view line) {
  static constexpr std::string_view kName = R"("exec_key")";
  return ::memmem(line.data(), line.size(), kName.data(), kName.size()) != nullptr;
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Duplicates::Duplicates(const EncodedBatch& batch) : batch_(batch), dropped_(batch.lines().size()) {
  const auto& lines = batch.lines();
  const auto keys =
      static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](auto& l) { return l.has_key; }));
  if (keys == 0) return;
  slots_.assign(std::bit_ceil(2 * keys), kEmpty);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].has_key) insert(static_cast<std::uint32_t>(i));
  }
}

// Where the key is, or the empty slot where it would be. Keys are digests, so their low bits are even enough.
std::size_t Duplicates::slot_of(std::uint64_t key) const {
  const auto mask = slots_.size() - 1;
  auto slot = static_cast<std::size_t>(key) & mask;
  while (slots_[slot] != kEmpty && batch_.lines()[slots_[slot]].key != key) slot = (slot + 1) & mask;
  return slot;
}

bool Duplicates::has(std::uint64_t key) const { return slots_[slot_of(key)] != kEmpty; }

void Duplicates::insert(std::uint32_t line) {
  const auto& lines = batch_.lines();
  auto& kept = slots_[slot_of(lines[line].key)];
  if (kept == kEmpty) {
    kept = line;
    return;
  }
  const auto rank = [&](std::uint32_t i) { return std::tie(lines[i].ts, batch_.run_id(lines[i])); };
  auto loser = line;
  if (rank(line) < rank(kept)) std::swap(loser, kept);
  drop(loser);
}

void Duplicates::drop(std::uint32_t line) {
  if (dropped_[line]) return;
  dropped_[line] = true;
  ++count_;
}

// Cheap for the usual line of a log: one look at its end.
bool Duplicates::may_matter(std::string_view line) const {
  const auto at_end = key_at_end(line);
  if (at_end.empty()) return mentions_key(line);
  const auto key = parse_hex64(at_end);
  return key && has(*key);
}

Result<void> Duplicates::search(LineBlocks& log) {
  LineBlock block;
  LogScanner scanner;
  ScannedBlock candidates;
  for (;;) {
    auto more = log.next(block);
    if (!more) return more.error();
    if (!*more) return {};
    collect(block.text(), candidates.block);
    if (candidates.block.size == 0) continue;
    scanner.scan(candidates);
    for (const auto& record : candidates.records) {
      const auto key = parse_hex64(record.exec_key);
      if (key && has(*key)) drop(slots_[slot_of(*key)]);
    }
  }
}

// The lines that need a real look, as a block of their own.
void Duplicates::collect(std::string_view text, LineBlock& candidates) const {
  candidates.size = 0;
  candidates.buffer.reserve(text.size(), 0);
  while (!text.empty()) {
    const auto size = std::min(text.find('\n'), text.size() - 1) + 1;
    const auto line = text.substr(0, size);
    text.remove_prefix(size);
    if (!may_matter(without_end(line))) continue;
    std::memcpy(candidates.buffer.data() + candidates.size, line.data(), size);
    candidates.size += size;
  }
}

}  // namespace flakestat::store
