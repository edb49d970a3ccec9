#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "app/commands.hpp"
#include "app/settings.hpp"
#include "base/strings.hpp"
#include "env/config.hpp"
#include "env/frameworks.hpp"
#include "report/init.hpp"
#include "sys/file.hpp"

namespace flakestat::app {
namespace {

namespace fs = std::filesystem;
using report::ConfigState;

// In the state folder: what a team shares. Everything else there belongs to one machine.
constexpr const char* kShared[] = {"baseline.json", "quarantine*", "nextest.toml"};

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

// One call of `init`: what was found, what is chosen, and what gets written.
class Init {
 public:
  Init(const World& world, const InitRequest& request)
      : world_(world), request_(request), state_dir_(request.common.dir.value_or(".flakestat")) {}

  Result<Ending> run() {
    const auto tree = env::ProjectTree::read(world_.directory);
    auto scan = env::find_frameworks(tree, env::this_machine(world_.env), state_dir_);
    found_ = std::move(scan.frameworks);
    outcome_.directory = world_.directory;
    outcome_.dry_run = request_.dry_run;
    outcome_.notes = std::move(scan.notes);
    if (found_.empty()) return nothing_found();
    FLAKESTAT_TRY(check_framework());
    note_config_above();
    for (const auto& found : found_) FLAKESTAT_TRY(handle(found));
    FLAKESTAT_TRY(world_.out(request_.common.format.value_or("text") == "json"
                                 ? report::init_json(outcome_)
                                 : report::init_text(outcome_, look_of(world_))));
    return ending();
  }

 private:
  [[nodiscard]] Error nothing_found() const {
    std::string known;
    for (const auto& name : init_frameworks()) known += (known.empty() ? "" : ", ") + name;
    for (const auto& note : outcome_.notes) world_.warn("flakestat: " + note);
    return {ErrorKind::missing, "no test framework found in " + in_quotes(world_.directory) + " or below; known are " +
                                    known + "; without one, name the command: flakestat hunt --junit PATH -- COMMAND"};
  }

  [[nodiscard]] Result<void> check_framework() const {
    if (!request_.framework) return {};
    std::string seen;
    for (const auto& found : found_) {
      if (found.folder.empty() && env::to_string(found.framework) == *request_.framework) return {};
      seen += (seen.empty() ? "" : ", ") + std::string(env::to_string(found.framework)) +
              (found.folder.empty() ? "" : " in " + in_quotes(found.folder));
    }
    return Error{ErrorKind::missing, *request_.framework + " was not found in this folder; found: " + seen};
  }

  // A config above would have been used here until now.
  void note_config_above() {
    const auto above = env::find_config(world_.directory);
    if (above.empty() || fs::path(above).parent_path() == fs::path(world_.directory)) return;
    outcome_.notes.push_back(in_quotes(above) + " counts no longer in this folder once it has a config of its own");
  }

  [[nodiscard]] bool chosen(const env::FoundFramework& found) {
    if (!found.folder.empty() && !request_.all) return false;
    if (found.folder.empty() && request_.framework && env::to_string(found.framework) != *request_.framework)
      return false;
    return folders_.insert(found.folder).second;
  }

  Result<void> handle(const env::FoundFramework& found) {
    auto shown = shown_framework(found);
    if (found.command.empty()) {
      shown.state = ConfigState::no_command;
    } else if (chosen(found)) {
      shown.content = report::init_config(
          {found.command, found.junit, request_.common.dir.value_or(""), request_.common.default_branch.value_or("")});
      shown.state = !request_.force && is_there(absolute(shown.config)) ? ConfigState::kept
                    : request_.dry_run                                  ? ConfigState::shown
                                                                        : ConfigState::written;
      if (shown.state != ConfigState::kept) FLAKESTAT_TRY(write_all(found, shown));
    }
    outcome_.frameworks.push_back(std::move(shown));
    return {};
  }

  static report::InitFramework shown_framework(const env::FoundFramework& found) {
    report::InitFramework shown;
    shown.framework = env::to_string(found.framework);
    shown.folder = found.folder;
    shown.evidence = found.evidence;
    shown.command = found.command;
    shown.junit = found.junit;
    for (const auto& missing : found.missing) shown.missing.push_back({missing.what, missing.install});
    shown.notes = found.notes;
    shown.config = env::joined(found.folder, env::kConfigName);
    return shown;
  }

