#include "protocol/text/state.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <fstream>
#include <random>
#include <sstream>

#include "cmake/places/places.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_state.hpp"
#include "protocol/tests/identifier.hpp"

namespace hallmark::protocol::state {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Readings released(tables::ratelimit_state, Profile::deployed);

Readings with(ReadingName reading, AnswerName answer) {
  Readings readings = released;
  EXPECT_TRUE(readings.set(reading, answer).has_value());
  return readings;
}

std::string name(const Format* format) { return std::string(format->name); }

std::vector<std::string> candidates(std::string_view text, const Taken& taken = {}) {
  const auto parsed = parse(text, released, taken);
  if (!parsed) return {};
  std::vector<std::string> names{name(parsed->format)};
  for (const Format* const other : parsed->others) names.push_back(name(other));
  return names;
}

struct Example {
  std::string text;
  Taken taken;
  std::string format;
};

std::string shown(const Example& example) { return example.text; }

class Written : public ::testing::TestWithParam<Example> {};

TEST_P(Written, ReadsAsItsFormatAndWritesTheSameBytes) {
  const Example& example = GetParam();
  const auto parsed = parse(example.text, released, example.taken);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().field << " " << parsed.error().offset << " "
                                  << parsed.error().reason;
  EXPECT_EQ(parsed->format->name, example.format);
  EXPECT_THAT(parsed->others, IsEmpty());
  EXPECT_TRUE(canonical(*parsed));
  const auto again = write(*parsed->format, parsed->values(), released);
  ASSERT_TRUE(again.has_value()) << again.error().field << " " << again.error().reason;
  EXPECT_EQ(*again, example.text);
}

INSTANTIATE_TEST_SUITE_P(
    Document, Written,
    ::testing::Values(
        Example{"12|8.5|1761884055342794596", {}, "token-bucket/12"},
        Example{"23|2|default|3|1761884055342794596|hourly|10|1761884055342794596",
                {},
                "fixed-window/23"},
        Example{"32|5|1761884055342794596", {}, "leaky-bucket/32"},
        Example{"42|1761884055342794596", {}, "gcra/42"},
        Example{
            "51|23|1|default|2|1761884055342794596$12|8.5|1761884055342794596", {}, "composite/51"},
        Example{"v1|8.5|1761884055342794596|10|2", {"token-bucket"}, "token-bucket/v1"},
        Example{"v2|8.5|1761884055342794596|", {"token-bucket"}, "token-bucket/v2"},
        Example{"v1|3|1761884055342794596|60000000000", {"fixed-window"}, "fixed-window/v1"},
        Example{"v2|3|1761884055342794596|", {"fixed-window"}, "fixed-window/v2"},
        Example{"v1|5|1761884055342794596|10|2.5", {"leaky-bucket"}, "leaky-bucket/v1"},
        Example{"v2|5|1761884055342794596|", {"leaky-bucket"}, "leaky-bucket/v2"},
        Example{"v1|1761884055342794596|1000|5000", {"gcra"}, "gcra/v1"},
        Example{"v2|1761884055342794596|", {}, "gcra/v2"},
        Example{"cmp1|v2|3|17|$v2|8.5|17|",
                {"composite", "fixed-window", "token-bucket"},
                "composite/cmp1"},
        Example{"51|42|-6795364578871345152$32|0|0", {}, "composite/51"}),
    [](const auto& row) {
      return test::identifier(fmt::format("{}_{}", row.index, shown(row.param)));
    });

struct Refused {
  std::string text;
  Taken taken;
  std::size_t offset;
  std::string field;
  std::string reason;
};

class Refusals : public ::testing::TestWithParam<Refused> {};

TEST_P(Refusals, SayWhereAndWhy) {
  const Refused& refused = GetParam();
  const auto parsed = parse(refused.text, released, refused.taken);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().offset, refused.offset);
  EXPECT_EQ(parsed.error().field, refused.field);
  EXPECT_THAT(parsed.error().reason, HasSubstr(refused.reason));
}

