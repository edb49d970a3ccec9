// Owners of tests by the repository's CODEOWNERS file.
#pragma once

#include <string>

#include "app/world.hpp"
#include "model/test_score.hpp"
#include "rules/codeowners.hpp"

namespace flakestat::app {

/// Reads `.github/CODEOWNERS`, `CODEOWNERS` or `docs/CODEOWNERS`, the first that there is. None: nobody owns anything.
class CodeOwnersOf {
 public:
  explicit CodeOwnersOf(const World& world);

  /// The owners of the test's file, joined by commas; empty when nobody owns it or the report does not tell its file.
  [[nodiscard]] std::string of(const TestScore& test) const;

 private:
  std::string root_;
  std::string below_root_;  // the working directory seen from the root, with a slash behind it, or empty
  rules::CodeOwners owners_;
};

}  // namespace flakestat::app
