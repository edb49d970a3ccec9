#include "stats/intern.hpp"

#include <tuple>

namespace flakestat::stats {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9E3779B97F4A7C15ULL;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9ULL;
  return x ^ x >> 32;
}

bool same(const TestNames& a, const TestNames& b) {
  return a.name == b.name && a.class_name == b.class_name && a.suite == b.suite && a.file == b.file;
}

auto order(const TestNames& n) { return std::tie(n.suite, n.class_name, n.name, n.file); }

std::uint32_t length(std::string_view text) { return static_cast<std::uint32_t>(text.size()); }

}  // namespace

std::uint32_t TextTable::intern(std::string_view text) {
  if (!texts_.empty()) {
    for (const auto& [recent, number] : recent_) {
      if (recent == text && recent.data() != nullptr) return number;
    }
  }
  auto found = numbers_.find(text);
  if (found == numbers_.end()) {
    texts_.emplace_back(text);
    found = numbers_.emplace(texts_.back(), size() - 1).first;
  }
  recent_[next_recent_++ % kRecent] = *found;
  return found->second;
}

TestTable::TestTable() : slots_(1024), seed_(mix(reinterpret_cast<std::uintptr_t>(slots_.data()))) {}

std::size_t TestTable::slot(TestId id) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix(static_cast<std::uint64_t>(id) ^ seed_) & mask;
  while (slots_[at] != 0 && ids_[slots_[at] - 1] != id) at = (at + 1) & mask;
  return at;
}

std::uint32_t TestTable::intern(TestId id, UnixMillis when, const TestNames& names) {
  // Reports list their tests in the same order every time: the next line is usually about the next test.
  std::uint32_t guess = last_ + 1;
  if (guess >= size()) guess = 0;
  if (guess >= size() || ids_[guess] != id) {
    const std::uint32_t found = slots_[slot(id)];
    if (found == 0) return last_ = add(id, when, names);
    guess = found - 1;
  }
  last_ = guess;
  if (when >= named_[guess].when) refresh(named_[guess], when, names);
  return guess;
}

std::uint32_t TestTable::add(TestId id, UnixMillis when, const TestNames& names) {
  if ((ids_.size() + 1) * 2 > slots_.size()) grow();
  const auto number = size();
  ids_.push_back(id);
  slots_[slot(id)] = number + 1;
  assign(named_.emplace_back(), names);
  named_.back().when = when;
  return number;
}

std::optional<std::uint32_t> TestTable::find(TestId id) const {
  const std::uint32_t found = slots_[slot(id)];
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

void TestTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const auto count = size();
  for (std::uint32_t number = 0; number < count; ++number) slots_[slot(ids_[number])] = number + 1;
}

void TestTable::refresh(Named& kept, UnixMillis when, const TestNames& names) {
  const TestNames old = view(kept);
  if (!same(old, names) && (when > kept.when || order(names) > order(old))) assign(kept, names);
  kept.when = when;
}

void TestTable::assign(Named& kept, const TestNames& names) {
  std::string text;
  text.reserve(names.suite.size() + names.class_name.size() + names.name.size() + names.file.size());
  text.append(names.suite).append(names.class_name).append(names.name).append(names.file);
  kept.text = std::move(text);
  kept.suite = length(names.suite);
  kept.class_name = length(names.class_name);
  kept.name = length(names.name);
}

TestNames TestTable::view(const Named& kept) {
  const std::string_view all = kept.text;
  const std::size_t name_at = std::size_t{kept.suite} + kept.class_name;
  return {all.substr(0, kept.suite), all.substr(kept.suite, kept.class_name), all.substr(name_at, kept.name),
          all.substr(name_at + kept.name)};
}

TestNames TestTable::names(std::uint32_t number) const { return view(named_[number]); }

}  // namespace flakestat::stats
