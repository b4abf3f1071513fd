#include "base/json_cursor.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

/// Takes as many bytes as a parser does for its next token.
void advance(JsonCursor& cursor, std::size_t bytes) {
  auto at = cursor.begin();
  for (std::size_t i = 0; i < bytes; ++i) ++at;
}

TEST(JsonCursor, SharesItsPlaceWithAllIterators) {
  JsonCursor cursor("ab");
  auto first = cursor.begin();
  const auto second = first;
  ++first;
  EXPECT_EQ(*second, 'b');
  ++first;
  EXPECT_TRUE(second == cursor.end());
}

TEST(JsonCursor, FindsTokensAndWhatStandsBeforeThem) {
  JsonCursor cursor("{\n \"a\" : 12}");
  advance(cursor, 1);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "{");
  advance(cursor, 5);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "\"a\"");
  EXPECT_EQ(cursor.separator(), '\0');
  EXPECT_EQ(cursor.place().line, 2U);
  EXPECT_EQ(cursor.place().column, 2U);
  advance(cursor, 6);  // one beyond the number: only so its end is known
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "12");
  EXPECT_EQ(cursor.separator(), ':');
  EXPECT_EQ(cursor.place().column, 8U);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "}");
}

TEST(JsonCursor, HasNoTokenAtTheEnd) {
  JsonCursor cursor("\n");
  advance(cursor, 1);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "");
  EXPECT_EQ(cursor.place().line, 2U);
}

TEST(JsonCursor, CutsLongTokens) {
  JsonCursor cursor(std::string_view("1111111111222222222233333333334444444444x"));
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "1111111111222222222233333333334444444444");
}

}  // namespace
}  // namespace hallmark::base
