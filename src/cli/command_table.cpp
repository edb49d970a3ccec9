#include "cli/command_table.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.hpp"

namespace flakestat::cli {
namespace {

// IsMember describes itself as `{a,b}` behind the type: the only trace of the choices that CLI11 gives.
std::vector<std::string> choices_of(std::string_view type) {
  const auto open = type.find(":{");
  if (open == std::string_view::npos || !type.ends_with('}')) return {};
  std::vector<std::string> choices;
  for (const auto part : split(type.substr(open + 2, type.size() - open - 3), ',')) choices.emplace_back(part);
  return choices;
}

text::OptionEntry entry_of(const CLI::Option& option) {
  text::OptionEntry entry;
  const auto type = option.get_type_name();
  for (const auto& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.positional = entry.names.empty();
  if (entry.positional) entry.names.push_back(option.get_single_name());
  entry.help = option.get_description();
  entry.group = option.get_group();
  if (option.get_items_expected_max() > 0) {
    // `TEXT:PROBABILITY` is a PROBABILITY.
    const auto word = type.substr(0, type.find(":{"));
    entry.value = word.substr(word.rfind(':') + 1);
    if (entry.value.empty()) entry.value = "VALUE";
    entry.choices = choices_of(type);
    entry.optional_value = !entry.positional && option.get_items_expected_min() == 0;
  }
  entry.required = option.get_required();
  entry.repeatable = option.get_items_expected_max() > 1 || option.get_expected_max() > 1;
  return entry;
}

void fill(const CLI::App& app, std::vector<std::string> path, text::CommandEntry& entry) {
  entry.path = std::move(path);
  entry.help = app.get_description();
  entry.footer = app.get_footer();
  const auto shown = [](const CLI::Option* option) { return !option->get_group().empty(); };
  for (const auto* option : app.get_options(shown)) entry.options.push_back(entry_of(*option));
  for (const auto* below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (below->get_group().empty()) continue;
    auto deeper = entry.path;
    deeper.push_back(below->get_name());
    fill(*below, std::move(deeper), entry.commands.emplace_back());
  }
}

}  // namespace

text::CommandEntry command_table(const CLI::App& app) {
  text::CommandEntry program;
  fill(app, {app.get_name()}, program);
  return program;
}

}  // namespace flakestat::cli
