#include "loadgen/drivers/datagram/keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "loadgen/drivers/datagram/tests/rules.hpp"

namespace hallmark::loadgen::datagram {
namespace {

using protocol::ratelimit::Rules;
using testing::HasSubstr;

KeyPlan plan(std::uint32_t keys) { return {.keys = keys, .nonce = "77"}; }

TEST(Keys, are_a_prefix_with_the_nonce_and_a_number) {
  const Keys keys = Keys::make(plan(101)).value();
  EXPECT_EQ(keys.text_of(0), "load:770000");
  EXPECT_EQ(keys.text_of(100), "load:770100");
}

TEST(Keys, follow_the_patterns_in_turn) {
  KeyPlan given = plan(4);
  given.patterns = {"ws ip={}/x", "ws global"};
  const Keys keys = Keys::make(given).value();
  EXPECT_EQ(keys.text_of(0), "ws ip=7700/x");
  EXPECT_EQ(keys.text_of(1), "ws global");
  EXPECT_EQ(keys.text_of(2), "ws ip=7701/x");
}

TEST(Keys, follow_the_rules_where_no_pattern_is_given) {
  KeyPlan given = plan(4);
  given.rules =
      rules("22/20 strict stats \"ws ip=*\"\n5/1 leaky \"ws global\"\n1/1 strict \"ws g*\"");
  const Keys keys = Keys::make(given).value();
  std::set<std::string> texts;
  for (std::uint32_t key = 0; key < 4; ++key) texts.insert(keys.text_of(key));
  EXPECT_EQ(texts, (std::set<std::string>{"ws ip=7700", "ws ip=7701", "ws global", "ws g7700"}));
  const KeyGroup& address = keys.groups()[keys.group_of(0)];
  EXPECT_EQ(address.limit.uses, 22);
  EXPECT_TRUE(address.fresh);
  EXPECT_TRUE(address.limited);
  EXPECT_FALSE(keys.groups()[keys.group_of(1)].fresh);
}

TEST(Keys, that_count_as_one_are_used_by_one_worker) {
  KeyPlan given = plan(100);
  given.rules = rules("22/20 strict \"b*\" as \"all\"\n22/20 strict \"c*\"");
  given.patterns = {"b{}", "c{}"};
  given.workers = 2;
  const Keys keys = Keys::make(given).value();
  std::map<std::uint32_t, std::set<std::uint32_t>> workers_of;
  for (std::uint32_t worker = 0; worker < 2; ++worker) {
    for (std::uint64_t i = 0; i < 1'000; ++i) {
      workers_of[keys.group_of(keys.key_of(i, worker))].insert(worker);
    }
  }
  EXPECT_EQ(workers_of.size(), 51U);
  for (const auto& [group, workers] : workers_of) EXPECT_EQ(workers.size(), 1U) << group;
}

struct BadKeys {
  std::string name;
  KeyPlan plan;
  std::string message;
};

class Refused : public testing::TestWithParam<BadKeys> {};

TEST_P(Refused, with_what_is_allowed) {
  const auto keys = Keys::make(GetParam().plan);
  ASSERT_FALSE(keys);
  EXPECT_EQ(keys.error().message, GetParam().message);
}

KeyPlan with(KeyPlan changed, std::vector<std::string> patterns,
             std::shared_ptr<const Rules> target = {}, std::uint32_t workers = 1) {
  changed.patterns = std::move(patterns);
  changed.rules = std::move(target);
  changed.workers = workers;
  return changed;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Refused,
    testing::Values(BadKeys{"none", plan(0), "keys: 0; allowed: 1 to 10000000"},
                    BadKeys{"two_places", with(plan(9), {"{}{}"}),
                            "key pattern '{}{}'; allowed: {} once"},
                    BadKeys{"newline", with(plan(9), {"a\n{}"}),
                            "key of 6 bytes; allowed: at most 989, without a newline"},
                    BadKeys{"long", with(plan(9), {std::string(990, 'k')}),
                            "key of 990 bytes; allowed: at most 989, without a newline"},
                    BadKeys{"few", with(plan(9), {"one"}, rules("1/1 strict \"*\""), 2),
                            "threads: 2; allowed: at most 1, as many as keys are counted apart"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::loadgen::datagram
