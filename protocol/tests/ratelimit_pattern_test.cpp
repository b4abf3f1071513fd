#include "protocol/rules/ratelimit_pattern.hpp"

#include <gmock/gmock.h>

#include <random>

namespace hallmark::protocol::ratelimit {
namespace {

using ::testing::ElementsAre;

/// `*` and `?` as in a rule file, without escapes.
Pattern pattern(std::string_view text) {
  Pattern made;
  for (const char byte : text) {
    if (byte == '*') {
      made.add_star();
    } else if (byte == '?') {
      made.add_any_byte();
    } else {
      made.add_literal(byte);
    }
  }
  return made;
}

/// Defines the meaning of a pattern in the plainest way; takes exponential time.
bool means(std::string_view pattern, std::string_view key) {
  if (pattern.empty()) return key.empty();
  if (pattern[0] == '*') {
    return means(pattern.substr(1), key) || (!key.empty() && means(pattern, key.substr(1)));
  }
  return !key.empty() && (pattern[0] == '?' || pattern[0] == key[0]) &&
         means(pattern.substr(1), key.substr(1));
}

std::string random_text(std::mt19937& random, std::string_view alphabet, std::size_t most) {
  std::string text(random() % (most + 1), ' ');
  for (char& byte : text) byte = alphabet[random() % alphabet.size()];
  return text;
}

TEST(Pattern, MatchesWhatItMeans) {
  std::mt19937 random(1);
  std::size_t matched = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = random_text(random, "ab*?", 8);
    const std::string key = random_text(random, "ab", 10);
    ASSERT_EQ(pattern(text).matches(key), means(text, key)) << text << " on " << key;
    matched += means(text, key) ? 1U : 0U;
  }
  EXPECT_GT(matched, 20'000U);
}

TEST(Pattern, CapturesAreWithinTheKeyAndMakeItUpWithTheRest) {
  Captures captures;
  ASSERT_TRUE(pattern("ws *=*.*").matches("ws ip=10.0.0.1", captures));
  EXPECT_THAT(captures, ElementsAre("ip", "10", "0.0.1"));
  ASSERT_TRUE(pattern("*").matches("", captures));
  EXPECT_THAT(captures, ElementsAre(""));
  ASSERT_TRUE(pattern("a?c").matches("abc", captures));
  EXPECT_TRUE(captures.empty());
}

TEST(Pattern, AnyByteMayBeAnyOfThem) {
  for (int code = 0; code < 256; ++code) {
    const std::string key{'a', static_cast<char>(code)};
    EXPECT_TRUE(pattern("a?").matches(key)) << code;
    EXPECT_TRUE(Pattern().add_literal('a').add_literal(static_cast<char>(code)).matches(key));
  }
}

TEST(Pattern, TheSizeOfAKeyOfManyNearMatchesIsNoTrouble) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "a*";
  // An exponential search would not end.
  EXPECT_FALSE(pattern(text + "b").matches(std::string(989, 'a')));
  EXPECT_TRUE(pattern(text).matches(std::string(989, 'a')));
}

/// By all keys of up to 7 bytes of two letters, one of which no pattern spells: longer ones and
/// more letters add nothing for patterns of 4 steps.
bool always_matches(std::string_view wide, std::string_view narrow) {
  for (unsigned length = 0; length < 8; ++length) {
    for (unsigned bits = 0; bits < (1U << length); ++bits) {
      std::string key;
      for (unsigned at = 0; at < length; ++at) key += ((bits >> at) & 1U) != 0 ? 'a' : 'z';
      if (means(narrow, key) && !means(wide, key)) return false;
    }
  }
  return true;
}

TEST(Pattern, CoversOnlyWhatItAlwaysMatches) {
  std::mt19937 random(2);
  std::size_t covered = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::string wide = random_text(random, "a*?", 4);
    const std::string narrow = random_text(random, "a*?", 4);
    if (!pattern(wide).covers(pattern(narrow))) continue;
    ASSERT_TRUE(always_matches(wide, narrow)) << wide << " over " << narrow;
    ++covered;
  }
  EXPECT_GT(covered, 100U);
}

TEST(Pattern, CoversAllThatItAlwaysMatchesWhereItHasNoQuestionMark) {
  std::mt19937 random(3);
  for (int i = 0; i < 3'000; ++i) {
    const std::string wide = random_text(random, "a*", 4);
    const std::string narrow = random_text(random, "a*?", 4);
    ASSERT_EQ(pattern(wide).covers(pattern(narrow)), always_matches(wide, narrow))
        << wide << " over " << narrow;
  }
}

TEST(Pattern, CoversItselfHoweverStarsAndQuestionMarksAreMixed) {
  EXPECT_TRUE(pattern("a*?*?b").covers(pattern("a??*b")));
  EXPECT_TRUE(pattern("a??*b").covers(pattern("a*?*?b")));
  EXPECT_TRUE(pattern("ws *").covers(pattern("ws ip=*")));
  EXPECT_FALSE(pattern("ws ip=*").covers(pattern("ws *")));
}

TEST(Pattern, KnowsItsShortestAndItsOnlyKey) {
  EXPECT_EQ(pattern("ab?*c*").shortest(), 4U);
  EXPECT_EQ(pattern("abc").literal(), "abc");
  EXPECT_EQ(pattern("").literal(), "");
  EXPECT_EQ(pattern("a?").literal(), std::nullopt);
  EXPECT_EQ(pattern("a*").literal(), std::nullopt);
}

}  // namespace
}  // namespace hallmark::protocol::ratelimit