INSTANTIATE_TEST_SUITE_P(
    Strings, Refusals,
    ::testing::Values(
        Refused{"", {}, 0, "header", "empty"}, Refused{"12", {}, 0, "header", "\"12\" starts no"},
        Refused{"62|1", {}, 0, "header", "\"62|\" starts no state"},
        Refused{"13|1|2", {}, 0, "header", "expected one of 12| v2| v1| 23|"},
        Refused{"{\"Tokens\":5}", {}, 0, "header", "JSON"},
        Refused{"32|5|1", {"token-bucket"}, 0, "header", "starts no token-bucket"},
        Refused{"12|1|2", {"sliding-log"}, 0, "header", "no strategy is called sliding-log"},
        Refused{"12|", {}, 3, "tokens", "no plain finite float64"},
        Refused{"12|NaN|1", {}, 3, "tokens", "no plain finite float64"},
        Refused{"12|+5|1", {}, 3, "tokens", "no plain finite float64"},
        Refused{"12|05|1", {}, 3, "tokens", "no plain finite float64"},
        Refused{"12|0x5p1|1", {}, 4, "bar before last_refill", "\"|\" was expected"},
        Refused{"12|1e999|1", {}, 3, "tokens", "no plain finite float64"},
        Refused{"12|5", {}, 4, "bar before last_refill", "\"|\" was expected"},
        Refused{"12|5|", {}, 5, "last_refill", "no plain decimal"},
        Refused{"12|5|9223372036854775808", {}, 5, "last_refill", "no plain decimal"},
        Refused{"12|5|-0", {}, 5, "last_refill", "no plain decimal"},
        Refused{"12|5|1|", {}, 6, "last_refill", "1 byte is left over"},
        Refused{"v2|5|1", {"token-bucket"}, 6, "last bar", "\"|\" was expected"},
        Refused{"23|0", {}, 3, "quota_count", "0 is not 1 to 8"},
        Refused{"23|9", {}, 3, "quota_count", "9 is not 1 to 8"},
        Refused{"23|2|a|1|2", {}, 10, "bar before name", "\"|\" was expected"},
        Refused{"23|1|a|1|2|b|1|2", {}, 10, "start", "6 bytes are left over"},
        Refused{"23|1||1|2", {}, 5, "name", "is empty"},
        Refused{"23|1|a|1.5|2", {}, 8, "bar before start", "\"|\" was expected"},
        Refused{"23|18446744073709551616|a", {}, 3, "quota_count", "no unsigned decimal"},
        Refused{"51|12|5|1", {}, 3, "primary", "no '$' follows"},
        Refused{"51|$12|5|1", {}, 3, "primary", "is empty"},
        Refused{"51|12|5|1$", {}, 10, "secondary", "is empty"},
        Refused{"51|12|5|1$12|x|1", {}, 13, "secondary.tokens", "no plain finite float64"},
        Refused{"51|12|5|1$42|1.5", {}, 14, "secondary.tat", "2 bytes are left over"},
        Refused{"51|42|1.5$42|1", {}, 7, "primary.tat", "2 bytes are left over"},
        Refused{"51|51|12|5|1$12|5|1$12|5|1", {}, 6, "primary.primary", "no '$' follows"}),
    [](const auto& row) {
      return test::identifier(fmt::format("{}_{}", row.index, row.param.text));
    });

TEST(LegacyStrategy, IsToldByTheFieldsWhereOnlyOneHasThem) {
  EXPECT_THAT(candidates("v2|1761884055342794596|"), ElementsAre("gcra/v2"));
  EXPECT_THAT(candidates("v2|8.5|17|"), ElementsAre("token-bucket/v2", "leaky-bucket/v2"));
  EXPECT_THAT(candidates("v2|8|17|"),
              ElementsAre("token-bucket/v2", "fixed-window/v2", "leaky-bucket/v2"));
  EXPECT_THAT(candidates("v1|8|17|60"), ElementsAre("fixed-window/v1", "gcra/v1"));
  EXPECT_THAT(candidates("v1|8|17|60|1"), ElementsAre("token-bucket/v1", "leaky-bucket/v1"));
  EXPECT_THAT(candidates("v1|8|17|60", {"gcra"}), ElementsAre("gcra/v1"));
}

