#include "report/run_warnings.hpp"

#include <map>
#include <string_view>
#include <utility>

#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

constexpr std::size_t kMostPlaces = 10;

struct Group {
  const RunWarning* first = nullptr;
  std::vector<std::string_view> ids;
};

std::string_view file_of(std::string_view id) { return id.substr(0, id.find("::")); }

std::string places(const Group& group) {
  std::string out;
  if (group.ids.size() < kMostPlaces) {
    for (const auto id : group.ids) {
      if (!id.empty()) out += text::escape_terminal(id) + "\n";
    }
    return out;
  }
  std::vector<std::pair<std::string_view, std::size_t>> files;
  std::map<std::string_view, std::size_t> known;
  for (const auto id : group.ids) {
    const auto [at, added] = known.try_emplace(file_of(id), files.size());
    if (added) files.emplace_back(at->first, 0);
    ++files[at->second].second;
  }
  for (const auto& [file, count] : files) {
    out += (file.empty() ? std::string("elsewhere") : text::escape_terminal(file)) + ": " + counted(count, "warning") +
           "\n";
  }
  return out;
}

}  // namespace

std::string warnings_text(const std::vector<RunWarning>& warnings) {
  std::vector<Group> groups;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  for (const auto& warning : warnings) {
    const auto [at, added] = known.try_emplace({warning.location, warning.message}, groups.size());
    if (added) groups.push_back({&warning, {}});
    groups[at->second].ids.emplace_back(warning.id);
  }
  std::string out;
  for (const auto& group : groups) {
    if (!out.empty()) out += "\n";
    out += places(group);
    std::string said = group.first->location;
    if (!said.empty() && !group.first->message.empty()) said += ": ";
    said += group.first->message;
    for (const auto& line : text::terminal_lines(said)) out += "  " + line + "\n";
  }
  return out;
}

}  // namespace flakestat::report
