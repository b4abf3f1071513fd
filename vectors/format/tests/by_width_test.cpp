#include "vectors/format/by_width.hpp"

#include <gmock/gmock.h>

#include <array>

#include "base/tests/parsed.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using base::test::parsed;
using protocol::Width;

constexpr std::array widths{Width::u8, Width::u16, Width::u32};

struct Merge {
  const char* name;
  std::array<const char*, widths.size()> documents;
  const char* merged;
};

class ByWidth : public ::testing::TestWithParam<Merge> {
 protected:
  static std::array<Json, widths.size()> documents() {
    return {parsed(GetParam().documents[0]), parsed(GetParam().documents[1]),
            parsed(GetParam().documents[2])};
  }
};

TEST_P(ByWidth, IsMerged) { EXPECT_EQ(merged(widths, documents()), parsed(GetParam().merged)); }

TEST_P(ByWidth, IsTakenApartAgain) {
  const auto all = documents();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    Json own = merged(widths, all);
    keep_width(own, widths[i]);
    EXPECT_EQ(own, all[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ByWidth,
    ::testing::Values(
        Merge{"the_same", {R"({"a": 1})", R"({"a": 1})", R"({"a": 1})"}, R"({"a": 1})"},
        Merge{"values",
              {R"({"a": 1})", R"({"a": 2})", R"({"a": 2})"},
              R"({"a": {"u8": 1, "u16": 2, "u32": 2}})"},
        Merge{"a_member_that_one_lacks",
              {R"({"a": {}})", R"({"a": {"b": 1}})", R"({"a": {"b": 1}})"},
              R"({"a": {"b": {"u16": 1, "u32": 1}}})"},
        Merge{"items",
              {R"([{"a": 1}, {"b": 1}])", R"([{"a": 1}, {"b": 2}])", R"([{"a": 1}, {"b": 3}])"},
              R"([{"a": 1}, {"b": {"u8": 1, "u16": 2, "u32": 3}}])"},
        Merge{"lists_of_numbers",
              {R"({"at": [1, 1]})", R"({"at": [1, 2]})", R"({"at": [1, 4]})"},
              R"({"at": {"u8": [1, 1], "u16": [1, 2], "u32": [1, 4]}})"},
        Merge{"lists_of_several_lengths",
              {R"({"a": [{}]})", R"({"a": [{}, {}]})", R"({"a": [{}]})"},
              R"({"a": {"u8": [{}], "u16": [{}, {}], "u32": [{}]}})"},
        Merge{"kinds",
              {R"({"a": "text"})", R"({"a": {"hex": "00"}})", R"({"a": 7})"},
              R"({"a": {"u8": "text", "u16": {"hex": "00"}, "u32": 7}})"}),
    [](const auto& row) { return row.param.name; });

TEST(KeepWidth, TakesNoOtherObjectForOneByWidth) {
  Json json = parsed(R"({"a": {"u8": 1, "key": 2}, "b": {}, "c": null})");
  const Json before = json;
  keep_width(json, Width::u8);
  EXPECT_EQ(json, before);
}

}  // namespace
}  // namespace hallmark::vectors
