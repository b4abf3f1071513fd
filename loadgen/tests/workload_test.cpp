#include "loadgen/workload/workload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace hallmark::loadgen {
namespace {

constexpr std::array<std::string_view, 3> allowed = {"insert", "query", "update"};

TEST(Mix, names_and_weights_in_the_order_given) {
  const auto mix = parse_mix("query=90,update=9,insert=1", allowed);
  ASSERT_TRUE(mix);
  ASSERT_EQ(mix->size(), 3U);
  EXPECT_EQ((*mix)[0].operation, "query");
  EXPECT_EQ((*mix)[0].weight, 90U);
  EXPECT_EQ((*mix)[2].operation, "insert");
  EXPECT_EQ((*mix)[2].weight, 1U);
}

TEST(Mix, a_weight_of_zero_leaves_the_operation_out) {
  const auto mix = parse_mix("query=1,update=0", allowed);
  ASSERT_TRUE(mix);
  EXPECT_EQ(mix->size(), 1U);
}

struct BadRow {
  std::string name;
  std::string text;
  std::string message;
};

class BadMix : public testing::TestWithParam<BadRow> {};

TEST_P(BadMix, is_refused_in_one_line) {
  const auto mix = parse_mix(GetParam().text, allowed);
  ASSERT_FALSE(mix);
  EXPECT_THAT(mix.error().message, testing::HasSubstr(GetParam().message));
  EXPECT_THAT(mix.error().message, testing::Not(testing::HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadMix,
    testing::Values(BadRow{"unknown", "query=1,frob=2",
                           "unknown operation 'frob'; allowed: insert, query, update"},
                    BadRow{"empty", "", "'' is not NAME=WEIGHT"},
                    BadRow{"no_weight", "query", "'query' is not NAME=WEIGHT"},
                    BadRow{"empty_weight", "query=", "'query=' is not NAME=WEIGHT"},
                    BadRow{"text_weight", "query=many", "'query=many' is not NAME=WEIGHT"},
                    BadRow{"negative", "query=-1", "'query=-1' is not NAME=WEIGHT"},
                    BadRow{"tail", "query=1x", "'query=1x' is not NAME=WEIGHT"},
                    BadRow{"large", "query=1000001", "weights: 0 to 1000000"},
                    BadRow{"overflow", "query=99999999999999999999", "weights: 0 to 1000000"},
                    BadRow{"trailing_comma", "query=1,", "'' is not NAME=WEIGHT"},
                    BadRow{"twice", "query=1,query=2", "'query' is named twice"},
                    BadRow{"all_zero", "query=0", "every weight"}),
    [](const auto& row) { return row.param.name; });

TEST(RequestChooser, draws_by_weight) {
  const std::vector<MixPart> mix = {{"query", 90}, {"update", 9}, {"insert", 1}};
  const RequestChooser chooser{mix, {{}, 1000, 1}, 1};
  std::array<double, 3> seen{};
  for (std::uint64_t i = 0; i < 100'000; ++i) ++seen.at(chooser.part_of(i));
  for (std::size_t part = 0; part < mix.size(); ++part) {
    const double share = mix[part].weight / 100.0;
    const double deviation = std::sqrt(100'000 * share * (1 - share));
    EXPECT_NEAR(seen.at(part), 100'000 * share, 5 * deviation) << mix[part].operation;
  }
}

TEST(RequestChooser, keys_cover_the_range_and_nothing_else) {
  const std::vector<MixPart> mix = {{"query", 1}};
  const RequestChooser chooser{mix, {{}, 10, 1}, 1};
  std::array<int, 10> seen{};
  for (std::uint64_t i = 0; i < 1000; ++i) ++seen.at(chooser.key_of(i));
  EXPECT_THAT(seen, testing::Each(testing::Gt(0)));
}

TEST(RequestChooser, is_a_function_of_seed_and_index) {
  const std::vector<MixPart> mix = {{"query", 1}, {"update", 1}};
  const RequestChooser first{mix, {{}, 1000, 1}, 1};
  const RequestChooser again{mix, {{}, 1000, 1}, 1};
  const RequestChooser other{mix, {{}, 1000, 2}, 2};
  int moved = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(first.part_of(i), again.part_of(i));
    EXPECT_EQ(first.key_of(i), again.key_of(i));
    moved += first.key_of(i) != other.key_of(i) ? 1 : 0;
  }
  EXPECT_GT(moved, 90);
}

}  // namespace
}  // namespace hallmark::loadgen
