#include "env/package_json.hpp"

#include <simdjson.h>

#include <algorithm>

namespace flakestat::env {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostDepth = 64;

void read_packages(const object& root, PackageJson& package) {
  for (const auto* section : {"dependencies", "devDependencies", "peerDependencies"}) {
    object names;
    if (root[section].get(names) != simdjson::SUCCESS) continue;
    for (const auto field : names) package.packages.emplace_back(field.key);
  }
}

void read_scripts(const object& root, PackageJson& package) {
  object scripts;
  if (root["scripts"].get(scripts) != simdjson::SUCCESS) return;
  for (const auto field : scripts) {
    std::string_view text;
    if (field.value.get(text) == simdjson::SUCCESS) package.scripts.emplace_back(field.key, text);
  }
}

}  // namespace

bool PackageJson::has_package(std::string_view name) const {
  return std::find(packages.begin(), packages.end(), name) != packages.end();
}

bool PackageJson::has_key(std::string_view name) const {
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

std::string_view PackageJson::test_script() const {
  for (const auto& [name, text] : scripts) {
    if (name == "test") return text;
  }
  return {};
}

Result<PackageJson> parse_package_json(std::string_view json) {
  if (json.starts_with("\xef\xbb\xbf")) json.remove_prefix(3);
  simdjson::dom::parser parser;
  if (parser.allocate(json.size() + 1, kMostDepth) != simdjson::SUCCESS)
    return Error{ErrorKind::damaged, "out of memory"};
  element document;
  if (const auto code = parser.parse(json.data(), json.size()).get(document); code != simdjson::SUCCESS)
    return Error{ErrorKind::damaged, std::string("not valid JSON: ") + simdjson::error_message(code)};
  object root;
  if (document.get(root) != simdjson::SUCCESS) return Error{ErrorKind::damaged, "not a JSON object"};
  PackageJson package;
  for (const auto field : root) package.keys.emplace_back(field.key);
  read_packages(root, package);
  read_scripts(root, package);
  return package;
}

bool script_runs(std::string_view script, std::string_view program) {
  std::size_t at = 0;
  while (at < script.size()) {
    const auto begin = script.find_first_not_of(" \t;&|()\"'", at);
    if (begin == std::string_view::npos) return false;
    const auto end = std::min(script.find_first_of(" \t;&|()\"'", begin), script.size());
    auto word = script.substr(begin, end - begin);
    if (const auto slash = word.rfind('/'); slash != std::string_view::npos) word.remove_prefix(slash + 1);
    if (word == program) return true;
    at = end;
  }
  return false;
}

}  // namespace flakestat::env
