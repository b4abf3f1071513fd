#include "cli/help/help.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CommandDescription two_options() {
  return {
      .name = "prog run",
      .text = "Runs",
      .footer = "",
      .options =
          {{.positional = "TARGET", .text = "A server", .required = true},
           {.names = {"-j", "--json"}, .value = "FILE", .text = "Writes JSON"},
           {.names = {"--seed"}, .value = "N", .text = "A seed", .usual = "7", .advanced = true}},
      .commands = {}};
}

TEST(Help, CommonOptionsAloneAndAll) {
  EXPECT_EQ(render_help(two_options(), HelpExtent::common),
            "Runs\n\n"
            "Usage: prog run [OPTIONS] TARGET\n\n"
            "Arguments:\n"
            "  TARGET                  A server\n\n"
            "Options:\n"
            "  -j, --json FILE         Writes JSON\n\n"
            "`prog run --help-all` shows 1 more option.\n");
  EXPECT_THAT(render_help(two_options(), HelpExtent::all),
              testing::EndsWith("  -j, --json FILE         Writes JSON\n"
                                "  --seed N                A seed [default: 7]\n"));
}

TEST(Help, AWideOptionHasItsTextBelow) {
  CommandDescription command = two_options();
  command.options[1].names = {"--a-name-as-long-as-this"};
  EXPECT_THAT(render_help(command, HelpExtent::common),
              HasSubstr("  --a-name-as-long-as-this FILE\n"
                        "                          Writes JSON\n"));
}

TEST(Help, ParagraphsAreJoinedAndExamplesKept) {
  CommandDescription command = two_options();
  command.footer = "One\nparagraph.\n\nExamples:\n  prog run a\n  prog run b";
  EXPECT_THAT(render_help(command, HelpExtent::all),
              testing::EndsWith("\nOne paragraph.\n\nExamples:\n  prog run a\n  prog run b\n"));
}

TEST(Help, TableRowsHangUnderTheirSecondColumn) {
  CommandDescription command = two_options();
  command.footer = "Exit codes:\n  2  " + std::string(70, 'x') + " yy zz";
  EXPECT_THAT(render_help(command, HelpExtent::all),
              testing::EndsWith("  2  " + std::string(70, 'x') + " yy\n     zz\n"));
}

TEST(Help, ExamplesBreakWhereAShellLetsThem) {
  EXPECT_THAT(
      wrapped_example("  hallmark certify 'exec:./server --port {port}' --width u8", 50),
      ElementsAre("  hallmark certify 'exec:./server --port {port}' \\", "      --width u8"));
  EXPECT_THAT(wrapped_example("  hallmark", 5), ElementsAre("  hallmark"));
}

TEST(Help, WrappedCountsCharactersAndKeepsLongWords) {
  EXPECT_THAT(wrapped("µµµ µµµ", 7), ElementsAre("µµµ µµµ"));
  EXPECT_THAT(wrapped("a abcdefgh b", 4), ElementsAre("a", "abcdefgh", "b"));
  EXPECT_THAT(wrapped("", 4), testing::IsEmpty());
}

/// A program with a group, and a command with an option of each kind.
std::string help_of(std::vector<std::string> arguments) {
  Command app("A program", "prog");
  auto* group = app.add_subcommand("group", "Several");
  auto* list = group->add_subcommand("list", "Lists");
  unsigned count = 3;
  bool flag = false;
  std::vector<std::string> names;
  list->add_option("NAME", names, "Names");
  list->add_option("--count", count, "How\nmany")->range(1U, 8U)->capture_default_str();
  list->add_flag("-f,--flag", flag, "A flag")->group("Others");
  list->advanced({"--count"});
  const auto not_run = app.run(std::move(arguments));
  return not_run && not_run->asked ? not_run->text : "";
}

TEST(Help, IsReadOffTheDeclarations) {
  const std::string common = help_of({"group", "list", "--help"});
  EXPECT_THAT(common, HasSubstr("Usage: prog group list [OPTIONS] [NAME...]\n"));
  EXPECT_THAT(common, HasSubstr("Others:\n  -f, --flag              A flag\n"));
  EXPECT_THAT(common, Not(HasSubstr("--count")));
  EXPECT_THAT(common, HasSubstr("`prog group list --help-all` shows 1 more option.\n"));
  EXPECT_THAT(help_of({"group", "list", "--help-all"}),
              HasSubstr("  --count N               How many (1 to 8) [default: 3]\n"));
  EXPECT_THAT(help_of({"--help"}), HasSubstr("Commands:\n  group         Several\n"));
  EXPECT_THAT(help_of({"group", "--help"}), HasSubstr("Usage: prog group [OPTIONS] COMMAND\n"));
}

}  // namespace
}  // namespace hallmark::cli
