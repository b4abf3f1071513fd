#include "audit/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "audit/listing.hpp"
#include "audit/tests/planted.hpp"
#include "base/tests/parsed.hpp"
#include "base/text.hpp"

namespace hallmark::audit {
namespace {

using reports::TerminalStyle;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Report report_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  Rules rules;
  Tally tally({.limits = {.now = test::now}, .remembered = 1000}, rules);
  for (const auto& [key, value] : entries) tally.add({.key = key, .value = value});
  Report report{.version = "1", .store = "states.tsv"};
  report.run.audit = tally.result();
  report.run.audit.duration = std::chrono::milliseconds(12);
  return report;
}

std::vector<std::pair<std::string, std::string>> all_planted() {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const test::Planted& row : test::planted()) entries.emplace_back(row.key, row.text);
  return entries;
}

TEST(AuditReport, MarksWhatIsWrong) {
  const Report report = report_of({{"rl:\x1b[31m", fmt::format("12|-0.5|{}", test::now)}});
  EXPECT_EQ(render_terminal(report, {}),
            "states.tsv: 1 entry in 12.0 ms\n"
            "\n"
            "format           entries  to rewrite  to merge  to leave\n"
            "token-bucket/12        1           ·         ·         ·\n"
            "\n"
            "senseless  1  a number that makes no sense\n"
            "           1    tokens: is below 0\n"
            "\n"
            "senseless  \"rl:\\x1b[31m\", tokens at byte 3: is below 0\n"
            "    12|-0.5|1761884055342794596\n"
            "       ^^^^\n"
            "\n"
            "FAULTY  1 entry, 1 with findings\n");
}

TEST(AuditReport, ASoundStoreSaysSo) {
  const Report report = report_of({{"a", fmt::format("v2|{}|", test::now)}});
  EXPECT_EQ(render_terminal(report, {}),
            "states.tsv: 1 entry in 12.0 ms\n"
            "\n"
            "format   entries  to rewrite  to merge  to leave\n"
            "gcra/v2        1           1         ·         ·\n"
            "\n"
            "readings seen: legacy-tail=bar 1\n"
            "\n"
            "SOUND  1 entry, 0 with findings\n");
}

TEST(AuditReport, TheFirstFindingIsOnTheLastScreen) {
  const Report report = report_of(all_planted());
  for (const std::size_t height : {std::size_t{20}, std::size_t{24}, std::size_t{50}}) {
    const std::string text = render_terminal(report, {.height = height});
    std::string_view rest = text;
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    for (std::size_t i = 0; i + height < lines + 1; ++i) rest.remove_prefix(rest.find('\n') + 1);
    EXPECT_THAT(rest, HasSubstr("malformed  \"planted:Empty\"")) << height;
    EXPECT_THAT(rest, HasSubstr("FAULTY")) << height;
  }
}

TEST(AuditReport, ALongKeyIsCutRatherThanWhatIsSaidOfIt) {
  const Report report = report_of({{std::string(150, 'k'), "42|1761884055"}});
  EXPECT_THAT(render_terminal(report, {.width = 100}),
              HasSubstr("wrong-unit  \"kkkkkkkkkkkkkkkkkk…\", tat at byte 3: is in seconds "
                        "since 1970: 2025-10-31T04:14:15.000Z\n"));
}

TEST(AuditReport, LinesFitTheTerminal) {
  const std::string long_text = fmt::format("12|1|{}{}", test::now, std::string(500, 'x'));
  const Report report =
      report_of({{std::string(300, 'k'), long_text}, {"b", std::string(300, 'y')}});
  const std::string rendered = render_terminal(report, {.width = 80, .height = 24});
  const std::string shown(rendered.substr(rendered.find("malformed  \"")));
  for (std::size_t begin = 0; begin < shown.size();) {
    const std::size_t end = shown.find('\n', begin);
    EXPECT_LE(base::display_width(std::string_view(shown).substr(begin, end - begin)), 81U);
    begin = end + 1;
  }
}

TEST(AuditReport, TheLastLineSaysHowItEnded) {
  Report report = report_of({{"a", "hello"}});
  report.run.audit.interrupted = true;
  EXPECT_THAT(render_terminal(report, {}),
              EndsWith("\nINCOMPLETE  1 entry, 1 with findings, interrupted\n"));
  report.run.audit = {.error = "a was changed by others"};
  EXPECT_THAT(render_terminal(report, {}),
              EndsWith("\na was changed by others\nINCOMPLETE  0 entries, 0 with findings\n"));
  report.run.audit.lost = true;
  EXPECT_THAT(render_terminal(report, {}), HasSubstr("\nthe store was lost: a was changed"));
  EXPECT_THAT(render_terminal(report_of({}), {}),
              EndsWith("\nEMPTY  0 entries, 0 with findings\n"));
}

