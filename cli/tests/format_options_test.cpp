#include "cli/decode/format_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/command_line.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

using testing::HasSubstr;

std::string refusal(const FormatArguments& arguments) {
  return read_format(arguments).error().message;
}

TEST(FormatOptions, DialectIsThatOfServersOfToday) {
  EXPECT_EQ(&read_format({})->dialect(), &protocol::throttr_7_3);
}

TEST(FormatOptions, WidthIsU16WhereTheDialectHasIt) {
  EXPECT_EQ(read_format({})->width, protocol::Width::u16);
  EXPECT_EQ(read_format({.dialect = "throttr-2.0"})->width, protocol::Width::u64);
}

TEST(FormatOptions, ReadingsStandUponTheProfileAndTheLastWins) {
  const auto format =
      read_format({.dialect = "throttr-7.1",
                   .profile = "literal",
                   .readings = {"delivery=code-size-payload", "status-prefix=yes",
                                "insert-existing=refused", "insert-existing=replaced"}});
  ASSERT_TRUE(format) << format.error().message;
  EXPECT_EQ(format->dialect().name, "throttr-7.1");
  EXPECT_TRUE(format->readings.reads({"status-prefix", "yes"}));
  EXPECT_TRUE(format->readings.reads({"insert-existing", "replaced"}));
  EXPECT_TRUE(format->readings.reads({"set-value-size", "one-byte"}));
}

TEST(FormatOptions, RefusalsSayWhatIsAllowed) {
  EXPECT_EQ(refusal({.readings = {"status-prefix"}}),
            "--reading status-prefix; allowed: READING=ANSWER, both as `hallmark readings` prints "
            "them");
  EXPECT_THAT(refusal({.readings = {"=yes"}}), HasSubstr("READING=ANSWER"));
  EXPECT_THAT(refusal({.readings = {"status-prefix="}}), HasSubstr("READING=ANSWER"));
  EXPECT_EQ(refusal({.dialect = "throttr-7.1", .readings = {"status-prefix=maybe"}}),
            "unknown answer 'maybe' to reading status-prefix: expected one of yes, no");
  EXPECT_THAT(refusal({.readings = {"colour=red"}}), HasSubstr("unknown reading 'colour'"));
  EXPECT_EQ(refusal({.dialect = "throttr-2.0", .width = "u8"}), "unknown width 'u8'; allowed: u64");
  EXPECT_EQ(refusal({.profile = "auto"}), "unknown profile 'auto'; allowed: deployed, literal");
  EXPECT_THAT(refusal({.dialect = "auto"}), HasSubstr("unknown dialect 'auto'"));
}

TEST(FormatAsked, AutoLeavesOpen) {
  const auto choice = read_asked({.dialect = "auto", .width = "auto", .profile = "auto"});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->dialect, nullptr);
  EXPECT_FALSE(choice->width);
  EXPECT_FALSE(choice->profile);
  EXPECT_FALSE(read_asked({.dialect = "auto"})->width);
  EXPECT_EQ(read_asked({.dialect = "auto", .width = "u32"})->width, protocol::Width::u32);
  EXPECT_EQ(read_asked({.dialect = "throttr-7.1", .width = "auto"})->dialect,
            &protocol::throttr_7_1);
}

TEST(FormatAsked, AWidthThatIsNotSaidIsOpenWhereTheDialectHasSeveral) {
  EXPECT_FALSE(read_asked({.dialect = "throttr-7.3"})->width);
  EXPECT_EQ(read_asked({.dialect = "throttr-2.0"})->width, protocol::Width::u64);
  EXPECT_EQ(read_asked({.dialect = "ratelimit-udp"})->width, protocol::Width::none);
}

TEST(FollowTarget, ChoosesTheDialectOfATransportThatHasOne) {
  const auto chosen = [](const std::string& target, std::vector<std::string> arguments) {
    Command app("", "prog");
    FormatArguments format{.dialect = std::string(automatic)};
    add_format_options(app, format, "the server", Follows::target, Automatic::all);
    EXPECT_FALSE(app.run(std::move(arguments)));
    follow_target(app, target, format);
    return format.dialect;
  };
  EXPECT_EQ(chosen("udp://127.0.0.1:1", {}), "ratelimit-udp");
  EXPECT_EQ(chosen("udp://127.0.0.1:1", {"--dialect", "auto"}), "ratelimit-udp");
  EXPECT_EQ(chosen("udp://127.0.0.1:1", {"--dialect", "throttr-7.1"}), "throttr-7.1");
  EXPECT_EQ(chosen("tcp://127.0.0.1:1", {}), "auto");
}

TEST(FormatAsked, PinsAreCheckedAgainstSomeDialect) {
  const auto choice = read_asked({.dialect = "auto", .readings = {"pair-identity=concatenation"}});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->pins, (std::vector<conformance::Pin>{{"pair-identity", "concatenation"}}));
  EXPECT_THAT(read_asked({.readings = {"pair-identity=pair"}}).error().message,
              HasSubstr("unknown reading 'pair-identity' of throttr-7.3"));
  EXPECT_EQ(read_asked({.dialect = "auto", .readings = {"pair-identity=x"}}).error().message,
            "unknown answer 'x' to reading pair-identity: expected one of pair, concatenation");
  EXPECT_EQ(read_asked({.dialect = "auto", .width = "u7"}).error().message,
            "unknown width 'u7'; allowed: u8, u16, u32, u64");
}

TEST(FormatOptions, AreAddedToACommand) {
  Command app("", "prog");
  FormatArguments arguments;
  add_format_options(app, arguments, "the server", Follows::target, Automatic::all);
  EXPECT_FALSE(app.run({"--dialect", "throttr-6.0", "--width", "u8", "--profile", "literal",
                        "--reading", "a=b", "--reading", "c=d"}));
  EXPECT_EQ(arguments.dialect, "throttr-6.0");
  EXPECT_EQ(arguments.width, "u8");
  EXPECT_EQ(arguments.profile, "literal");
  EXPECT_THAT(arguments.readings, testing::ElementsAre("a=b", "c=d"));
  EXPECT_THAT(app.run({"--help"})->text, HasSubstr("auto: finds out"));
}

}  // namespace
}  // namespace hallmark::cli
