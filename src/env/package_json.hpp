// What a package.json says of tests. Foreign text: damaged or hostile files are a note, never more.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace flakestat::env {

struct PackageJson {
  std::vector<std::string> packages;  ///< names in dependencies, devDependencies and peerDependencies
  std::vector<std::string> keys;      ///< of the document itself: `jest` and `mocha` hold settings there
  std::vector<std::pair<std::string, std::string>> scripts;

  [[nodiscard]] bool has_package(std::string_view name) const;
  [[nodiscard]] bool has_key(std::string_view name) const;
  /// The text of the script `test`; empty: none.
  [[nodiscard]] std::string_view test_script() const;
};

/// Pure. Parts of a wrong type are left out; an error only when the text is no JSON object.
[[nodiscard]] Result<PackageJson> parse_package_json(std::string_view json);

/// True when `script` starts `program` (`npx jest --ci`, `cross-env A=1 node_modules/.bin/jest`).
[[nodiscard]] bool script_runs(std::string_view script, std::string_view program);

}  // namespace flakestat::env
