#include "protocol/rules/ratelimit_key_template.hpp"

#include <gmock/gmock.h>

#include <set>

namespace hallmark::protocol::ratelimit {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string key_of(std::string_view text, const KeyNumber& number) {
  const auto read = KeyTemplate::parse(text);
  return read ? read->key(number) : "refused: " + read.error().message;
}

TEST(KeyTemplate, PlacesAreFilled) {
  const KeyNumber number{.run = 17, .number = 3};
  EXPECT_EQ(key_of("user {}", number), "user 000000000017000003");
  EXPECT_THAT(key_of("ws ip={ip}", number),
              MatchesRegex("ws ip=24[0-7]\\.[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(key_of("ws ip={ip6}", number), MatchesRegex("ws ip=2001:db8:(1[0-9a-f]+:?){6}"));
  EXPECT_THAT(key_of("net 10.{octet}.{octet}.1", number),
              MatchesRegex("net 10\\.[0-9]+\\.[0-9]+\\.1"));
  EXPECT_EQ(key_of("ws global", number), "ws global");
}

TEST(KeyTemplate, KeysOfARunDiffer) {
  for (const std::string_view text : {"{}", "{ip}", "{ip6}"}) {
    std::set<std::string> keys;
    for (std::uint64_t number = 0; number < 5'000; ++number)
      EXPECT_TRUE(keys.insert(key_of(text, {.run = 99, .number = number})).second) << text;
    EXPECT_NE(key_of(text, {.run = 1, .number = 1}), key_of(text, {.run = 2, .number = 1}));
  }
}

TEST(KeyTemplate, NeighboursDifferInWhateverOctetsARuleCounts) {
  for (std::uint8_t octet = 1; octet < 4; ++octet) {
    Pattern one;
    one.add_star();
    const KeyTemplate keys = KeyTemplate::of(
        one, {{.kind = KeyPlace::Kind::address, .from = octet, .to = std::uint8_t(octet + 1)}});
    std::set<std::string> few;
    for (std::uint64_t number = 0; number < 40; ++number) few.insert(keys.key({5, number}));
    EXPECT_EQ(few.size(), 40U) << int{octet};
  }
}

TEST(KeyTemplate, OfAPatternEachStarIsAPlace) {
  Pattern pattern;
  for (const char byte : std::string_view("a=")) pattern.add_literal(byte);
  pattern.add_star().add_literal('/').add_any_byte();
  const KeyTemplate keys = KeyTemplate::of(pattern, {{.kind = KeyPlace::Kind::text}});
  EXPECT_EQ(keys.key({.run = 0xab, .number = 4}), "a=hallmark:00000000000000ab:4/0");
  const KeyTemplate letters =
      KeyTemplate::of(pattern, {{.kind = KeyPlace::Kind::text, .alphabet = "xy"}});
  EXPECT_THAT(letters.key({.run = 0xab, .number = 4}), MatchesRegex("a=[xy]{96}/0"));
}

TEST(KeyTemplate, OtherBracesAreRefused) {
  for (const std::string_view text :
       {"{", "}", "a{b", "{port}", "{}}", "{octet}{octet}{octet}{octet}{octet}"})
    EXPECT_THAT(key_of(text, {}), HasSubstr("key pattern '" + std::string(text) + "' has "));
}

}  // namespace
}  // namespace hallmark::protocol::ratelimit
