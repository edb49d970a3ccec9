#include "text/man_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flakestat::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandEntry sample() {
  CommandEntry command;
  command.path = {"flakestat", "ledger", "show"};
  command.help = "Print the \"ledger\"";
  command.footer = "Example:\n  flakestat ledger show '{a}' \\n";
  OptionEntry format;
  format.names = {"-f", "--format"};
  format.value = "TEXT";
  format.choices = {"text", "json"};
  format.help = ".SH is no heading here";
  format.group = "Output";
  OptionEntry shuffle;
  shuffle.names = {"--shuffle"};
  shuffle.value = "SEED";
  shuffle.optional_value = true;
  shuffle.help = "In another order";
  shuffle.group = "Options";
  OptionEntry files;
  files.names = {"files"};
  files.value = "TEXT";
  files.help = "What to read";
  files.group = "Positionals";
  files.positional = files.required = files.repeatable = true;
  command.options = {format, shuffle, files};
  return command;
}

TEST(EscapeRoff, NothingInATextIsARequestOrAnEscape) {
  EXPECT_EQ(escape_roff(".SH X"), "\\&.SH X");
  EXPECT_EQ(escape_roff("a\n.b\n'c"), "a\n\\&.b\n\\&\\(aqc");
  EXPECT_EQ(escape_roff("a.b"), "a.b");
  EXPECT_EQ(escape_roff("\\fBx"), "\\efBx");
  EXPECT_EQ(escape_roff("--a \"b\" `c` ^~"), "\\-\\-a \\(dqb\\(dq \\(gac\\(ga \\(ha\\(ti");
  EXPECT_EQ(escape_roff("caf\u00e9"), "caf\\[u00E9]");
  EXPECT_EQ(escape_roff("a\x1b[31m\t\xff"), "a [31m \\[uFFFD]");
}

TEST(ManPage, HasNameSynopsisOptionsAndExample) {
  const auto page = man_page(sample(), {"1.2.3", "2026-08-17"});
  EXPECT_THAT(page, HasSubstr(".TH \"FLAKESTAT\\-LEDGER\\-SHOW\" 1 \"2026-08-17\" \"flakestat 1.2.3\""));
  EXPECT_THAT(page, HasSubstr("flakestat\\-ledger\\-show \\- Print the \\(dqledger\\(dq\n"));
  EXPECT_THAT(page, HasSubstr("\\fBflakestat ledger show\\fR [\\fIoptions\\fR] \\fIfiles\\fR ...\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-f\\fR, \\fB\\-\\-format\\fR \\fITEXT\\fR\n\\&.SH is no heading here\n"));
  EXPECT_THAT(page, HasSubstr("One of: \\fBtext\\fR, \\fBjson\\fR.\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-\\-shuffle\\fR[=\\fISEED\\fR]\n"));
  EXPECT_THAT(page, HasSubstr(".SH EXAMPLES\n.nf\n  flakestat ledger show \\(aq{a}\\(aq \\en\n.fi\n"));
  EXPECT_THAT(page, HasSubstr(".SH \"SEE ALSO\"\n\\fBflakestat\\-ledger\\fR(1)\n"));
  EXPECT_EQ(man_page_name(sample()), "flakestat-ledger-show.1");
}

TEST(ManPage, OfTheProgramListsItsCommands) {
  CommandEntry program;
  program.path = {"flakestat"};
  program.commands = {sample()};
  const auto page = man_page(program, {});
  EXPECT_THAT(page, HasSubstr(".SH COMMANDS\n.TP\n\\fBshow\\fR\n"));
  EXPECT_THAT(page, Not(HasSubstr("SEE ALSO")));
}

}  // namespace
}  // namespace flakestat::text
