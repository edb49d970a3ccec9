// Who owns a path by a CODEOWNERS file. Pure: a function of the file's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flakestat::rules {

/// The rules of GitHub's CODEOWNERS: patterns as in .gitignore without negation and without brackets, the last one that
/// matches wins, also one without owners. A pattern without a slash inside matches at any depth; one that matches a
/// folder owns what is in it, except that a last `*` owns direct children only. GitLab's `[Section] @owner` lines give
/// their owners to the section's patterns that name none.
class CodeOwners {
 public:
  [[nodiscard]] static CodeOwners parse(std::string_view text);

  /// Owners of a file by its path from the repository's root, in the order of the line; empty: nobody.
  [[nodiscard]] const std::vector<std::string>& owners_of(std::string_view path) const;

 private:
  struct Rule {
    std::string itself;  // pattern of base/glob.hpp for the path; empty: folders only
    std::string below;   // the same for what lies below it; empty: nothing does
    std::vector<std::string> owners;
  };
  static Rule make_rule(std::string_view pattern, std::vector<std::string> owners);

  std::vector<Rule> rules_;
};

}  // namespace flakestat::rules
