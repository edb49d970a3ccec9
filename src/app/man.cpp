#include "text/man_page.hpp"

#include <string_view>
#include <vector>

#include "app/commands.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

// `ledger show` of a program's `flakestat ledger show`; empty for the program itself.
std::string words_below(const text::CommandEntry& command) {
  auto words = text::joined_path(command);
  words.erase(0, command.path.size() > 1 ? command.path.front().size() + 1 : words.size());
  return words;
}

Error unknown_command(const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string message = "no command " + in_quotes(name);
  if (const auto nearest = nearest_name(name, names)) message += ", did you mean " + std::string(*nearest) + "?";
  return {ErrorKind::usage, message};
}

Result<void> write_all_pages(const World& world, const ManRequest& request, const text::ManOptions& options) {
  const auto& folder = *request.output;
  FLAKESTAT_TRY(sys::make_directories(folder));
  Result<void> written;
  std::string names;
  text::for_each_command(request.program, [&](const text::CommandEntry& command) {
    if (!written) return;
    const auto path = folder + "/" + text::man_page_name(command);
    written = sys::replace_file(path, text::man_page(command, options));
    names += path + "\n";
  });
  if (!written) return written;
  return world.out(names);
}

}  // namespace

Result<Ending> man(const World& world, const ManRequest& request) {
  const text::ManOptions options{request.version, request.date};
  std::string wanted;
  for (const auto& word : request.command) wanted += (wanted.empty() ? "" : " ") + word;
  if (request.output && !wanted.empty())
    return Error{ErrorKind::usage, "--output writes every page: name no command with it"};
  if (request.output) {
    FLAKESTAT_TRY(write_all_pages(world, request, options));
    return Ending::done;
  }
  const text::CommandEntry* found = nullptr;
  std::vector<std::string> known;
  text::for_each_command(request.program, [&](const text::CommandEntry& command) {
    if (words_below(command) == wanted) found = &command;
    known.push_back(words_below(command));
  });
  if (found == nullptr) return unknown_command(wanted, known);
  FLAKESTAT_TRY(world.out(text::man_page(*found, options)));
  return Ending::done;
}

}  // namespace flakestat::app
