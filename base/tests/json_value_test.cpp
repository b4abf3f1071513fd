#include <gmock/gmock.h>

#include <map>
#include <set>

#include "base/json.hpp"
#include "base/tests/parsed.hpp"

namespace hallmark::base {
namespace {

TEST(Json, IsMadeOfWhatItStandsFor) {
  EXPECT_EQ(Json().dump(), "null");
  EXPECT_EQ(Json(true).dump(), "true");
  EXPECT_EQ(Json(-3).dump(), "-3");
  EXPECT_EQ(Json(3U).dump(), "3");
  EXPECT_EQ(Json(std::string_view("a")).dump(), R"("a")");
  EXPECT_EQ(Json(std::vector<std::string>{"a", "b"}).dump(), R"(["a","b"])");
  EXPECT_EQ(Json(std::set<std::string>{}).dump(), "[]");
  EXPECT_EQ(Json(std::map<std::string, std::string>{{"a", "b"}}).dump(), R"({"a":"b"})");
  EXPECT_EQ((Json{{"a", "b"}}).dump(), R"({"a":"b"})");
  EXPECT_EQ((Json{{"a", {{"b", 1}}}, {"c", Json::array({"d", "e"})}}).dump(),
            R"({"a":{"b":1},"c":["d","e"]})");
}

TEST(Json, CountsNonNegativeNumbersAsNatural) {
  EXPECT_TRUE(Json(0).is_natural());
  EXPECT_TRUE(Json(std::int64_t{5}).is_natural());
  EXPECT_TRUE(Json(-5).is_negative());
  EXPECT_FALSE(Json(5.0).is_natural());
  EXPECT_TRUE(Json(5.0).is_number());
}

TEST(Json, ComparesNumbersByValueAndObjectsWithoutOrder) {
  EXPECT_EQ(Json(500), Json(500.0));
  EXPECT_NE(Json(-1), Json(~std::uint64_t{0}));
  EXPECT_NE(Json(0), Json(false));
  EXPECT_NE(Json(0), Json());
  EXPECT_EQ((Json{{"a", 1}, {"b", 2}}), (Json{{"b", 2.0}, {"a", 1}}));
  EXPECT_NE((Json{{"a", 1}}), (Json{{"a", 1}, {"b", 2}}));
  EXPECT_NE((Json{{"a", 1}}), (Json{{"b", 1}}));
  EXPECT_NE(Json::array({1, 2}), Json::array({2, 1}));
  EXPECT_NE(Json::array(), Json::object());
}

TEST(Json, FindsNothingWhereThereIsNothing) {
  const Json json = {{"a", Json::array({1})}};
  EXPECT_EQ(json["b"]["c"][7], Json());
  EXPECT_EQ(json["a"][1], Json());
  EXPECT_EQ(json["a"]["a"], Json());
  EXPECT_EQ(json.find("b"), nullptr);
  EXPECT_FALSE(Json("a").contains("a"));
  EXPECT_TRUE(Json("a").items().empty());
  EXPECT_TRUE(json["a"].members().empty());
}

TEST(Json, IsChanged) {
  Json json;
  json["a"].push_back(1);
  json["b"] = 2;
  json.update({{"b", 3}, {"c", 4}});
  json.erase("a");
  EXPECT_EQ(json.dump(), R"({"b":3,"c":4})");
  EXPECT_THROW(json["b"].push_back(1), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(json["b"].string()), std::bad_variant_access);
}

}  // namespace
}  // namespace hallmark::base
