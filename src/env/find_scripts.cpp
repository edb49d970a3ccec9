// RSpec, minitest, PHPUnit and bats.
#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.hpp"
#include "env/framework_search.hpp"

namespace flakestat::env {
namespace {

constexpr std::size_t kMostBatsFolders = 20;  // named one by one; more are found by -r
constexpr std::string_view kMinitestFiles = "Dir['./test/**/{test_*,*_test}.rb'].sort.each { |file| require file }";

// The part of `path` in front of its first folder called `name`: `a` of `a/spec/models`. Nothing: it has none.
std::optional<std::string> before_folder(std::string_view path, std::string_view name) {
  std::string before;
  for (const auto part : split(path, '/')) {
    if (part == name) return before;
    before = joined(before, part);
  }
  return std::nullopt;
}

struct Ruby {
  const FrameworkSearch& search;
  std::string folder;
  std::string gems;  // what Gemfile and its lock say

  Ruby(const FrameworkSearch& the_search, std::string the_folder) : search(the_search), folder(std::move(the_folder)) {
    for (const auto* name : {"Gemfile", "Gemfile.lock"}) gems += search.tree.text(joined(folder, name));
  }

  [[nodiscard]] bool has_gem(std::string_view name) const {
    if (contains(gems, name)) return true;
    if (!search.machine.has_program("ruby")) return false;
    return search.machine.succeeds({"ruby", "-e", "Gem::Specification.find_by_name(ARGV[0])", std::string(name)},
                                   search.tree.absolute(folder));
  }

  [[nodiscard]] std::string add_gem(std::string_view name) const {
    return (gems.empty() ? "gem install " : "bundle add --group test ") + std::string(name);
  }
};

void add_rspec(FrameworkSearch& search, const std::string& folder, const std::string& evidence) {
  if (search.covered(Framework::rspec, folder)) return;
  const Ruby ruby(search, folder);
  FoundFramework found{Framework::rspec, folder, evidence, {"rspec"}, search.report(), {}, {}, {}};
  if (contains(ruby.gems, "rspec")) found.command = {"bundle", "exec", "rspec"};
  const auto program = found.command.front();
  found.command.insert(found.command.end(),
                       {"--format", "progress", "--format", "RspecJunitFormatter", "--out", "{junit}"});
  search.need_program(found, program, program == "rspec" ? "gem install rspec" : "gem install bundler");
  if (!ruby.has_gem("rspec_junit_formatter"))
    found.missing.push_back({"the gem rspec_junit_formatter is not installed", ruby.add_gem("rspec_junit_formatter")});
  search.found.push_back(std::move(found));
}

void add_minitest(FrameworkSearch& search, const std::string& folder, const std::string& evidence) {
  if (search.covered(Framework::minitest, folder)) return;
  const Ruby ruby(search, folder);
  FoundFramework found{Framework::minitest, folder, evidence, {}, {}, {}, {}, {}};
  const bool rails = search.tree.exists(joined(folder, "bin/rails"));
  if (rails) {
    found.command = {"bin/rails", "test"};
  } else {
    if (contains(ruby.gems, "minitest")) found.command = {"bundle", "exec"};
    found.command.insert(found.command.end(), {"ruby", "-Ilib", "-Itest", "-e", std::string(kMinitestFiles), "--"});
  }
  if (ruby.has_gem("minitest-junit")) {
    found.command.insert(found.command.end(), {"--junit", "--junit-filename={junit}"});
    found.junit = search.report();
  } else {
    found.missing.push_back(
        {"the gem minitest-junit is not installed, and minitest writes no report: only exit codes are seen",
         ruby.add_gem("minitest-junit") + ", then init again"});
  }
  if (!rails) search.need_program(found, found.command.front(), "install Ruby");
  search.found.push_back(std::move(found));
}

bool is_minitest_file(std::string_view name) {
  return name.ends_with("_test.rb") || (name.starts_with("test_") && name.ends_with(".rb") && name != "test_helper.rb");
}

void find_rspec(FrameworkSearch& search, const ProjectFolder& folder) {
  const auto settings = joined(folder.path, ".rspec");
  if (search.tree.has(settings)) add_rspec(search, folder.path, settings);
  const auto project = before_folder(folder.path, "spec");
  if (!project) return;
  for (const auto& name : folder.files) {
    if (name.ends_with("_spec.rb")) return add_rspec(search, *project, joined(folder.path, name));
  }
}

void find_minitest(FrameworkSearch& search, const ProjectFolder& folder) {
  const auto project = before_folder(folder.path, "test");
  if (!project || search.covered(Framework::minitest, *project)) return;
  for (const auto& name : folder.files) {
    if (!is_minitest_file(name)) continue;
    const auto path = joined(folder.path, name);
    const auto text = ascii_lower(search.tree.text(path));
    if (contains(text, "minitest") || contains(text, "test_helper") || contains(text, "activesupport::testcase"))
      return add_minitest(search, *project, path);
  }
}

}  // namespace

void find_ruby(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) find_rspec(search, folder);
  for (const auto& folder : search.tree.folders()) find_minitest(search, folder);
}

void find_phpunit(FrameworkSearch& search) {
  for (const auto& folder : search.tree.folders()) {
    const auto settings = search.first_of(folder.path, {"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"});
    const auto composer = joined(folder.path, "composer.json");
    const bool required = contains(search.tree.text(composer), "\"phpunit/phpunit\"");
    if ((settings.empty() && !required) || search.covered(Framework::phpunit, folder.path)) continue;
    const bool own = required || search.tree.exists(joined(folder.path, "vendor/bin/phpunit"));
    FoundFramework found{Framework::phpunit,
                         folder.path,
                         settings.empty() ? composer : settings,
                         {own ? "vendor/bin/phpunit" : "phpunit", "--log-junit", "{junit}"},
                         search.report(),
                         {},
                         {},
                         {}};
    if (settings.empty()) found.command.emplace_back("tests");
    if (!own) search.need_program(found, "phpunit", "composer require --dev phpunit/phpunit");
    else if (!search.tree.exists(joined(folder.path, "vendor/bin/phpunit")))
      found.missing.push_back({"vendor/bin/phpunit is not there", "composer install"});
    search.found.push_back(std::move(found));
  }
}

void find_bats(FrameworkSearch& search) {
  std::set<std::string> folders;
  std::string evidence;
  for (const auto& folder : search.tree.folders()) {
    const auto file = std::find_if(folder.files.begin(), folder.files.end(),
                                   [](const std::string& name) { return name.ends_with(".bats"); });
    if (file == folder.files.end()) continue;
    if (evidence.empty()) evidence = joined(folder.path, *file);
    folders.insert(folder.path.empty() ? "." : folder.path);
  }
  if (folders.empty()) return;
  // bats names its report itself: the folder is the run's. Suites are named by the folders as they are given.
  const auto reports = search.state_dir + "/reports/bats-{run}";
  FoundFramework found{Framework::bats, "", evidence, {"bats"}, reports + "/report.xml", {}, {}, {}};
  found.command.insert(found.command.end(), {"--report-formatter", "junit", "-o", reports});
  if (folders.size() > kMostBatsFolders) {
    found.command.insert(found.command.end(), {"-r", "."});
  } else {
    found.command.insert(found.command.end(), folders.begin(), folders.end());
  }
  search.need_program(found, "bats", "install bats with your system's package manager");
  search.found.push_back(std::move(found));
}

}  // namespace flakestat::env
