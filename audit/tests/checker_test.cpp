#include "audit/checker.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "audit/field_checks.hpp"
#include "audit/tests/planted.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::audit {
namespace {

using test::now;
using test::Planted;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Checker checker({.now = now});

Checked check(std::string_view text, const Expectation& expected = {}) {
  Checked checked;
  checker.check(text, expected, checked);
  return checked;
}

std::string shown(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& one : findings)
    lines.push_back(fmt::format("{} {} at {}, {} bytes\n", name_of(one.kind), one.field, one.offset,
                                one.length));
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

class PlantedFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, IsFoundWithNothingElse) {
  EXPECT_EQ(shown(check(GetParam().text).findings), shown(GetParam().findings));
}

INSTANTIATE_TEST_SUITE_P(Rows, PlantedFault, ::testing::ValuesIn(test::planted()),
                         [](const auto& row) { return row.param.name; });

TEST(Checker, FindsNothingInHealthyStates) {
  for (std::uint64_t i = 0; i < 10 * test::healthy_formats; ++i) {
    const std::string text = test::healthy(i);
    EXPECT_EQ(shown(check(text).findings), "") << text;
  }
}

TEST(Checker, NamesTheFormats) {
  EXPECT_EQ(check(fmt::format("12|8.5|{}", now)).formats.name(), "token-bucket/12");
  EXPECT_EQ(check(fmt::format("v2|8.5|{}|", now)).formats.name(),
            "token-bucket/v2 or leaky-bucket/v2");
  EXPECT_EQ(check(fmt::format("51|42|{}$12|5|{}", now, now)).formats.name(), "composite/51");
  EXPECT_TRUE(check("hello").formats.empty());
}

TEST(Checker, WhatCouldBeOfSeveralStrategiesIsTakenAtItsBest) {
  // Read as a fixed window, each of these would have started long ago or would count more uses than
  // anyone makes.
  EXPECT_THAT(check(fmt::format("v1|{}|1000000|5000000", now)).findings, IsEmpty());
  EXPECT_THAT(check(fmt::format("v1|3|{}|60000000000", now)).findings, IsEmpty());
  EXPECT_EQ(check(fmt::format("cmp1|v1|{}|1000000|5000000$v2|5|{}|", now, now)).findings.size(),
            0U);
}

TEST(Checker, EdgesOfTime) {
  const Limits limits{.now = now};
  const auto kinds_at = [](std::string_view format, std::int64_t time) {
    return shown(check(fmt::format(fmt::runtime(format), time)).findings);
  };
  EXPECT_EQ(kinds_at("12|1|{}", now + limits.skew), "");
  EXPECT_THAT(kinds_at("12|1|{}", now + limits.skew + 1), HasSubstr("future"));
  EXPECT_EQ(kinds_at("12|1|{}", now - limits.oldest), "");
  EXPECT_THAT(kinds_at("12|1|{}", now - limits.oldest - 1), HasSubstr("past"));
  EXPECT_EQ(kinds_at("42|{}", now + limits.horizon), "");
  EXPECT_THAT(kinds_at("42|{}", now + limits.horizon + 1), HasSubstr("future"));
  EXPECT_THAT(kinds_at("42|{}", std::numeric_limits<std::int64_t>::max()), HasSubstr("future"));
  EXPECT_THAT(kinds_at("42|{}", std::numeric_limits<std::int64_t>::min()), HasSubstr("past"));
}

TEST(Checker, ATimeInAnotherUnitIsSaidWithItsDate) {
  const auto explained = [](std::string_view text) {
    const Checked checked = check(text);
    return checked.findings.size() == 1 ? explanation(checked.findings[0]) : "not one finding";
  };
  EXPECT_EQ(explained("12|5|1761884055"), "is in seconds since 1970: 2025-10-31T04:14:15.000Z");
  EXPECT_EQ(explained("42|1761884055342"),
            "is in milliseconds since 1970: 2025-10-31T04:14:15.342Z");
  EXPECT_EQ(explained("42|1761884055342794"),
            "is in microseconds since 1970: 2025-10-31T04:14:15.342Z");
  EXPECT_EQ(explained("42|17"), "is earlier than allowed: 1970-01-01T00:00:00.000Z");
  EXPECT_EQ(explained("42|1900000000000000000"), "is later than allowed: 2030-03-17T17:46:40.000Z");
}

