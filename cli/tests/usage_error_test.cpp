#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

/// A program with a command that takes a target, a group of two commands, and a command
/// with more options than are listed.
std::string refused(std::vector<std::string> arguments) {
  Command app("", "prog");
  app.require_subcommand(1);
  auto* run = app.add_subcommand("run");
  std::string target;
  unsigned threads = 0;
  bool closed = false;
  run->add_option("TARGET", target)->required();
  run->add_option("--threads", threads)->range(1U, 8U);
  run->add_flag("--closed", closed);
  auto* group = app.add_subcommand("group");
  group->require_subcommand(1);
  group->add_subcommand("list");
  group->add_subcommand("check");
  auto* many = app.add_subcommand("many");
  bool flag = false;
  for (const char* const name : {"--one", "--two", "--three", "--four", "--five"})
    many->add_flag(name, flag);
  const auto not_run = app.run(std::move(arguments));
  return not_run ? not_run->text : "accepted";
}

struct Mistake {
  const char* name;
  std::vector<std::string> arguments;
  const char* line;
};

void PrintTo(const Mistake& row, std::ostream* out) { *out << row.name; }

class UsageError : public testing::TestWithParam<Mistake> {};

TEST_P(UsageError, SaysWhatCameAndWhatIsAllowed) {
  EXPECT_EQ(refused(GetParam().arguments), GetParam().line);
}

const Mistake mistakes[] = {
    {"Nothing", {}, "prog: no command came; allowed: run, group, many"},
    {"UnknownCommand", {"rum"}, "prog: unknown command 'rum'; did you mean run?"},
    {"NoCommandIsNear", {"bench"}, "prog: unknown command 'bench'; allowed: run, group, many"},
    {"UnknownOptionBeforeCommand",
     {"--x"},
     "prog: unknown option '--x'; allowed: --help, --help-all"},
    {"NoCommandInGroup", {"group"}, "prog group: no command came; allowed: list, check"},
    {"UnknownCommandInGroup",
     {"group", "diff"},
     "prog group: unknown command 'diff'; allowed: list, check"},
    {"MistypedCommandInGroup",
     {"group", "lsit"},
     "prog group: unknown command 'lsit'; did you mean list?"},
    {"UnknownOption",
     {"run", "--thread", "4", "t"},
     "prog run: unknown option '--thread'; did you mean --threads?"},
    {"UnknownOptionWithValue",
     {"run", "--thraeds=4", "t"},
     "prog run: unknown option '--thraeds=4'; did you mean --threads?"},
    {"OneDash",
     {"run", "-closed", "t"},
     "prog run: unknown option '-closed'; did you mean --closed?"},
    {"NoneOfManyIsNear",
     {"many", "--quorum"},
     "prog many: unknown option '--quorum'; see prog many --help"},
    {"UnknownOptionOutranksMissingTarget",
     {"run", "--x"},
     "prog run: unknown option '--x'; allowed: --help, --help-all, --threads, --closed"},
    {"SurplusArgument",
     {"run", "a", "b"},
     "prog run: unexpected argument 'b'; allowed: one TARGET"},
    {"ArgumentOfCommandWithoutAny",
     {"group", "list", "b"},
     "prog group list: unexpected argument 'b'; allowed: none"},
    {"MissingTarget", {"run"}, "prog run: TARGET is required; see prog run --help"},
    {"OutOfRange",
     {"run", "t", "--threads", "9"},
     "prog run: --threads: Value 9 not in range 1 to 8; see prog run --help"},
};

INSTANTIATE_TEST_SUITE_P(Rows, UsageError, testing::ValuesIn(mistakes),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::cli
