#include "text/completions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/escape.hpp"

namespace flakestat::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A program with a command below a command, and help texts that mean something to shells.
CommandEntry sample() {
  CommandEntry show;
  show.path = {"flakestat", "ledger", "show"};
  show.help = "Bob's `list`: [all] $HOME";
  OptionEntry format;
  format.names = {"-f", "--format"};
  format.value = "TEXT";
  format.choices = {"text", "json"};
  format.help = "Form: [x] 'y' \\z $(touch /tmp/x)";
  OptionEntry keys;
  keys.names = {"--key"};
  keys.value = "K:V";
  keys.repeatable = true;
  OptionEntry shuffle;
  shuffle.names = {"--shuffle"};
  shuffle.value = "SEED";
  shuffle.optional_value = true;
  OptionEntry files;
  files.names = {"files"};
  files.positional = true;
  show.options = {format, keys, shuffle, files};
  CommandEntry ledger;
  ledger.path = {"flakestat", "ledger"};
  ledger.help = "The ledger";
  ledger.commands = {show};
  CommandEntry program;
  program.path = {"flakestat"};
  OptionEntry help;
  help.names = {"-h", "--help"};
  help.help = "Help";
  program.options = {help};
  program.commands = {ledger};
  return program;
}

TEST(ShellQuoted, NothingIsSpecial) { EXPECT_EQ(shell_quoted("a'b $x"), "'a'\\''b $x'"); }

TEST(BashCompletions, FollowCommandsAndValues) {
  const auto script = bash_completions(sample());
  EXPECT_THAT(script, HasSubstr("'flakestat ledger show') at="));
  EXPECT_THAT(script, HasSubstr("'flakestat ledger show -f' | 'flakestat ledger show --format')\n"));
  EXPECT_THAT(script, HasSubstr("compgen -W 'text json'"));
  EXPECT_THAT(script, HasSubstr("'flakestat ledger show') words='-f --format --key --shuffle'"));
  EXPECT_THAT(script, HasSubstr("'flakestat') words='ledger -h --help'"));
  EXPECT_THAT(script, Not(HasSubstr("show --shuffle')\n"))) << "its value may be left out: the next word is free";
}

TEST(ZshCompletions, EscapeWhatArgumentsTakesApart) {
  const auto script = zsh_completions(sample());
  EXPECT_THAT(script, HasSubstr("#compdef flakestat\n"));
  EXPECT_THAT(script,
              HasSubstr(R"('(-f --format)--format=[Form\: \[x\] '\''y'\'' \\z $(touch /tmp/x)]:TEXT:(text json)')"));
  EXPECT_THAT(script, HasSubstr(R"('*--key=[]:K\:V:_files')"));
  EXPECT_THAT(script, HasSubstr(R"('(--shuffle)--shuffle=-[]::SEED:_files')"));
  EXPECT_THAT(script, HasSubstr("show) _flakestat_ledger_show ;;"));
}

TEST(FishCompletions, KeepToTheCommandThatWasTyped) {
  const auto script = fish_completions(sample());
  EXPECT_THAT(script, HasSubstr("-n '__fish_use_subcommand' -a 'ledger' -d 'The ledger'"));
  EXPECT_THAT(script, HasSubstr("-n '__fish_seen_subcommand_from ledger; and not __fish_seen_subcommand_from show' "
                                "-a 'show' -d 'Bob\\'s `list`: [all] $HOME'"));
  EXPECT_THAT(script, HasSubstr("-n '__fish_seen_subcommand_from ledger; and __fish_seen_subcommand_from show' -s f "
                                "-l format -x -a 'text json' -d 'Form: [x] \\'y\\' \\\\z $(touch /tmp/x)'"));
}

}  // namespace
}  // namespace flakestat::text
