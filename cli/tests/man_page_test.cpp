#include "cli/help/man_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hallmark::cli {
namespace {

using testing::HasSubstr;

const ManualFacts facts{"0.1.0", "2026-01-02"};

CommandDescription command() {
  return {
      .name = "prog run",
      .text = "Runs .hidden things",
      .footer = "It's `bold`.\n\nExamples:\n  prog run 'a b' --x\n\nExit codes:\n  0  all is well",
      .options =
          {{.positional = "TARGET", .text = "A server"},
           {.names = {"-j", "--json"}, .value = "FILE", .text = "Writes JSON", .usual = "-"}},
      .commands = {}};
}

TEST(ManPage, OfACommand) {
  EXPECT_EQ(render_command_page(command(), facts),
            ".TH PROG\\-RUN 1 2026-01-02 \"Hallmark 0.1.0\" \"User Commands\"\n"
            ".SH NAME\nprog\\-run \\- Runs .hidden things\n"
            ".SH SYNOPSIS\n.B prog run\n[OPTIONS] [TARGET]\n"
            ".SH DESCRIPTION\nRuns .hidden things.\n"
            ".PP\nIt\\(aqs \\fBbold\\fR.\n"
            ".SH OPTIONS\n"
            ".TP\n\\fITARGET\\fR\nA server\n"
            ".TP\n\\fB\\-j\\fR, \\fB\\-\\-json\\fR \\fIFILE\\fR\nWrites JSON. Default: \\-.\n"
            ".SH EXAMPLES\n.nf\n  prog run \\(aqa b\\(aq \\-\\-x\n.fi\n"
            ".SH EXIT STATUS\n.nf\n  0  all is well\n.fi\n"
            ".SH SEE ALSO\n.BR hallmark (1)\n");
}

TEST(ManPage, ALineThatBeginsWithAPointIsNoRequest) {
  CommandDescription one = command();
  one.options = {{.names = {"--x"}, .text = std::string(78, 'a') + " .SH b"}};
  EXPECT_THAT(render_command_page(one, facts), HasSubstr("\n\\&.SH b\n"));
}

TEST(ManPage, CommandsOfACommandAreItsSections) {
  CommandDescription parent = command();
  parent.commands = {
      {.name = "prog run fast", .text = "Runs fast", .footer = "", .options = {}, .commands = {}}};
  EXPECT_THAT(render_command_page(parent, facts),
              HasSubstr(".SH COMMANDS\n.SS run fast\n.B prog run fast\n"));
}

TEST(ManPage, OfTheProgramNamesThePagesOfItsCommands) {
  const CommandDescription program{
      .name = "prog", .text = "A program", .footer = "", .options = {}, .commands = {command()}};
  EXPECT_THAT(render_program_page(program, facts),
              HasSubstr(".TP\n.BR prog\\-run (1)\nRuns .hidden things.\n"));
}

}  // namespace
}  // namespace hallmark::cli