TEST(Checker, NoLimitMakesATimeInAnotherUnitRight) {
  const Checker any_age({.now = now, .oldest = now});
  Checked checked;
  any_age.check("42|1761884055", {}, checked);
  ASSERT_EQ(checked.findings.size(), 1U);
  EXPECT_EQ(checked.findings[0].kind, Kind::wrong_unit);
  // A clock that has just begun counts in nanoseconds all the same.
  const Checker young({.now = 1'761'884'056});
  young.check("42|1761884055", {}, checked);
  EXPECT_THAT(checked.findings, IsEmpty());
}

TEST(Checker, LimitsAtTheEndsOfTimeDoNotWrap) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const Checker wide({.now = now, .skew = most, .horizon = most, .oldest = most});
  Checked checked;
  wide.check(fmt::format("12|1|{}", most), {}, checked);
  EXPECT_THAT(checked.findings, IsEmpty());
  const Checker early(
      {.now = std::numeric_limits<std::int64_t>::min() + 1, .skew = 0, .oldest = most});
  early.check("12|1|-9223372036854775808", {}, checked);
  EXPECT_EQ(checked.findings.size(), 0U);
}

struct PlanRow {
  std::string name;
  std::string text;
  Plan plan;
  std::string rewritten = {};
  Expectation expected = {};
};

void PrintTo(const PlanRow& row, std::ostream* out) { *out << row.name; }

class Plans : public ::testing::TestWithParam<PlanRow> {};

TEST_P(Plans, AreAsConfigured) {
  const Checked checked = check(GetParam().text, GetParam().expected);
  EXPECT_EQ(checked.plan, GetParam().plan);
  EXPECT_EQ(checked.rewritten, GetParam().rewritten);
  EXPECT_EQ(checked.obstacle.has_value(), GetParam().plan == Plan::left);
}

const Expectation window{.hints = {.taken = {"fixed-window"}, .quota = "q"}};
const Expectation window_part{.hints = {.taken = {"fixed-window"}, .quota = "q"}, .is_part = true};

const PlanRow plans[] = {
    {"Current", "12|8.5|17", Plan::current},
    {"CurrentWindow", "23|1|a|1|2", Plan::current},
    {"CurrentAndNotWritable", "23|0", Plan::current},
    {"NestedOnTheLeftButCurrent", "51|51|12|1|1$12|2|2$12|3|3", Plan::current},
    {"NestedOnTheLeftAndOld", "51|cmp1|12|1|1$12|2|2$12|3|3", Plan::left},
    {"OddFloat", "12|8.50|17", Plan::rewrite, "12|8.5|17"},
    {"Gcra", "v2|17|", Plan::rewrite, "42|17"},
    {"Ambiguous", "v2|8.5|17|", Plan::left},
    {"Configured",
     "v2|8.5|17|",
     Plan::rewrite,
     "12|8.5|17",
     {.hints = {.taken = {"token-bucket"}}}},
    {"Window", "v2|8|17|", Plan::rewrite, "23|1|q|8|17", window},
    {"PartOfWindow", "v2|8|17|", Plan::merge, "", window_part},
    {"PartThatNamesItsQuotas", "v3|1|a|8|17", Plan::rewrite, "23|1|a|8|17", window_part},
    {"Malformed", "v2|", Plan::left},
    {"Json", "{\"tat\":1}", Plan::left},
    {"OtherThanConfigured", "32|1|17", Plan::left, "", {.hints = {.taken = {"gcra"}}}},
};

INSTANTIATE_TEST_SUITE_P(Rows, Plans, ::testing::ValuesIn(plans),
                         [](const auto& row) { return row.param.name; });

TEST(Checker, AStateOfAnotherStrategyThanConfiguredIsUnexpected) {
  const Checked checked =
      check(fmt::format("32|1|{}", now), {.hints = {.taken = {"token-bucket"}}});
  ASSERT_EQ(checked.findings.size(), 1U);
  EXPECT_EQ(checked.findings[0].kind, Kind::unexpected);
  EXPECT_THAT(checked.findings[0].reason, HasSubstr("token-bucket"));
  EXPECT_EQ(checked.formats.name(), "leaky-bucket/32");
  const Checked part = check(fmt::format("51|42|{}$42|{}", now, now),
                             {.hints = {.taken = {"composite", "gcra", "token-bucket"}}});
  ASSERT_EQ(part.findings.size(), 1U);
  EXPECT_THAT(part.findings[0].reason, HasSubstr("composite of gcra and token-bucket"));
}

std::string shown(const Checked& checked) {
  const model::Evidence& seen = checked.evidence;
  return fmt::format("{}; {}; plan {} {} {} {}; {}{}{}{}{}{}", checked.formats.name(),
                     shown(checked.findings), static_cast<int>(checked.plan), checked.rewritten,
                     checked.obstacle ? static_cast<int>(checked.obstacle->obstacle) : -1,
                     checked.obstacle ? checked.obstacle->where.reason : "", seen.legacy_tail_bar,
                     seen.legacy_tail_none, seen.header_history_v3, seen.quota_count_any,
                     seen.nested_split_first, seen.nested_split_last);
}

/// The fields of the findings, in their order.
std::vector<std::string> fields_of(const Checked& checked) {
  std::vector<std::string> fields;
  for (const Finding& one : checked.findings) fields.push_back(one.field);
  return fields;
}

/// States of all formats that a byte or two were changed in, and what they were before.
std::vector<std::string> damaged_states() {
  std::mt19937 random(7);
  constexpr std::string_view bytes = "0123456789|$-.ev+ \n";
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    std::string text = test::healthy(i);
    all.push_back(text);
    for (int change = 0; change < 2; ++change) {
      text[random() % text.size()] = bytes[random() % bytes.size()];
      all.push_back(text);
    }
  }
  // Two findings, in the order of their fields.
  for (const char* const text : {"12|-0.01|-6795364578871345152", "51|12|-1|0$32|-1|0"})
    all.emplace_back(text);
  for (const Planted& row : test::planted()) all.push_back(row.text);
  for (const std::string primary :
       {"v2|3|17|", "v2|3|17", "v1|3|17|60", "v2|8.5|17|", "v2|17|", "v2|17", "v3|1|a|1|2"}) {
    for (const std::string secondary :
         {"v2|3|17|", "v2|8.50|17", "v1|1|2|3|4", "v2|17|", "42|1", "v2|17|x"})
      all.push_back("cmp1|" + primary + "$" + secondary);
  }
  return all;
}