  // The config last: it must not name what could not be written.
  Result<void> write_all(const env::FoundFramework& found, const report::InitFramework& shown) {
    FLAKESTAT_TRY(write_ignores(found.folder));
    if (found.companion) {
      const auto path = env::joined(found.folder, found.companion->path);
      FLAKESTAT_TRY(write(path, found.companion->content));
      outcome_.files.push_back(path);
    }
    return write(shown.config, shown.content);
  }

  Result<void> write_ignores(const std::string& folder) {
    // A state folder elsewhere (absolute, or above) is not this repository's to ignore.
    const fs::path state(state_dir_);
    if (state.is_absolute() || state_dir_.starts_with("..")) return {};
    const auto file = env::joined(folder, request_.gitignore ? ".gitignore" : state_dir_ + "/.gitignore");
    const auto lines = request_.gitignore ? project_lines() : own_lines();
    if (outcome_.ignore_file.empty()) {
      outcome_.ignore_file = file;
      outcome_.ignore_lines = lines;
    }
    if (!request_.gitignore) return is_there(absolute(file)) ? Result<void>{} : write(file, as_text("", lines));
    return add_lines(file, lines);
  }

  // Only what is not said there already.
  Result<void> add_lines(const std::string& file, const std::vector<std::string>& lines) {
    std::string before;
    if (is_there(absolute(file))) {
      auto content = sys::read_file(absolute(file));
      if (!content) return content.error();
      before = std::move(content).value();
    }
    const auto present = split(before, '\n');
    std::vector<std::string> added;
    for (const auto& line : lines) {
      const bool said = std::any_of(present.begin(), present.end(), [&](auto other) { return trim(other) == line; });
      if (!said) added.push_back(line);
    }
    if (added.empty()) return {};
    if (!before.empty() && !before.ends_with('\n')) before += '\n';
    return write(file, as_text(std::move(before), added));
  }

  [[nodiscard]] std::vector<std::string> own_lines() const {
    std::vector<std::string> lines{"*", "!.gitignore"};
    for (const auto* name : kShared) lines.push_back(std::string("!") + name);
    return lines;
  }

  [[nodiscard]] std::vector<std::string> project_lines() const {
    std::vector<std::string> lines{"/" + state_dir_ + "/*"};
    for (const auto* name : kShared) lines.push_back("!/" + state_dir_ + "/" + name);
    return lines;
  }

  static std::string as_text(std::string before, const std::vector<std::string>& lines) {
    for (const auto& line : lines) before += line + "\n";
    return before;
  }

  Result<void> write(const std::string& path, const std::string& content) const {
    if (request_.dry_run) return {};
    return sys::write_file(absolute(path), content);
  }

  [[nodiscard]] std::string absolute(const std::string& path) const { return world_.directory + "/" + path; }

  [[nodiscard]] Result<Ending> ending() const {
    const auto any = [&](ConfigState state) {
      return std::any_of(outcome_.frameworks.begin(), outcome_.frameworks.end(),
                         [state](const auto& shown) { return shown.state == state; });
    };
    if (any(ConfigState::written) || any(ConfigState::shown)) return Ending::done;
    if (any(ConfigState::kept)) {
      return Error{ErrorKind::usage,
                   "nothing was written: there is a .flakestat.json already; --force overwrites it, "
                   "--dry-run --force shows what would be written"};
    }
    world_.warn(
        any(ConfigState::no_command) && !any(ConfigState::not_chosen)
            ? "flakestat: nothing was written: see what is missing"
            : "flakestat: nothing was written: the frameworks are in sub-folders; flakestat init --all writes there");
    return Ending::missing;
  }

  const World& world_;
  const InitRequest& request_;
  std::string state_dir_;
  std::vector<env::FoundFramework> found_;
  std::set<std::string> folders_;
  report::InitOutcome outcome_;
};

}  // namespace

Result<Ending> init(const World& world, const InitRequest& request) { return Init(world, request).run(); }

std::vector<std::string> init_frameworks() {
  std::vector<std::string> names;
  for (const auto framework : env::all_frameworks()) names.emplace_back(env::to_string(framework));
  return names;
}

}  // namespace flakestat::app