TEST(LegacyTail, FollowsItsReading) {
  const Readings none = with("legacy-tail", "none");
  EXPECT_TRUE(parse("v2|8.5|17", none, {"token-bucket"}).has_value());
  EXPECT_FALSE(parse("v2|8.5|17|", none, {"token-bucket"}).has_value());
}

TEST(HeaderHistory, FollowsItsReading) {
  EXPECT_FALSE(parse("v3|1|a|1|2", released).has_value());
  const auto parsed = parse("v3|1|a|1|2", with("header-history", "v3"));
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(name(parsed->format), "fixed-window/v3");
}

TEST(QuotaCount, FollowsItsReading) {
  const Readings any = with("quota-count", "any");
  EXPECT_TRUE(parse("23|0", any).has_value());
  std::string nine = "23|9";
  for (int i = 0; i < 9; ++i) nine += fmt::format("|q{}|1|2", i);
  EXPECT_TRUE(parse(nine, any).has_value());
}

TEST(NestedSplit, FollowsItsReading) {
  const std::string left = "51|51|12|1|1$12|2|2$12|3|3";
  const std::string right = "51|12|1|1$51|12|2|2$12|3|3";
  EXPECT_FALSE(parse(left, released).has_value());
  EXPECT_TRUE(parse(right, released).has_value());
  const Readings last = with("nested-split", "last");
  EXPECT_TRUE(parse(left, last).has_value());
  EXPECT_FALSE(parse(right, last).has_value());
}

TEST(Depth, IsBounded) {
  std::string text = "12|1|1";
  for (std::size_t i = 0; i < most_depth; ++i) text = "51|12|1|1$" + text;
  EXPECT_TRUE(parse(text, released).has_value());
  text = "51|12|1|1$" + text;
  const auto deeper = parse(text, released);
  ASSERT_FALSE(deeper.has_value());
  EXPECT_THAT(deeper.error().reason, HasSubstr("deeper than 8"));
}

TEST(Floats, OddSpellingsAreReadAndAreNotCanonical) {
  for (const std::string_view tokens : {"5.0", "8.50", "5e0", "1000000", "0.00001", "50e-1"}) {
    const std::string text = fmt::format("12|{}|1", tokens);
    const auto parsed = parse(text, released);
    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_FALSE(canonical(*parsed)) << text;
  }
}

TEST(Floats, AreWrittenAsTheEncoderOfTheLibraryWritesThem) {
  std::ifstream file(places::source("vectors/captured/ratelimit-state-float.tsv"));
  std::string line;
  std::size_t pairs = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream columns(line);
    std::uint64_t bits = 0;
    std::string text;
    columns >> std::hex >> bits >> text;
    char out[text::most_real_bytes];
    EXPECT_EQ(std::string(out, text::write_real(out, std::bit_cast<double>(bits))), text);
    const auto read = text::real_at_front(text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(read->length, text.size());
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read->number), bits) << text;
    ++pairs;
  }
  EXPECT_EQ(pairs, 31U);
}

TEST(Writing, RefusesWhatWouldReadBackAsSomethingElse) {
  const auto refused = [](MessageName format, const Record& values) {
    const auto text = write(*find_format(tables::ratelimit_state, format), values, released);
    return text ? *text : text.error().field + " " + text.error().reason;
  };
  const auto state = [](std::string_view text) { return base::to_bytes(text); };
  EXPECT_EQ(refused("composite/51", {{"primary", state("12|1|1$2")}, {"secondary", state("x")}}),
            "primary holds a '$', which would end it");
  EXPECT_EQ(refused("composite/51", {{"primary", state("")}, {"secondary", state("x")}}),
            "primary is empty");
  EXPECT_EQ(refused("fixed-window/23", {{"quotas", std::vector<Record>{}}}),
            "quota_count 0 is not 1 to 8");
  EXPECT_EQ(refused("fixed-window/23",
                    {{"quotas", std::vector<Record>{Record{
                                    {"name", state("a|b")}, {"count", 1UL}, {"start", 1UL}}}}}),
            "name holds a '|'");
  EXPECT_EQ(
      refused("token-bucket/12",
              {{"tokens", std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())},
               {"last_refill", 1UL}}),
      "tokens is not finite");
  const auto last = with("nested-split", "last");
  const auto moved = write(*find_format(tables::ratelimit_state, "composite/51"),
                           {{"primary", state("12|1|1")}, {"secondary", state("51|a$b")}}, last);
  ASSERT_FALSE(moved.has_value());
  EXPECT_THAT(moved.error().reason, HasSubstr("read back"));
}

