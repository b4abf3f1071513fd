#include "distributed/option_difference.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hallmark::distributed {
namespace {

using Options = std::vector<std::string>;

struct Row {
  std::string name;
  Options options, expected;
  std::string difference;
};

TEST(OptionDifference, NamesTheFirst) {
  const Row rows[] = {
      {"the same",
       {"load", "tcp://a:1", "--rate", "5k"},
       {"load", "tcp://a:1", "--rate", "5k"},
       ""},
      {"in another order",
       {"load", "--rate", "5k", "--keys", "1"},
       {"load", "--keys", "1", "--rate=5k"},
       ""},
      {"another value",
       {"load", "--rate", "5k"},
       {"load", "--rate", "4k"},
       "--rate 5k instead of --rate 4k"},
      {"another target",
       {"load", "tcp://b:1"},
       {"load", "tcp://a:1"},
       "load tcp://b:1 instead of load tcp://a:1"},
      {"one more", {"load", "--closed"}, {"load"}, "--closed in addition"},
      {"one less", {"load"}, {"load", "--seed", "3"}, "no --seed 3"},
      {"where results go", {"load", "--json", "a"}, {"load", "--csv", "b", "--live"}, ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(option_difference(row.options, row.expected), row.difference) << row.name;
}

}  // namespace
}  // namespace hallmark::distributed
