#include "base/json_cursor.hpp"

#include <gtest/gtest.h>

namespace hallmark::base {
namespace {

void advance(JsonCursor::Iterator& at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) ++at;
}

TEST(JsonCursor, IsWhereItsIteratorIs) {
  JsonCursor cursor("ab");
  auto at = cursor.begin();
  EXPECT_EQ(cursor.last_byte(), '\0');
  ++at;
  EXPECT_EQ(*at, 'b');
  EXPECT_EQ(cursor.last_byte(), 'a');
  ++at;
  EXPECT_TRUE(at == cursor.end());
}

TEST(JsonCursor, FindsTokensAndWhatStandsBeforeThem) {
  JsonCursor cursor("{\n \"a\" : 12}");
  auto at = cursor.begin();
  advance(at, 1);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "{");
  advance(at, 5);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "\"a\"");
  EXPECT_EQ(cursor.separator(), '\0');
  EXPECT_EQ(cursor.place().line, 2U);
  EXPECT_EQ(cursor.place().column, 2U);
  advance(at, 6);  // one beyond the number: only so its end is known
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "12");
  EXPECT_EQ(cursor.separator(), ':');
  EXPECT_EQ(cursor.place().column, 8U);
  cursor.take_token();
  EXPECT_EQ(cursor.token(), "}");
}

TEST(JsonCursor, HasNoTokenAtTheEnd) {
  JsonCursor cursor("\n");
  auto at = cursor.begin();
  advance(at, 1);
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