TEST(AuditReport, AnUnfinishedMigrationSaysWhatIsLeftAndWhatToDo) {
  Report report = report_of({{"a", fmt::format("v2|8.5|{}|", test::now)}});
  EXPECT_THAT(render_terminal(report, {}), EndsWith("\nSOUND  1 entry, 0 with findings\n"));
  report.run.migration = MigrationResult{.not_done = 2};
  const std::string text = render_terminal(report, {});
  EXPECT_THAT(text, HasSubstr("cannot be migrated, ambiguous: 1, first \"a\": token-bucket/v2 or "
                              "leaky-bucket/v2; --strategy or --config says which\n"));
  EXPECT_THAT(text, EndsWith("\nUNFINISHED  1 entry, 0 with findings, 3 not migrated\n"));
  report.run.migration->dry_run = true;
  EXPECT_THAT(render_terminal(report, {}), HasSubstr(", 3 not to be migrated\n"));
}

TEST(AuditReport, ARepairSaysThatNothingIsLeft) {
  Report report = report_of({{"a", fmt::format("12|5.0|{}", test::now)}});
  report.run.migration = MigrationResult{.repaired = 1};
  const std::string text = render_terminal(report, {});
  EXPECT_THAT(text, HasSubstr("  entries that have no finding any more: 1\n"));
  EXPECT_THAT(text, EndsWith("\nSOUND  1 entry, 1 with findings, 1 of them repaired\n"));
}

TEST(AuditReport, BytesThatAreLeftOverHaveAFieldAndAnOffset) {
  const Report report = report_of({{"a", fmt::format("12|5|{}|10", test::now)}});
  EXPECT_THAT(render_terminal(report, {}),
              HasSubstr("malformed  \"a\", last_refill at byte 24: 3 bytes are left over\n"
                        "    12|5|1761884055342794596|10\n"
                        "                            ^^^\n"));
}

TEST(AuditReport, FarBehindWhatIsWrongIsShownAllTheSame) {
  const std::string quota = fmt::format("|{}|1|{}", std::string(300, 'q'), test::now);
  const Report report = report_of({{"a", "23|2" + quota + fmt::format("|b|-1|{}", test::now)}});
  EXPECT_THAT(render_terminal(report, {}),
              HasSubstr("senseless  \"a\", quotas[1].count at byte 330: is below 0\n"
                        "    …qqqqqqqqqqqqqqq|1|1761884055342794596|b|-1|1761884055342794596\n"
                        "                                             ^^\n"));
  const auto json = base::test::parsed(render_json(report));
  const auto& example = json["audit"]["findings"][0]["examples"][0];
  EXPECT_EQ(example["offset"], 330);
  EXPECT_EQ(example["value_begin"], 290);
}

TEST(AuditReport, SaysWhatAMigrationDid) {
  Report report = report_of({});
  MigrationResult migration;
  migration.rewritten[FormatSet::at(1)] = 1200;
  migration.merged_keys = 3;
  migration.merged_parts = 5;
  migration.examples.push_back({"k", "v2|1|2|", "", "12|1|2"});
  migration.examples.push_back({"p:q", "v2|1|2|", "p", "23|1|q|1|2"});
  migration.overtaken = 2;
  migration.not_done = 7;
  migration.not_done_first.push_back({"x", "why"});
  report.run.migration = migration;
  const std::string text = render_terminal(report, {});
  EXPECT_THAT(text, HasSubstr("migrated\n  token-bucket/v2  1,200\n"));
  EXPECT_THAT(text, HasSubstr("5 keys merged into 3 keys"));
  EXPECT_THAT(text, HasSubstr("    - v2|1|2|\n    + 12|1|2\n"));
  EXPECT_THAT(text, HasSubstr("    + p 23|1|q|1|2\n"));
  EXPECT_THAT(text, HasSubstr("left to them: 2"));
  EXPECT_THAT(text, HasSubstr("not done: \"x\": why\n  not done: 7 in all"));
  report.run.migration->dry_run = true;
  EXPECT_THAT(render_terminal(report, {}), HasSubstr("would rewrite (nothing was written)"));
}

TEST(AuditReport, JsonHasEveryCount) {
  const Report report = report_of(all_planted());
  const auto json = base::test::parsed(render_json(report));
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["verdict"], "faulty");
  EXPECT_EQ(json["audit"]["entries"], test::planted().size());
  EXPECT_EQ(json["audit"]["findings"].size(), 10U);
  EXPECT_FALSE(json.contains("migration"));
  std::uint64_t findings = 0;
  for (const auto& kind : json["audit"]["findings"].items()) {
    for (const auto& group : kind["groups"].items()) findings += group["count"].natural();
  }
  std::uint64_t expected = 0;
  for (const test::Planted& row : test::planted()) expected += row.findings.size();
  EXPECT_EQ(findings, expected);
}

TEST(Listing, ALineHoldsWhatIsNoText) {
  const Finding finding{Kind::malformed, 3, 2, "tokens", "is \"odd\""};
  EXPECT_EQ(json_line("k\xff", "12|\x01", finding),
            R"({"kind":"malformed","key":"k\\xff","key_hex":"6bff","field":"tokens","offset":3,)"
            R"("length":2,"reason":"is \"odd\"","value":"12|\\x01","value_begin":0})"
            "\n");
  EXPECT_THAT(json_line("k", "", finding), Not(HasSubstr("key_hex")));
}

}  // namespace
}  // namespace hallmark::audit