TEST(Checker, ShortcutsSayWhatTheTablesSay) {
  const Expectation expectations[] = {
      {},
      window,
      window_part,
      {.hints = {.taken = {"token-bucket"}}},
      {.hints = {.taken = {"gcra"}}},
      {.hints = {.taken = {"fixed-window"}}},
      {.hints = {.taken = {"composite", "gcra", "token-bucket"}}},
      {.hints = {.taken = {"composite", "fixed-window", "fixed-window"},
                 .primary_quota = "p",
                 .secondary_quota = "s"}},
      {.hints = {.taken = {"composite", "fixed-window", "leaky-bucket"}}}};
  for (const std::string& text : damaged_states()) {
    for (const Expectation& expected : expectations) {
      Checked by_tables;
      checker.check_by_tables(text, expected, by_tables);
      ASSERT_EQ(shown(check(text, expected)), shown(by_tables)) << text;
      ASSERT_EQ(fields_of(check(text, expected)), fields_of(by_tables)) << text;
    }
  }
}

TEST(Checker, SaysNotCanonicalExactlyWhereTheCodecDoes) {
  for (const std::string_view number :
       {"5", "5.0", "8.50", "5e0", "1000000", "1e+06", "1e6", "0.00001", "1e-05", "-0", "0", "0.1",
        "123456.5", "1234567"}) {
    for (const char* const format : {"12|{}|17", "32|{}|17", "v1|{}|17|1|1", "51|12|{}|1$42|1"}) {
      const std::string text = fmt::format(fmt::runtime(format), number);
      const auto parsed = model::parse_stored(text);
      ASSERT_TRUE(parsed.has_value()) << text;
      const Checked checked = check(text);
      const bool found = std::ranges::any_of(
          checked.findings, [](const Finding& one) { return one.kind == Kind::not_canonical; });
      EXPECT_EQ(found, !protocol::state::canonical(*parsed)) << text;
    }
  }
}

TEST(Roles, EveryNumberOfEveryFormatHasOne) {
  const auto check_list = [](std::span<const protocol::Field> fields, const auto& self) -> void {
    for (const protocol::Field& field : fields) {
      if (const auto* const group = field.as<protocol::kinds::Group>()) {
        self(group->head, self);
        self(group->tail, self);
      }
      if (field.is<protocol::kinds::Real, protocol::kinds::SignedDecimal>()) {
        EXPECT_NE(role_of(field.name), Role::none) << field.name;
      }
    }
  };
  for (const protocol::Format& format : protocol::ratelimit_state.formats)
    check_list(format.message.fields, check_list);
}

TEST(Checker, HugeAndHostileTextsAreDealtWith) {
  EXPECT_EQ(check("{" + std::string(1 << 20, '[')).findings.size(), 1U);
  EXPECT_EQ(check("23|18446744073709551615" + std::string(1000, '|')).findings.size(), 1U);
  std::string quotas;
  for (int i = 0; i < 20'000; ++i) quotas += fmt::format("|{}|1|{}", i, now);
  EXPECT_THAT(check("23|20000" + quotas).findings, IsEmpty());
  std::string deep = fmt::format("42|{}", now);
  for (int i = 0; i < 5'000; ++i) deep = fmt::format("51|42|{}$", now) + deep;
  EXPECT_EQ(check(deep).findings[0].kind, Kind::malformed);
}

}  // namespace
}  // namespace hallmark::audit
