#include "audit/tally.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "audit/tests/planted.hpp"

namespace hallmark::audit {
namespace {

using stores::Entry;
using stores::EntryKind;
using test::now;

const TallyOptions options{.limits = {.now = now}, .most_examples = 2, .remembered = 1000};

class TallyTest : public ::testing::Test {
 protected:
  void add(std::string_view key, std::string_view value, EntryKind kind = EntryKind::text) {
    tally_.add({.kind = kind, .key = key, .value = value});
  }

  Rules rules_;
  std::vector<std::string> told_;
  Tally tally_{options, rules_, [this](std::string_view key, std::string_view, const Finding& one) {
                 told_.push_back(fmt::format("{} {}", key, name_of(one.kind)));
               }};
};

TEST_F(TallyTest, CountsEveryPlantedFaultAndNothingElse) {
  std::map<Kind, std::uint64_t> expected;
  for (const test::Planted& row : test::planted()) {
    add(row.key, row.text);
    for (const Finding& one : row.findings) ++expected[one.kind];
  }
  for (std::uint64_t i = 0; i < 120; ++i) add(fmt::format("ok:{}", i), test::healthy(i));
  const AuditResult result = tally_.result();
  EXPECT_EQ(result.entries, test::planted().size() + 120);
  EXPECT_EQ(result.faulty, test::planted().size());
  std::size_t findings = 0;
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    EXPECT_EQ(result.of(kind).count, expected[kind]) << name_of(kind);
    EXPECT_LE(result.of(kind).examples.size(), 2U);
    findings += result.of(kind).count;
  }
  EXPECT_EQ(told_.size(), findings);
}

TEST_F(TallyTest, CountsFormatsByWhatAMigrationMakesOfThem) {
  add("a", fmt::format("12|1|{}", now));
  add("b", fmt::format("12|1.0|{}", now));
  add("c", fmt::format("v2|{}|", now));
  add("d", fmt::format("v2|8.5|{}|", now));
  const AuditResult result = tally_.result();
  std::string shown;
  for (const auto& [formats, one] : result.formats)
    shown += fmt::format("{} {} {} {}\n", formats.name(), one.count, one.rewrite, one.left);
  EXPECT_EQ(shown,
            "token-bucket/12 2 1 0\ntoken-bucket/v2 or leaky-bucket/v2 1 0 1\ngcra/v2 1 1 0\n");
  ASSERT_EQ(result.left.count(model::Obstacle::ambiguous), 1U);
  EXPECT_EQ(result.left.at(model::Obstacle::ambiguous).example_key, "d");
}

TEST_F(TallyTest, AKeyThatComesAgainCountsOnce) {
  add("a", "42|1");
  add("a", "42|1");
  tally_.add_early({.key = "b", .value = "42|1"});
  tally_.add_early({.key = "a", .value = "42|1"});
  tally_.ignore("c");
  add("c", "42|1");
  const AuditResult result = tally_.result();
  EXPECT_EQ(result.entries, 2U);
  EXPECT_EQ(result.seen_again, 2U);
  EXPECT_TRUE(result.exact);
}

TEST_F(TallyTest, SaysWhenItCouldNotRememberAllKeys) {
  for (int i = 0; i < 1001; ++i) add(std::to_string(i), "");
  EXPECT_FALSE(tally_.result().exact);
}

TEST_F(TallyTest, OtherTypesAndLongLinesAreFindingsAndExpiredRowsAreNot) {
  add("h", "hash", EntryKind::other_type);
  add("l", "xxx", EntryKind::overlong);
  add("e", "12|NaN|1", EntryKind::expired);
  const AuditResult result = tally_.result();
  EXPECT_EQ(result.of(Kind::other_type).groups.front().reason, "a hash");
  EXPECT_EQ(result.of(Kind::overlong).count, 1U);
  EXPECT_EQ(result.of(Kind::malformed).count, 0U);
  EXPECT_EQ(result.expired, 1U);
  EXPECT_EQ(result.entries, 2U);
}

TEST_F(TallyTest, GroupsAreBoundedAndNothingIsLost) {
  for (int i = 0; i < 500; ++i)
    add(std::to_string(i),
        fmt::format("12|1|{}{}", now, std::string(static_cast<std::size_t>(i + 1), 'x')));
  const AuditResult result = tally_.result();
  const KindResult& malformed = result.of(Kind::malformed);
  std::uint64_t grouped = malformed.ungrouped;
  for (const FindingGroup& group : malformed.groups) grouped += group.count;
  EXPECT_EQ(grouped, 500U);
  EXPECT_LE(malformed.groups.size(), 50U);
}

TEST_F(TallyTest, TellsWhichReadingsTheStoreFollows) {
  add("a", fmt::format("v2|{}|", now));
  add("b", fmt::format("v2|{}", now));
  add("c", fmt::format("v2|{}", now - 1));
  add("d", fmt::format("v3|1|q|1|{}", now));
  add("e", "23|0");
  std::string shown;
  for (const ReadingResult& one : tally_.result().readings)
    shown += fmt::format("{}={} {}\n", one.reading, one.answer, one.count);
  EXPECT_EQ(shown,
            "legacy-tail=bar 1\nlegacy-tail=none 2\nheader-history=v3 1\nquota-count=any 1\n");
}

TEST(TallyRules, RulesDecideWhatKeysHold) {
  Rules rules = Rules::parse(R"({"rules":[
      {"match":"fw:*","strategy":"fixed-window","merge":"{key}:{quota}","quotas":["q"]},
      {"match":"tb:*","strategy":"token-bucket"}]})")
                    .value();
  Tally tally(options, rules);
  EXPECT_EQ(tally.check("fw:a:q", fmt::format("v2|3|{}|", now)).plan, Plan::merge);
  EXPECT_EQ(tally.check("fw:a", fmt::format("v2|3|{}|", now)).plan, Plan::left);
  EXPECT_EQ(tally.check("tb:a", fmt::format("v2|3|{}|", now)).plan, Plan::rewrite);
  EXPECT_EQ(tally.check("tb:a", fmt::format("42|{}", now)).findings.front().kind, Kind::unexpected);
  EXPECT_EQ(tally.check("other", fmt::format("42|{}", now)).findings.size(), 0U);
}

}  // namespace
}  // namespace hallmark::audit