TEST(Annotations, GoThroughTheParts) {
  const auto parsed =
      parse("51|23|1|default|2|17$v2|8.5|18|", released, {"composite", "", "token-bucket"});
  ASSERT_TRUE(parsed.has_value());
  std::vector<std::string> lines;
  std::string covered;
  for (const Annotation& one : state::annotate(*parsed)) {
    lines.push_back(fmt::format("{} {} {}", one.offset, one.path, one.meaning));
    covered += parsed->text.substr(one.offset, one.length);
  }
  EXPECT_EQ(covered, parsed->text);
  EXPECT_THAT(lines, ::testing::Contains("0 header composite/51"));
  EXPECT_THAT(lines, ::testing::Contains("3 primary.header fixed-window/23"));
  EXPECT_THAT(lines, ::testing::Contains("16 primary.quotas[0].count 2 requests"));
  EXPECT_THAT(lines, ::testing::Contains("24 secondary.tokens 8.5 tokens"));
  EXPECT_THAT(lines,
              ::testing::Contains("28 secondary.last_refill 1970-01-01 00:00:00.000000018 UTC"));
}

/// Every single byte of a string is replaced, removed and doubled: what is still a state writes
/// back what it says, and nothing else happens.
TEST(DamagedStrings, AreReadAsWhatTheySayOrRefused) {
  std::mt19937_64 random(20);
  const std::string texts[] = {"12|8.5|1761884055342794596", "23|2|a|3|17|b|10|18",
                               "51|42|17$32|0.25|18", "v1|5|17|10|2.5", "cmp1|v2|17|$v2|1.5|18|"};
  std::size_t read = 0;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char byte : std::string_view("|$-+.eE0159vcx\0\n\xff", 17)) {
        for (std::string damaged :
             {std::string(text).replace(at, 1, 1, byte), std::string(text).erase(at, 1),
              std::string(text).insert(at, 1, byte)}) {
          const auto parsed = parse(damaged, released);
          if (!parsed) {
            EXPECT_LE(parsed.error().offset, damaged.size());
            EXPECT_FALSE(parsed.error().reason.empty());
            continue;
          }
          ++read;
          const auto again = write(*parsed->format, parsed->values(), released);
          ASSERT_TRUE(again.has_value()) << damaged;
          const auto reread = parse(*again, released, {parsed->format->strategy});
          ASSERT_TRUE(reread.has_value()) << *again;
          EXPECT_EQ(reread->values(), parsed->values()) << damaged;
        }
      }
    }
  }
  EXPECT_GT(read, 100U);
}

using FastTokenBucket =
    fast_text::State<tables::ratelimit_state,
                     fast_text::format_index(tables::ratelimit_state, "token-bucket/12")>;

TEST(FastCodec, AgreesWithTheWalker) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double tokens = std::bit_cast<double>(random());
    const auto time = static_cast<std::int64_t>(random());
    if (!std::isfinite(tokens)) continue;
    const std::string fast = fast_text::written<FastTokenBucket>(
        released, values("tokens"_f = tokens, "last_refill"_f = time));
    const auto generic = write(*find_format(tables::ratelimit_state, "token-bucket/12"),
                               {{"tokens", std::bit_cast<std::uint64_t>(tokens)},
                                {"last_refill", static_cast<std::uint64_t>(time)}},
                               released);
    ASSERT_EQ(fast, generic.value());
    FastTokenBucket::View view;
    ASSERT_TRUE(fast_text::decode(base::as_bytes(fast), released, view));
    EXPECT_EQ(view.real<"tokens">(), tokens);
    EXPECT_EQ(view.signed_number<"last_refill">(), time);
  }
}

}  // namespace
}  // namespace hallmark::protocol::state
