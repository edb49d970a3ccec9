#include "rules/codeowners.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace flakestat::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool owned(const std::string& pattern, const std::string& path) {
  return !CodeOwners::parse(pattern + " @x\n").owners_of(path).empty();
}

TEST(CodeOwners, TheLastMatchWinsAlsoWithoutOwners) {
  const auto owners = CodeOwners::parse("* @all\n/tests/ @qa @lead\n/tests/legacy/\n");
  EXPECT_THAT(owners.owners_of("src/a.py"), ElementsAre("@all"));
  EXPECT_THAT(owners.owners_of("tests/a.py"), ElementsAre("@qa", "@lead"));
  EXPECT_THAT(owners.owners_of("tests/legacy/a.py"), IsEmpty());
}

TEST(CodeOwners, APatternWithoutASlashMatchesAtAnyDepth) {
  EXPECT_TRUE(owned("*.js", "a/b/c.js"));
  EXPECT_TRUE(owned("*.js", "c.js"));
  EXPECT_FALSE(owned("*.js", "c.jsx"));
  EXPECT_TRUE(owned("apps/", "x/apps/y/z"));
  EXPECT_TRUE(owned("*", "a/b"));
}

TEST(CodeOwners, ASlashInsideOrInFrontAnchors) {
  EXPECT_TRUE(owned("/docs/", "docs/a/b.md"));
  EXPECT_FALSE(owned("/docs/", "x/docs/a.md"));
  EXPECT_TRUE(owned("docs/api", "docs/api/a.md"));
  EXPECT_FALSE(owned("docs/api", "x/docs/api/a.md"));
  EXPECT_TRUE(owned("/*.md", "a.md"));
  EXPECT_FALSE(owned("/*.md", "a/a.md"));
}

TEST(CodeOwners, ALastStarOwnsDirectChildrenOnly) {
  EXPECT_TRUE(owned("docs/*", "docs/a.md"));
  EXPECT_FALSE(owned("docs/*", "docs/build/a.md"));
  EXPECT_TRUE(owned("docs/**", "docs/build/a.md"));
  EXPECT_TRUE(owned("**/logs", "a/b/logs/x"));
}

TEST(CodeOwners, AFolderPatternDoesNotOwnAFileOfThatName) {
  EXPECT_FALSE(owned("build/", "build"));
  EXPECT_TRUE(owned("build", "build"));
}

TEST(CodeOwners, EscapesCommentsAndLiteralBrackets) {
  EXPECT_TRUE(owned("a\\ b.py", "a b.py"));
  EXPECT_TRUE(owned("app/[id].ts", "app/[id].ts"));
  EXPECT_FALSE(owned("app/[id].ts", "app/i.ts"));
  EXPECT_THAT(CodeOwners::parse("# *  @a\na.py @b # the owner\n").owners_of("a.py"), ElementsAre("@b"));
}

TEST(CodeOwners, SectionsGiveTheirOwners) {
  const auto owners = CodeOwners::parse("[Tests] @qa\n/tests/\n/tests/x.py @x\n^[Docs][2] @docs\n*.md\n");
  EXPECT_THAT(owners.owners_of("tests/a.py"), ElementsAre("@qa"));
  EXPECT_THAT(owners.owners_of("tests/x.py"), ElementsAre("@x"));
  EXPECT_THAT(owners.owners_of("a.md"), ElementsAre("@docs"));
}

TEST(CodeOwners, NothingOwnsNothing) { EXPECT_THAT(CodeOwners::parse("").owners_of("a"), IsEmpty()); }

TEST(CodeOwners, AHashInsideAPathBeginsNoComment) {
  const auto owners = CodeOwners::parse("/src/c#/ @csharp # who\n/docs/ @docs#2\n");
  EXPECT_THAT(owners.owners_of("src/c#/t.cs"), ElementsAre("@csharp"));
  EXPECT_THAT(owners.owners_of("src/c/t.c"), IsEmpty());
  EXPECT_THAT(owners.owners_of("docs/a.md"), ElementsAre("@docs"));
}

TEST(CodeOwners, AByteOrderMarkIsNoPartOfTheFirstPattern) {
  EXPECT_THAT(CodeOwners::parse("\xEF\xBB\xBF* @all\n").owners_of("a.c"), ElementsAre("@all"));
}

}  // namespace
}  // namespace flakestat::rules
