#include "rules/quarantine_list.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/strings.hpp"
#include "rules/star_pattern.hpp"

namespace flakestat::rules {
namespace {

// Patterns of one beginning, by their endings.
struct Endings {
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, StarPattern>>> patterns;
  std::set<std::size_t> lengths;  // of the keys of `patterns`

  void add(std::size_t index, StarPattern pattern) {
    lengths.insert(pattern.ending().size());
    patterns[pattern.ending()].emplace_back(index, std::move(pattern));
  }

  void find(const std::string& text, std::vector<std::size_t>& found) const {
    for (const auto length : lengths) {
      if (length > text.size()) break;
      const auto at = patterns.find(text.substr(text.size() - length));
      if (at == patterns.end()) continue;
      for (const auto& [index, pattern] : at->second) {
        if (pattern.matches(text)) found.push_back(index);
      }
    }
  }
};

bool holds(const QuarantineEntry& entry, const Dimensions& dimensions) {
  return std::all_of(entry.when.begin(), entry.when.end(), [&](const auto& wanted) {
    const auto found = dimensions.find(wanted.first);
    return found != dimensions.end() && StarPattern(wanted.second).matches(found->second);
  });
}

}  // namespace

std::vector<std::string> spellings(const ListedTest& test) {
  auto all = framework_ids(test.names);
  all.push_back(display_name(test.names.suite, test.names.class_name, test.names.name));
  all.push_back(to_hex(test.id));
  if (!test.framework_id.empty()) all.emplace_back(test.framework_id);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

struct QuarantineList::Impl {
  std::vector<QuarantineEntry> entries;
  std::unordered_map<std::string, std::vector<std::size_t>> exact;
  // Patterns by what their matches begin and end with, so that a long list is not tried whole against every test.
  std::unordered_map<std::string, Endings> patterns;
  std::set<std::size_t> beginnings;  // lengths of the keys of `patterns`

  void add(const QuarantineEntry& entry) {
    const auto index = entries.size();
    entries.push_back(entry);
    StarPattern pattern(entry.pattern);
    if (!pattern.has_star()) {
      exact[parse_hex64(entry.pattern) ? ascii_lower(entry.pattern) : entry.pattern].push_back(index);
      return;
    }
    beginnings.insert(pattern.beginning().size());
    auto& endings = patterns[pattern.beginning()];
    endings.add(index, std::move(pattern));
  }

  void find(const std::string& text, std::vector<std::size_t>& found) const {
    if (const auto at = exact.find(text); at != exact.end())
      found.insert(found.end(), at->second.begin(), at->second.end());
    for (const auto length : beginnings) {
      if (length > text.size()) break;
      const auto at = patterns.find(text.substr(0, length));
      if (at != patterns.end()) at->second.find(text, found);
    }
  }
};

QuarantineList::QuarantineList() : impl_(std::make_unique<Impl>()) {}
QuarantineList::QuarantineList(QuarantineList&&) noexcept = default;
QuarantineList& QuarantineList::operator=(QuarantineList&&) noexcept = default;
QuarantineList::~QuarantineList() = default;

QuarantineList QuarantineList::of(const QuarantineDocument& document) {
  QuarantineList list;
  for (const auto& line : document.lines) {
    if (line.entry) list.impl_->add(*line.entry);
  }
  return list;
}

Result<QuarantineList> QuarantineList::parse(std::string_view text, const std::string& name, Day today) {
  return checked(read_quarantine_document(text), name, today);
}

Result<QuarantineList> QuarantineList::checked(const QuarantineDocument& document, const std::string& name, Day today) {
  const auto refuse = [&](std::size_t line, const std::string& why) {
    return Error{ErrorKind::config, name + ": line " + std::to_string(line) + ": " + why};
  };
  if (!document.problems.empty()) return refuse(document.problems.front().line, document.problems.front().message);
  auto list = of(document);
  for (const auto& entry : list.entries()) {
    if (entry.expires && *entry.expires - today > kLongestQuarantine) {
      return refuse(entry.line, "expires=" + format_day(*entry.expires) + " is more than a year away");
    }
  }
  return list;
}

std::vector<std::size_t> QuarantineList::entries_naming(const ListedTest& test) const {
  std::vector<std::size_t> found;
  if (impl_->entries.empty()) return found;
  for (const auto& text : spellings(test)) impl_->find(text, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool QuarantineList::names(std::size_t index, const ListedTest& test) const {
  const auto found = entries_naming(test);
  return std::binary_search(found.begin(), found.end(), index);
}

const QuarantineEntry* QuarantineList::match(const ListedTest& test, const Dimensions& dimensions, Day today) const {
  for (const auto index : entries_naming(test)) {
    const auto& entry = impl_->entries[index];
    if (!entry.expired_on(today) && holds(entry, dimensions)) return &entry;
  }
  return nullptr;
}

const QuarantineEntry* QuarantineList::expired_match(const ListedTest& test, const Dimensions& dimensions,
                                                     Day today) const {
  for (const auto index : entries_naming(test)) {
    const auto& entry = impl_->entries[index];
    if (entry.expired_on(today) && holds(entry, dimensions)) return &entry;
  }
  return nullptr;
}

const std::vector<QuarantineEntry>& QuarantineList::entries() const { return impl_->entries; }

}  // namespace flakestat::rules
