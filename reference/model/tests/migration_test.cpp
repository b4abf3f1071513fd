#include "reference/model/states/migration.hpp"

#include <gmock/gmock.h>

#include "protocol/tests/identifier.hpp"

namespace hallmark::model {
namespace {

using ::testing::HasSubstr;

struct Row {
  std::string name;
  std::string before;
  std::string after;
  MigrationHints hints = {};
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Migrated : public ::testing::TestWithParam<Row> {};

TEST_P(Migrated, IsTheCurrentTextAndStaysSo) {
  const Row& row = GetParam();
  const auto migrated = migrate(row.before, row.hints);
  ASSERT_TRUE(migrated.has_value())
      << migrated.error().where.field << " " << migrated.error().where.reason;
  EXPECT_EQ(*migrated, row.after);
  EXPECT_EQ(migrate(*migrated, row.hints).value(), row.after);
}

const Row migrations[] = {
    {"TokenBucketV1", "v1|8.5|17|10|2", "12|8.5|17", {.taken = {"token-bucket"}}},
    {"TokenBucketV2", "v2|8.5|17|", "12|8.5|17", {.taken = {"token-bucket"}}},
    {"TokenBucketWithoutTail", "v2|8.5|17", "12|8.5|17", {.taken = {"token-bucket"}}},
    {"TokenBucketNotCanonical", "12|5.0|17", "12|5|17"},
    {"TokenBucketCurrent", "12|0.1|17", "12|0.1|17"},
    {"LeakyBucketV1", "v1|3|17|10|2.5", "32|3|17", {.taken = {"leaky-bucket"}}},
    {"LeakyBucketV2", "v2|3.25|17|", "32|3.25|17", {.taken = {"leaky-bucket"}}},
    {"LeakyBucketNotCanonical", "32|5.0|17", "32|5|17"},
    {"GcraV1", "v1|17|1000|5000", "42|17", {.taken = {"gcra"}}},
    {"GcraV2", "v2|17|", "42|17"},
    {"GcraZeroTime", "v2|-6795364578871345152|", "42|-6795364578871345152"},
    {"FixedWindowV1",
     "v1|3|17|60",
     "23|1|hourly|3|17",
     {.taken = {"fixed-window"}, .quota = "hourly"}},
    {"FixedWindowV2",
     "v2|3|17|",
     "23|1|default|3|17",
     {.taken = {"fixed-window"}, .quota = "default"}},
    {"FixedWindowV3", "v3|2|a|1|2|b|-3|4", "23|2|a|1|2|b|-3|4"},
    {"CompositeCmp1OfOld",
     "cmp1|v2|3|17|$v2|8.5|17|",
     "51|23|1|default|3|17$12|8.5|17",
     {.taken = {"composite", "fixed-window", "token-bucket"}, .primary_quota = "default"}},
    {"CompositeCmp1OfCurrent", "cmp1|42|1$12|5.0|2", "51|42|1$12|5|2"},
    {"CompositeOfOld", "51|v2|17|$12|5|2", "51|42|17$12|5|2"},
    {"CompositeSecondaryQuota",
     "51|12|1|2$v2|3|4|",
     "51|12|1|2$23|1|q|3|4",
     {.taken = {"composite", "token-bucket", "fixed-window"}, .secondary_quota = "q"}},
    {"CompositeInComposite", "51|42|1$cmp1|42|2$42|3", "51|42|1$51|42|2$42|3"},
};

INSTANTIATE_TEST_SUITE_P(Rows, Migrated, ::testing::ValuesIn(migrations),
                         [](const auto& row) { return row.param.name; });

struct Left {
  std::string name;
  std::string text;
  Obstacle obstacle;
  std::string field;
  std::string reason;
  MigrationHints hints = {};
};

void PrintTo(const Left& row, std::ostream* out) { *out << row.name; }

class LeftAlone : public ::testing::TestWithParam<Left> {};

TEST_P(LeftAlone, SaysWhy) {
  const Left& row = GetParam();
  const auto migrated = migrate(row.text, row.hints);
  ASSERT_FALSE(migrated.has_value()) << *migrated;
  EXPECT_EQ(migrated.error().obstacle, row.obstacle);
  EXPECT_EQ(migrated.error().where.field, row.field);
  EXPECT_THAT(migrated.error().where.reason, HasSubstr(row.reason));
}

const Left left[] = {
    {"Malformed", "12|x|1", Obstacle::malformed, "tokens", "no plain finite float64"},
    {"Json", "{\"Tokens\":5}", Obstacle::malformed, "header", "JSON"},
    {"Ambiguous", "v2|8.5|17|", Obstacle::ambiguous, "header",
     "token-bucket/v2 or leaky-bucket/v2"},
    {"AmbiguousPart", "cmp1|42|1$v2|8.5|17|", Obstacle::ambiguous, "secondary.header",
     "leaky-bucket/v2"},
    {"OfAnotherStrategy",
     "32|1|2",
     Obstacle::malformed,
     "header",
     "starts no token-bucket",
     {.taken = {"token-bucket"}}},
    {"NoQuota",
     "v2|3|17|",
     Obstacle::quota,
     "quotas",
     "does not name its quota",
     {.taken = {"fixed-window"}}},
    {"NoQuotaOfPart",
     "cmp1|v2|3|17|$42|1",
     Obstacle::quota,
     "primary.quotas",
     "does not name",
     {.taken = {"composite", "fixed-window", "gcra"}}},
    {"NoQuotas", "23|0", Obstacle::unwritable, "quotas", "0 quotas; 1 to 8"},
    {"TooManyQuotas", "v3|9|a|1|2|b|1|2|c|1|2|d|1|2|e|1|2|f|1|2|g|1|2|h|1|2|i|1|2",
     Obstacle::unwritable, "quotas", "9 quotas; 1 to 8"},
    {"NestedOnTheLeft", "51|51|12|1|1$12|2|2$12|3|3", Obstacle::unwritable, "primary",
     "holds a '$'"},
};

INSTANTIATE_TEST_SUITE_P(Rows, LeftAlone, ::testing::ValuesIn(left),
                         [](const auto& row) { return row.param.name; });

FixedWindowState state(std::initializer_list<QuotaState> quotas) { return {quotas}; }

const std::vector<std::string> order = {"default", "hourly"};

std::string merged(FixedWindowState into, const FixedWindowState& from) {
  merge(into, from, order);
  return text_of(into);
}

TEST(Merge, AddsAQuotaInTheOrderOfTheConfiguration) {
  EXPECT_EQ(merged(state({{"hourly", 3, 17}}), state({{"default", 1, 18}})),
            "23|2|default|1|18|hourly|3|17");
  EXPECT_EQ(merged(state({{"other", 3, 17}}), state({{"hourly", 1, 18}})),
            "23|2|hourly|1|18|other|3|17");
}

TEST(Merge, TheLaterStartStands) {
  EXPECT_EQ(merged(state({{"hourly", 9, 17}}), state({{"hourly", 1, 18}})), "23|1|hourly|1|18");
  EXPECT_EQ(merged(state({{"hourly", 1, 18}}), state({{"hourly", 9, 17}})), "23|1|hourly|1|18");
}

TEST(Merge, OfOneStartTheLargerCountStands) {
  EXPECT_EQ(merged(state({{"hourly", 2, 17}}), state({{"hourly", 5, 17}})), "23|1|hourly|5|17");
  EXPECT_EQ(merged(state({{"hourly", 5, 17}}), state({{"hourly", 2, 17}})), "23|1|hourly|5|17");
}

TEST(Merge, AgainChangesNothing) {
  const auto part = state({{"hourly", 5, 17}});
  auto once = state({{"default", 1, 2}});
  merge(once, part, order);
  auto twice = once;
  merge(twice, part, order);
  EXPECT_EQ(text_of(once), text_of(twice));
}

}  // namespace
}  // namespace hallmark::model
