#include "text/shell_word.hpp"

#include <gtest/gtest.h>

#include "text/escape.hpp"
#include "text/nasty_text.hpp"

namespace flakestat::text {
namespace {

TEST(ShellWord, BareWhereNothingIsSpecial) {
  EXPECT_EQ(shell_word("--junitxml=r-{run}.xml"), "--junitxml=r-{run}.xml");
  EXPECT_EQ(shell_words({"pytest", "-k", "not slow", ""}), "pytest -k 'not slow' ''");
}

TEST(ShellWord, SingleQuotesKeepEverythingElse) {
  EXPECT_EQ(shell_word("a'b $x `y`"), "'a'\\''b $x `y`'");
  EXPECT_EQ(shell_word("~"), "'~'");
}

TEST(ShellWord, HiddenCharactersAndBrokenBytesAreEscapedExactly) {
  EXPECT_EQ(shell_word("\x1b[31m"), "$'\\033[31m'");
  EXPECT_EQ(shell_word("a\n1'\\"), "$'a\\0121\\'\\\\'");
  EXPECT_EQ(shell_word("\xff"), "$'\\377'");
  EXPECT_EQ(shell_word("\u202e"), "$'\\342\\200\\256'");
}

TEST(ShellWord, NothingOfItSteersATerminal) {
  NastyText nasty(7);
  for (int i = random_texts(); i > 0; --i) {
    const auto word = shell_word(nasty.next());
    ASSERT_EQ(escape_terminal(word), word);
  }
}

}  // namespace
}  // namespace flakestat::text
